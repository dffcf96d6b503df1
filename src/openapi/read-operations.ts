import { fragmentOf, pointTo } from '../schema/pointer.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { findReason, leaveOut } from '../operations/left-out.ts';
import { groupFromPath, groupName } from '../operations/names.ts';
import type { LeftOut, Operation, OperationHints } from '../operations/operation.ts';
import type { OpenApiDocument } from './read-document.ts';
import { resolveReference } from './copy-schema.ts';
import { OpenApiFault } from './openapi-fault.ts';

/** An operation of a document, before its inputs are read: most of a large document are never offered. */
export interface DocumentOperation extends Operation {
  /** Where it is in the document. */
  readonly pointer: string;
  /** Its own members. */
  readonly value: PlainObject;
  /** The parameters that it shares with the other operations of its path. */
  readonly shared: readonly unknown[];
}

export const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'query', 'head', 'options', 'trace'];

/** All operations of a document, in its order. */
export function readOperations({ root }: Pick<OpenApiDocument, 'root'>): readonly DocumentOperation[] {
  const paths = Object.entries((root['paths'] ?? {}) as PlainObject);
  const parents = tagParents(root);
  return paths.flatMap(([path, given]) => {
    if (!path.startsWith('/')) return [];
    const place = pointTo('', 'paths', path);
    const { value: item, pointer } = pathItem(root, given, place);
    const shared = Array.isArray(item['parameters']) ? (item['parameters'] as readonly unknown[]) : [];
    return methodsIn(item).flatMap(([method, keys, value]) =>
      isPlainObject(value)
        ? [readOperation(root, { path, method, value, shared, parents, pointer: pointTo(pointer, ...keys) })]
        : [],
    );
  });
}

/** A path whose reference leads to nothing has no operations that are known. */
function pathItem(
  root: PlainObject,
  given: unknown,
  place: string,
): { readonly value: PlainObject; readonly pointer: string } {
  try {
    const { value, pointer } = resolveReference(root, given, place);
    return { value: isPlainObject(value) ? value : {}, pointer };
  } catch (fault) {
    if (fault instanceof OpenApiFault) return { value: {}, pointer: place };
    throw fault;
  }
}

type Method = readonly [method: string, keys: readonly string[], value: unknown];

/** OpenAPI 3.2, 4.9.1: methods of other names are in `additionalOperations`. */
function methodsIn(item: PlainObject): readonly Method[] {
  const usual = METHODS.flatMap((name): readonly Method[] =>
    Object.hasOwn(item, name) ? [[name.toUpperCase(), [name], item[name]]] : [],
  );
  const further = item['additionalOperations'];
  if (!isPlainObject(further)) return usual;
  const added = Object.entries(further).map(([name, value]): Method => [
    name.toUpperCase(),
    ['additionalOperations', name],
    value,
  ]);
  return [...usual, ...added];
}

/** OpenAPI 3.2, 4.22: the tag that a tag is in. */
function tagParents({ tags }: PlainObject): ReadonlyMap<string, string> {
  const known = (Array.isArray(tags) ? (tags as readonly unknown[]) : []).filter(isPlainObject);
  return new Map(
    known.flatMap(({ name, parent }) =>
      typeof name === 'string' && typeof parent === 'string' ? [[name, parent] as const] : [],
    ),
  );
}

/**
 * The tags that a tag is in, the outermost first. Those in a ring are in none. A group has either actions or groups, so the
 * operations of a tag that has others in it are in a group of the same name.
 */
function tagsAround(tag: string, parents: ReadonlyMap<string, string>): readonly string[] {
  const around: string[] = [];
  for (let at = parents.get(tag); at !== undefined; at = parents.get(at)) {
    if (at === tag || around.includes(at)) return [];
    around.unshift(at);
  }
  return [...parents.values()].includes(tag) ? [...around, tag] : around;
}

interface Found {
  readonly parents: ReadonlyMap<string, string>;
  readonly path: string;
  readonly method: string;
  readonly value: PlainObject;
  readonly shared: readonly unknown[];
  readonly pointer: string;
}

