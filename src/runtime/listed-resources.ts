import type { RequestContext } from '../call/request-context.ts';
import { describeReceived, type CheckOutcome, type Issue } from '../call/issue.ts';
import { plainData } from '../call/handler-value.ts';
import type { CompiledTemplate } from '../compile/primitives/compile-resource.ts';
import { McpResourceConverter } from '../converters/mcp-converters.ts';
import type { WireResource } from '../converters/wire.ts';
import type { ListedResource } from '../metadata/options.ts';
import { Resource } from '../model/group.ts';
import { createAnnotations } from '../model/values.ts';
import { runPrimitive, type ServiceOptions } from './primitives.ts';
import { annotationProblem } from '../call/check-content.ts';
import { isObject, isPlainObject } from '../shared/json.ts';
import type { UriTemplate } from '../shared/uri-template.ts';

const wire = new McpResourceConverter();

/** The resources of a template, from its list method. */
export async function listTemplate(
  template: CompiledTemplate,
  request: RequestContext,
  options: ServiceOptions,
): Promise<readonly WireResource[]> {
  if (template.list === undefined) return [];
  const convert = (value: unknown): CheckOutcome<readonly WireResource[]> => toWire(template, value);
  const call = { kind: 'resource', name: template.name, args: {}, request, convert } as const;
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

/** A listed resource, completed with the fields of its template. */
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

type Member = readonly [isRight: (value: unknown) => boolean, message: string];

const TEXT: Member = [(value) => typeof value === 'string', 'must be a string'];

const OPTIONAL: Readonly<Record<string, Member>> = {
  name: [(value) => typeof value === 'string' && value !== '', 'must be a string that is not empty'],
  title: TEXT,
  description: TEXT,
  mimeType: TEXT,
  size: [(value) => typeof value === 'number' && value >= 0, 'must be a number of bytes'],
  annotations: [isPlainObject, 'must be an object'],
};

/** What is wrong with one entry; a client would refuse the whole list for it. */
function listedResourceIssues(item: unknown, path: string, template: UriTemplate): readonly Issue[] {
  if (!isObject(item)) {
    return [memberIssue(path, 'must be an object with a uri', item)];
  }
  const listed = item;
  const wrong = Object.entries(OPTIONAL)
    .filter(([name, [isRight]]) => listed[name] !== undefined && !isRight(listed[name]))
    .map(([name, [, message]]) => memberIssue(`${path}.${name}`, message, listed[name]));
  return [...uriIssues(listed['uri'], path, template), ...wrong, ...annotationIssues(listed, path)];
}

function uriIssues(uri: unknown, path: string, template: UriTemplate): readonly Issue[] {
  if (typeof uri !== 'string') return [memberIssue(`${path}.uri`, 'must be a string', uri)];
  return template.match(uri) === undefined
    ? [memberIssue(`${path}.uri`, `does not match ${template.text}`, uri)]
    : [];
}

function annotationIssues(
  { annotations }: Readonly<Record<string, unknown>>,
  path: string,
): readonly Issue[] {
  const problem = isPlainObject(annotations) ? annotationProblem(annotations) : undefined;
  if (problem === undefined) return [];
  const { name, value, expected } = problem;
  return [memberIssue(`${path}.annotations.${name}`, `must be ${expected}`, value)];
}

function memberIssue(path: string, message: string, value: unknown): Issue {
  return { path, message, received: describeReceived(value) };
}
