import { pointTo, valueAt } from '../schema/pointer.ts';
import { decodeFragment } from '../schema/references.ts';
import type { RouteTemplate } from '../operations/other-routes.ts';
import type { OperationSettings } from '../operations/settings.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { withoutTexts } from './fingerprint.ts';
import type { OfferedDocumentOperation, ReadApi } from './read-api.ts';
import { METHODS } from './read-operations.ts';

/** What is needed of a document to call some of its operations. It is a document itself. */
export type DocumentPart = Readonly<Record<string, unknown>>;

/** Copies the operations that are offered, and what they refer to, without texts and answers. */
export function takePart(root: PlainObject, { all, operations }: ReadApi): DocumentPart {
  const part: Record<string, unknown> = { openapi: '3.1.0', info: root['info'] ?? {}, paths: {} };
  for (const operation of operations) {
    const { method, path, value, shared } = operation;
    const own = Array.isArray(value['parameters']) ? (value['parameters'] as readonly unknown[]) : [];
    const parameters = [...shared, ...own];
    const { operationId, tags, requestBody, security = root['security'] } = value;
    const settings = settingsIn(operation);
    const copy = {
      ...{ operationId, tags, requestBody, security },
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(settings === undefined ? {} : { 'x-mcp': settings }),
    };
    const name = method.toLowerCase();
    const place = METHODS.includes(name) ? [name] : ['additionalOperations', method];
    put(part, pointTo('', 'paths', path, ...place), withoutTexts(copy));
    copyTargets(root, part, copy);
  }
  for (const name of schemesFor(operations, root)) {
    const pointer = pointTo('', 'components', 'securitySchemes', name);
    const scheme = valueAt(root, pointer);
    if (scheme === undefined) continue;
    put(part, pointer, withoutTexts(scheme));
    copyTargets(root, part, scheme);
  }
  const own = new Set(operations.map(({ key }) => key));
  const further = all.filter(
    (other) => !own.has(other.key) && operations.some((each) => mayLeadTo(each, other)),
  );
  return JSON.parse(JSON.stringify({ ...part, 'x-routes': further.map(({ key }) => key) })) as DocumentPart;
}

/** What settings say about requests and answers. The rest is in the classes. */
function settingsIn({ settings }: OfferedDocumentOperation): Partial<OperationSettings> | undefined {
  const { headers, hide, defaults, fields, select, result } = settings;
  const kept = Object.entries({ headers, hide, defaults, fields, select, result });
  const said = kept.filter(([, value]) => value !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

function schemesFor(operations: readonly OfferedDocumentOperation[], root: PlainObject): readonly string[] {
  const all = operations.flatMap(({ value }) => value['security'] ?? root['security'] ?? []);
  return [...new Set(all.filter(isPlainObject).flatMap((each) => Object.keys(each)))];
}

/** Whether a value could lead to another route: what stands before the first value is the same. */
function mayLeadTo(own: RouteTemplate, other: RouteTemplate): boolean {
  if (own.method !== other.method) return false;
  const segments = other.path.split('/');
  for (const [index, segment] of own.path.split('/').entries()) {
    const there = segments[index] ?? '';
    if (segment.includes('{')) return true;
    if (!there.includes('{') && there.toLowerCase() !== segment.toLowerCase()) return false;
  }
  return true;
}

/** The routes of the API beside those of the part, as far as a value could lead there. */
export function furtherRoutes({ 'x-routes': keys }: DocumentPart): readonly RouteTemplate[] {
  return (Array.isArray(keys) ? (keys as readonly string[]) : []).map((key) => {
    const [method = '', path = ''] = key.split(' ');
    return { method, path };
  });
}

/** Copies what a value refers to, to the same place. */
function copyTargets(root: PlainObject, part: PlainObject, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (name !== '$ref' || typeof member !== 'string') copyTargets(root, part, member);
    else {
      const pointer = member.startsWith('#/') ? decodeFragment(member.slice(1)) : undefined;
      const target = pointer === undefined ? undefined : valueAt(root, pointer);
      if (pointer === undefined || target === undefined || valueAt(part, pointer) !== undefined) continue;
      put(part, pointer, withoutTexts(target));
      copyTargets(root, part, target);
    }
  }
}

function put(part: PlainObject, pointer: string, value: unknown): void {
  const tokens = pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = tokens.pop() ?? '';
  let at = part as Record<string, unknown>;
  for (const token of tokens) {
    if (!Object.hasOwn(at, token)) define(at, token, {});
    at = at[token] as Record<string, unknown>;
  }
  define(at, last, value);
}

/** Not an assignment: a name may be `__proto__`. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