function readOperation(root: PlainObject, found: Found): DocumentOperation {
  const { path, method, value, shared, pointer } = found;
  const tags = (Array.isArray(value['tags']) ? (value['tags'] as readonly unknown[]) : []).filter(
    (tag) => typeof tag === 'string',
  );
  const [tag] = tags;
  const text = (name: string): string | undefined => {
    const given = value[name];
    return typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined;
  };
  const id = text('operationId');
  const group = tag === undefined ? groupFromPath(path) : groupName(tag);
  const parents = tag === undefined ? [] : tagsAround(tag, found.parents).map(groupName);
  const [title, description] = [text('summary'), text('description')];
  // The summary is the shorter one
  const told = title ?? description;
  const leftOut = findLeftOut(root, found, tags);
  return Object.freeze({
    key: `${method} ${path}`,
    origin: id ?? fragmentOf(pointer),
    method,
    path,
    group,
    ...(parents.length === 0 ? {} : { parents }),
    name: id === undefined ? nameFromPath(method, path) : nameFromId(id, tag),
    tags,
    ...(title === undefined ? {} : { title }),
    ...(told === undefined ? {} : { description: told }),
    inputs: [],
    headers: {},
    hints: hintsFor(method),
    ...(leftOut === undefined ? {} : { leftOut }),
    ...(isPlainObject(value['x-mcp']) ? { declared: value['x-mcp'] } : {}),
    metadata: (key: string) => value[key],
    pointer,
    value,
    shared,
  });
}

function hintsFor(method: string): OperationHints {
  return Object.freeze({
    readOnly: method === 'GET' || method === 'QUERY',
    destructive: method === 'DELETE' || method === 'PUT' || method === 'PATCH',
    idempotent: method === 'DELETE' || method === 'PUT',
  });
}

/** `issues/list-for-repo` of the tag `issues`, and `TasksController_findAll_v1`, without what others say as well. */
function nameFromId(id: string, tag: string | undefined): string {
  const [first = '', ...rest] = id.split(/[/.:]/);
  const isOfTag = tag !== undefined && rest.length > 0 && groupName(first) === groupName(tag);
  const own = isOfTag ? rest.join('_') : id;
  return own
    .replace(/^[A-Za-z0-9]+Controller_/, '')
    .replace(/_v\d+$/, '')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_');
}

/** `get_tasks_comments`: the method and the parts of the path that are no values. */
function nameFromPath(method: string, path: string): string {
  const literal = path.split('/').filter((segment) => segment !== '' && !segment.includes('{'));
  return [method.toLowerCase(), ...literal].join('_').replaceAll(/[^A-Za-z0-9_]+/g, '_');
}

function findLeftOut(root: PlainObject, found: Found, tags: readonly string[]): LeftOut | undefined {
  const { method, path, value } = found;
  if (value['x-internal'] === true || value['x-mcp'] === false) return leaveOut('excluded');
  if (value['deprecated'] === true) return leaveOut('deprecated');
  const byPath = findReason(method, path, tags);
  if (byPath !== undefined) return leaveOut(byPath);
  const sent = mediaTypes(root, value['requestBody'], 'content');
  if (sent.length > 0 && !sent.some(isSendable)) return leaveOut('upload');
  return leftOutByAnswer(root, value['responses']);
}

/** Media types that a body can have without a file in it. */
function isSendable(type: string): boolean {
  return isJson(type) || isForm(type) || /^text\//i.test(type) || type === '*/*';
}

export function isJson(type: string): boolean {
  return /^application\/([\w.+-]+\+)?json(\s*;|$)/i.test(type);
}

/** Several parts, of which some may be files. */
export function isMultipart(type: string): boolean {
  return /^multipart\/form-data(\s*;|$)/i.test(type);
}

/** A file, and nothing else. */
export function isBytes(type: string): boolean {
  return /^application\/octet-stream(\s*;|$)/i.test(type);
}

export function isForm(type: string): boolean {
  return /^application\/x-www-form-urlencoded(\s*;|$)/i.test(type);
}

function leftOutByAnswer(root: PlainObject, responses: unknown): LeftOut | undefined {
  if (!isPlainObject(responses)) return undefined;
  const statuses = Object.keys(responses);
  const good = statuses.filter((status) => /^2/.test(status));
  if (good.length === 0 && statuses.some((status) => /^3/.test(status)) && !statuses.includes('default'))
    return leaveOut('redirect');
  const types = good.flatMap((status) => mediaTypes(root, responses[status], 'content'));
  if (types.length === 0) return undefined;
  if (types.every((type) => /^text\/event-stream/i.test(type))) return leaveOut('sse');
  if (types.every((type) => /^text\/html/i.test(type))) return leaveOut('html');
  const isReadable = (type: string): boolean =>
    isJson(type) || /^(text|image|audio)\/|xml|yaml|ndjson|^\*\/\*$|^application\/\*$/i.test(type);
  return types.some(isReadable) ? undefined : leaveOut('binary');
}

function mediaTypes(root: PlainObject, given: unknown, member: string): readonly string[] {
  try {
    const { value } = resolveReference(root, given, '');
    const content = isPlainObject(value) ? value[member] : undefined;
    return isPlainObject(content) ? Object.keys(content) : [];
  } catch (fault) {
    if (fault instanceof OpenApiFault) return [];
    throw fault;
  }
}
