import type { CallExchange } from '../call/call-exchange.ts';
import { describeReceived, type CheckOutcome } from '../call/issue.ts';
import { plainData } from '../call/handler-value.ts';
import type { CompiledTemplate } from '../compile/primitives/compile-resource.ts';
import { McpResourceConverter } from '../converters/resource-converter.ts';
import type { WireResource } from '../converters/wire.ts';
import type { ListedResource } from '../metadata/options.ts';
import { Resource } from '../model/group.ts';
import { createAnnotations } from '../model/values.ts';
import { listedResourceIssues } from './check-listed-resource.ts';
import { runPrimitive } from './run-primitive.ts';
import type { ServiceOptions } from './service-options.ts';

const wire = new McpResourceConverter();

/** The resources that a template stands for, as its list method gives them. */
export async function listTemplate(
  template: CompiledTemplate,
  exchange: CallExchange,
  options: ServiceOptions,
): Promise<readonly WireResource[]> {
  if (template.list === undefined) return [];
  const convert = (value: unknown): CheckOutcome<readonly WireResource[]> => toWire(template, value);
  const call = { kind: 'resource', name: template.name, args: {}, exchange, convert } as const;
  return runPrimitive(template.list, call, options);
}

function toWire(template: CompiledTemplate, given: unknown): CheckOutcome<readonly WireResource[]> {
  const value = plainData(given);
  if (!Array.isArray(value)) {
    const message = 'the list method of a template gives an array of resources';
    return { ok: false, issues: [{ path: '', message, received: describeReceived(value) }] };
  }
  const items = value as readonly unknown[];
  const issues = items.flatMap((item, index) =>
    listedResourceIssues(item, `list.${String(index)}`, template.template),
  );
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, value: items.map((item) => wireResource(template, item as ListedResource)) };
}

/** A resource with what it says of itself, and with what its template says where it says nothing. */
function wireResource({ model: template }: CompiledTemplate, listed: ListedResource): WireResource {
  const resource = new Resource(listed.name ?? template.name);
  resource.uri = listed.uri;
  resource.title = listed.title ?? template.title;
  resource.description = listed.description ?? template.description;
  resource.mimeType = listed.mimeType ?? template.mimeType;
  resource.size = listed.size;
  resource.annotations = listed.annotations ? createAnnotations(listed.annotations) : template.annotations;
  resource.icons = template.icons;
  resource.meta = template.meta;
  return wire.convertFromResource(resource);
}
