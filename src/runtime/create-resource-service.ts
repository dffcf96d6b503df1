import type { CallExchange } from '../call/call-exchange.ts';
import type { ReadResourceResult } from '../call/results.ts';
import type {
  CompiledFixedResource,
  CompiledResource,
  CompiledTemplate,
} from '../compile/primitives/compile-resource.ts';
import type { WireResource } from '../converters/wire.ts';
import type { PlainObject } from '../shared/json.ts';
import { listTemplate } from './list-template.ts';
import type { FixedList, ResourceService } from './mcp-service.ts';
import { resourceNotFound } from './protocol-failures.ts';
import { runPrimitive } from './run-primitive.ts';
import type { ServiceOptions } from './service-options.ts';
import { visibleItems } from './visible-items.ts';

/** What a filter leaves of the resources of an application. */
interface ResourceView {
  readonly fixed: ReadonlyMap<string, CompiledFixedResource>;
  readonly templates: readonly CompiledTemplate[];
  readonly fixedResources: FixedList<WireResource>;
  readonly templateList: readonly CompiledTemplate['definition'][];
}

/** The resources of an application as its connections see them. */
export function createResourceService(
  resources: () => readonly CompiledResource[],
  options: ServiceOptions,
): ResourceService {
  const view = visibleItems(resources, options.filter, arrange);
  return Object.freeze({
    templates: () => view().templateList,
    fixed: () => view().fixedResources,
    list: async (exchange: CallExchange) => {
      const { templates, fixedResources } = view();
      const { list: resourceList, isAll } = fixedResources;
      if (isAll) return resourceList;
      const listed = await Promise.all(
        templates.map((template) => listTemplate(template, exchange, options)),
      );
      return onePerUri([...resourceList, ...listed.flat()]);
    },
    knows: (uri: string) => {
      const { fixed, templates } = view();
      return find(uri, fixed, templates) !== undefined;
    },
    cacheOf: (uri: string) => {
      const { fixed, templates } = view();
      return find(uri, fixed, templates)?.resource.cache;
    },
    read: async (uri: string, exchange: CallExchange) => {
      const { fixed, templates } = view();
      const found = find(uri, fixed, templates);
      const result = found && (await read(found.resource, found.variables, uri, exchange, options));
      if (result === undefined) throw resourceNotFound(uri, found === undefined ? fixed.keys() : []);
      return result;
    },
  });
}

function arrange(items: readonly CompiledResource[]): ResourceView {
  const fixed = items.filter((item) => item.kind === 'fixed');
  const templates = items.filter((item) => item.kind === 'template');
  return {
    fixed: new Map(fixed.map((resource) => [resource.uri, resource])),
    templates,
    fixedResources: Object.freeze({
      list: Object.freeze(onePerUri(fixed.map(({ definition }) => definition))),
      isAll: templates.every((template) => template.list === undefined),
    }),
    templateList: Object.freeze(templates.map(({ definition }) => definition)),
  };
}

/** As for subscriptions: each template takes the URI apart anew. */
const LONGEST_URI = 8192;

/** A fixed URI wins over every template, and an earlier template over a later one. */
function find(
  uri: string,
  fixed: ResourceView['fixed'],
  templates: readonly CompiledTemplate[],
): { readonly resource: CompiledResource; readonly variables: PlainObject } | undefined {
  if (uri.length > LONGEST_URI) return undefined;
  const exact = fixed.get(uri);
  if (exact !== undefined) return { resource: exact, variables: {} };
  for (const resource of templates) {
    const variables = resource.template.match(uri);
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}

function read(
  resource: CompiledResource,
  args: PlainObject,
  uri: string,
  exchange: CallExchange,
  options: ServiceOptions,
): Promise<ReadResourceResult | undefined> {
  const convert = (value: unknown): ReturnType<CompiledResource['convert']> => resource.convert(value, uri);
  return runPrimitive(resource, { kind: 'resource', name: resource.name, args, exchange, convert }, options);
}

/** What is listed twice is read from where it stands first. */
function onePerUri(resources: readonly WireResource[]): readonly WireResource[] {
  const byUri = new Map<string, WireResource>();
  for (const resource of resources) if (!byUri.has(resource.uri)) byUri.set(resource.uri, resource);
  return [...byUri.values()];
}
