import type {
  CompiledFixedResource,
  CompiledResource,
  CompiledTemplate,
} from '../compile/primitives/compile-resource.ts';
import type { PlainObject } from '../shared/json.ts';
import { withoutUnknownQuery, type UriTemplate } from '../shared/uri-template.ts';
import { LONGEST_URI } from './changes.ts';

/** The resources that a URI may mean. */
interface FindableResources {
  readonly fixed: ReadonlyMap<string, CompiledFixedResource>;
  readonly templates: readonly CompiledTemplate[];
}

interface FoundResource {
  readonly resource: CompiledResource;
  readonly variables: PlainObject;
}

/**
 * A fixed URI wins over every template, an earlier template over a later one, and one that fits the whole URI over one that
 * knows only some of the parameters in its query.
 */
export function findResource(
  uri: string,
  { fixed, templates }: FindableResources,
): FoundResource | undefined {
  // Each template parses the URI itself
  if (uri.length > LONGEST_URI) return undefined;
  const exact = fixed.get(uri);
  if (exact !== undefined) return { resource: exact, variables: {} };
  return (
    firstOf(templates, (template) => template.match(uri)) ??
    firstOf(templates, (template) => {
      const known = withoutUnknownQuery(template, uri);
      return known === undefined ? undefined : template.match(known);
    })
  );
}

function firstOf(
  templates: readonly CompiledTemplate[],
  match: (template: UriTemplate) => PlainObject | undefined,
): FoundResource | undefined {
  for (const resource of templates) {
    const variables = match(resource.template);
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}
