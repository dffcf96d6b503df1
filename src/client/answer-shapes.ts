import { isSchema, mapSubschemas, walkSchema } from '../schema/subschemas.ts';
import { holderOf } from '../schema/keywords.ts';
import { valueAt } from '../schema/pointer.ts';
import { describeValue } from '../shared/describe-value.ts';
import { isDeeperThan, isPlainObject, type PlainObject } from '../shared/json.ts';

/** What a value lacks to be what it has to be, as a sentence without its full stop; undefined for nothing. */
type Shape = (value: unknown, at: string) => string | undefined;

function kind(what: string, isRight: (value: unknown) => boolean): Shape {
  return (value, at) => (isRight(value) ? undefined : `${at} is ${describeValue(value)}, and not ${what}`);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const text = kind('a text', isText);
const flag = kind('true or false', (value) => typeof value === 'boolean');
const anyObject = kind('an object', isPlainObject);
const anyList = kind('a list', Array.isArray);

function listOf(item: Shape): Shape {
  return (value, at) => {
    if (!Array.isArray(value)) return anyList(value, at);
    return firstFault(value.map((each: unknown, index) => [item, each, `${at}[${String(index)}]`]));
  };
}

/** @param optional members that may be left out. Servers also write null for what is not there */
function objectOf(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const rows = [...Object.entries(required), ...Object.entries(optional)];
  return (value, at) => {
    if (!isPlainObject(value)) return anyObject(value, at);
    const present = rows.filter(([name]) => Object.hasOwn(required, name) || !isNothing(value, name));
    return firstFault(present.map(([name, shape]) => [shape, ownMember(value, name), `${at}.${name}`]));
  };
}

function firstFault(checks: readonly (readonly [Shape, unknown, string])[]): string | undefined {
  for (const [shape, value, at] of checks) {
    const fault = shape(value, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function ownMember(value: PlainObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isNothing(value: PlainObject, name: string): boolean {
  return (ownMember(value, name) ?? undefined) === undefined;
}

/** Keywords that hold no schemas, as far as clients read them. */
const DATA: Readonly<Record<string, Shape>> = {
  type: kind('a text or a list of texts', (value) => isText(value) || isListOf(value, isText)),
  enum: anyList,
  required: kind('a list of texts', (value) => isListOf(value, isText)),
  ...Object.fromEntries(
    ['title', 'description', '$ref', '$id', '$anchor', 'pattern', 'format'].map((name) => [name, text]),
  ),
};

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

const schemas = kind('a list of schemas', (value) => isListOf(value, isSchema));
const HELD: Readonly<Record<NonNullable<ReturnType<typeof holderOf>>, Shape>> = {
  schema: kind('a schema', isSchema),
  list: schemas,
  map: kind('an object of schemas', (value) => isPlainObject(value) && Object.values(value).every(isSchema)),
  'schema-or-list': (value, at) => (Array.isArray(value) ? schemas(value, at) : HELD.schema(value, at)),
  dependencies: anyObject,
};

function keywordFault(keyword: string, value: unknown, at: string): string | undefined {
  const holder = holderOf(keyword);
  if (holder !== undefined) return HELD[holder](value, at);
  return Object.hasOwn(DATA, keyword) ? DATA[keyword]?.(value, at) : undefined;
}

/** A JSON Schema that can be read without looking at each keyword again, also where references lead. */
const schema: Shape = (root, at) => {
  if (!isPlainObject(root)) return kind('a schema', isPlainObject)(root, at);
  const open: unknown[] = [root];
  const seen = new Set<unknown>();
  for (const start of open) {
    if (seen.has(start)) continue;
    for (const { schema: part, path } of walkSchema(start)) {
      if (typeof part === 'boolean' || seen.has(part)) continue;
      seen.add(part);
      for (const [keyword, value] of Object.entries(part)) {
        const fault = keywordFault(keyword, value, `${at}${path}/${keyword}`);
        if (fault !== undefined) return fault;
      }
      const { $ref } = part;
      // What has an anchor is a schema, and was seen
      if (typeof $ref === 'string' && $ref.includes('#/')) open.push(valueAt(root, pointerIn($ref)));
    }
  }
  return undefined;
};

function pointerIn(reference: string): string {
  const fragment = reference.slice(reference.indexOf('#') + 1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const described = { title: text, description: text, icons: anyList, _meta: anyObject };
const annotations = objectOf(
  {},
  { title: text, readOnlyHint: flag, destructiveHint: flag, idempotentHint: flag, openWorldHint: flag },
);
const texts = kind(
  'an object of texts',
  (value) => isPlainObject(value) && Object.values(value).every(isText),
);
const listedAction = objectOf({ key: text, inputSchema: schema }, { description: text, annotations });
const argument = objectOf({ name: text }, described);

/** What the items of each list have to be. */
const ITEMS = {
  tools: objectOf(
    { name: text, inputSchema: schema },
    // The last two are what applications know of their own tools, and lock files with them
    {
      ...described,
      outputSchema: schema,
      annotations,
      groups: texts,
      actions: listOf(listedAction),
    },
  ),
  prompts: objectOf({ name: text }, { ...described, arguments: listOf(argument) }),
  resources: objectOf({ name: text, uri: text }, { ...described, mimeType: text }),
  resourceTemplates: objectOf({ name: text, uriTemplate: text }, { ...described, mimeType: text }),
} satisfies Readonly<Record<string, Shape>>;

export type ListName = keyof typeof ITEMS;

export const LIST_NAMES = Object.keys(ITEMS) as readonly ListName[];

const contents = objectOf({ uri: text }, { text, blob: text, mimeType: text });
const BLOCKS: Readonly<Record<string, Shape>> = {
  text: objectOf({ text }),
  image: objectOf({ data: text, mimeType: text }),
  audio: objectOf({ data: text, mimeType: text }),
  resource_link: objectOf({ uri: text, name: text }, { title: text }),
  resource: objectOf({ resource: contents }),
};
const block: Shape = (value, at) => {
  const fault = objectOf({ type: text })(value, at);
  if (fault !== undefined) return fault;
  const { type } = value as { readonly type: string };
  return Object.hasOwn(BLOCKS, type) ? BLOCKS[type]?.(value, at) : undefined;
};

/** What the results of some methods have to be. */
const RESULTS: Readonly<Record<string, Shape>> = {
  'tools/call': objectOf({ content: listOf(block) }, { structuredContent: anyObject, _meta: anyObject }),
  'prompts/get': objectOf({ messages: listOf(objectOf({ role: text, content: block })) }),
  'resources/read': objectOf({ contents: listOf(contents) }),
};

/** Why a client cannot read the result of a request; undefined where it can. */
export function resultFault(method: string, result: PlainObject): string | undefined {
  return RESULTS[method]?.(result, 'the result');
}

/** Why a client cannot read a list; undefined where it can. */
export function listFault(name: ListName, value: unknown): string | undefined {
  return listOf(ITEMS[name])(value, name);
}

/** Why a client cannot read a schema; undefined where it can. */
export function schemaFault(value: unknown, at: string): string | undefined {
  return schema(value, at);
}

/** Levels of objects and lists in each other that a client takes: what is deeper would exhaust its stack. */
export const MAX_DEPTH = 500;

/** Whether a value from elsewhere is nested deeper than {@link MAX_DEPTH}. */
export function isTooDeep(value: unknown): boolean {
  return isDeeperThan(value, MAX_DEPTH);
}

/** An item of a list as it was meant, where a server writes null for what is not there. */
export function withoutNothing(item: PlainObject): PlainObject {
  const present = Object.entries(item).filter(([, value]) => value !== null);
  return Object.fromEntries(present.map(([name, value]) => [name, meant(name, value)]));
}

function meant(name: string, value: unknown): unknown {
  if ((name === 'arguments' || name === 'actions') && Array.isArray(value))
    return value.map((each: unknown) => (isPlainObject(each) ? withoutNothing(each) : each));
  const isSchemaOfTool = name === 'inputSchema' || name === 'outputSchema';
  return isSchemaOfTool && isPlainObject(value) ? meantSchema(value) : value;
}

/** `required: true` at a property is of an older draft, and says what the list around it says as well. */
function meantSchema(given: PlainObject): PlainObject {
  const kept = Object.entries(given).filter(
    ([keyword, value]) =>
      (value !== null || ['const', 'default'].includes(keyword)) &&
      !(keyword === 'required' && typeof value === 'boolean'),
  );
  return mapSubschemas(Object.fromEntries(kept), (part) =>
    typeof part === 'boolean' ? part : meantSchema(part),
  );
}
