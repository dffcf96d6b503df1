import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, valueAt, type Json, type JsonObject, type Path } from './json-path.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats.default(ajv);

export function fits(schema: JsonObject | undefined, value: Json | undefined): boolean {
  return schema !== undefined && value !== undefined && ajv.validate(schema, value);
}

/** The fields that an object may have; of a union, those of the branch that the value names, or of all. */
export function listMembers(
  schema: JsonObject | undefined,
  value: Json | undefined,
): Readonly<Record<string, JsonObject>> {
  if (schema === undefined) return {};
  const branches = listBranches(schema);
  const named = branches.filter((branch) => isNamed(branch, value));
  const parts = [schema, ...(named.length > 0 ? named : branches)].map(({ properties }) => properties);
  const members: Record<string, JsonObject> = {};
  for (const [name, member] of parts.filter(isObject).flatMap((part) => Object.entries(part))) {
    if (isObject(member)) members[name] = mergeConstants(members[name], member);
  }
  return members;
}

/** Of a field that chooses between branches: every value that one of them has. */
function mergeConstants(one: JsonObject | undefined, other: JsonObject): JsonObject {
  const values = (schema: JsonObject | undefined): readonly Json[] =>
    schema?.['const'] === undefined ? ((schema?.['enum'] ?? []) as readonly Json[]) : [schema['const']];
  const all = [...values(one), ...values(other)];
  return one === undefined || all.length < 2 ? other : { type: 'string', enum: all };
}

export function listBranches({ anyOf, oneOf }: JsonObject): readonly JsonObject[] {
  return ((anyOf ?? oneOf ?? []) as readonly Json[]).filter(isObject);
}

function isNamed({ properties }: JsonObject, value: Json | undefined): boolean {
  if (!isObject(properties)) return false;
  const constants = Object.entries(properties).filter(([, member]) => isObject(member) && 'const' in member);
  return constants.some(([name, member]) => valueAt(value, [name]) === (member as JsonObject)['const']);
}

/** What the tool says about a place of its arguments. */
export function schemaAt(root: JsonObject, path: Path, args: Json): JsonObject | undefined {
  let schema: JsonObject | undefined = root;
  let value: Json | undefined = args;
  for (const name of path) {
    const inner: Json | undefined =
      typeof name === 'number' ? schema?.['items'] : listMembers(schema, value)[name];
    schema = isObject(inner) ? inner : undefined;
    value = valueAt(value, [name]);
  }
  return schema;
}

/** All places that a text about these arguments can name: those of the schema, and those of the arguments. */
export function listPlaces(schema: JsonObject | undefined, value: Json | undefined): readonly Path[] {
  const inner = (name: string | number, member: JsonObject | undefined): readonly Path[] =>
    [[], ...listPlaces(member, valueAt(value, [name]))].map((rest) => [name, ...rest]);
  if (Array.isArray(value)) {
    const items = schema?.['items'];
    return value.flatMap((_, index) => inner(index, isObject(items) ? items : undefined));
  }
  const members = listMembers(schema, value);
  const names = new Set([...Object.keys(members), ...(isObject(value) ? Object.keys(value) : [])]);
  return [...names].flatMap((name) => inner(name, members[name]));
}

/** What a field chooses: which other fields belong to each of its values. */
export interface Choice {
  readonly field: string;
  readonly options: readonly {
    readonly value: string;
    readonly fields: readonly string[];
    readonly required: readonly string[];
  }[];
}

/** The choice that an object makes by one of its fields, if its schema or the descriptions of its fields tell of one. */
export function findChoice(schema: JsonObject | undefined): Choice | undefined {
  if (schema === undefined) return undefined;
  return choiceOfBranches(listBranches(schema)) ?? choiceByDescriptions(listMembers(schema, undefined));
}

function choiceOfBranches(branches: readonly JsonObject[]): Choice | undefined {
  const [first] = branches;
  const names = Object.keys(listMembers(first, undefined));
  const isConstant = (branch: JsonObject, name: string): boolean =>
    typeof listMembers(branch, undefined)[name]?.['const'] === 'string';
  const field = names.find((name) => branches.every((branch) => isConstant(branch, name)));
  if (field === undefined) return undefined;
  const options = branches.map((branch) => {
    const members = listMembers(branch, undefined);
    const required = (branch['required'] ?? []) as readonly string[];
    return { value: members[field]?.['const'] as string, fields: Object.keys(members), required };
  });
  return { field, options };
}

/** A field is described as required for some values of another one. */
function choiceByDescriptions(members: Readonly<Record<string, JsonObject>>): Choice | undefined {
  const described = Object.entries(members).map(([name, { description }]) => ({
    name,
    text: typeof description === 'string' ? description : '',
  }));
  const mentions = (text: string, value: string): boolean =>
    / for\b/i.test(` ${text}`) && new RegExp(`\\b${value}\\b`).test(text);
  for (const [field, member] of Object.entries(members)) {
    const values = (member['enum'] ?? []) as readonly string[];
    const options = values.map((value) => {
      const own = described.filter(({ text }) => mentions(text, value));
      const required = own.filter(({ text }) => /required/i.test(text));
      return {
        value,
        fields: [field, ...own.map(({ name }) => name)],
        required: [field, ...required.map(({ name }) => name)],
      };
    });
    if (options.length > 1 && options.every(({ fields }) => fields.length > 1)) return { field, options };
  }
  return undefined;
}

// Texts of the usual forms; the first that fits is an example
const TEXTS = [
  'text',
  'ada@example.com',
  '2030-01-01',
  '2030-01-01T00:00:00Z',
  '00:00',
  'https://example.com',
  '00000000-0000-4000-8000-000000000000',
];

/** Any value that a schema allows. */
export function exampleOf(schema: JsonObject): Json {
  const { default: usual, const: constant, enum: values, examples } = schema;
  const given = usual ?? constant ?? valueAt(values, [0]) ?? valueAt(examples, [0]);
  if (given !== undefined) return given;
  const [branch] = listBranches(schema);
  if (branch !== undefined) return exampleOf(branch);
  const type = [schema['type']].flat()[0];
  const items = isObject(schema['items']) ? [exampleOf(schema['items'])] : [];
  const least = schema['minimum'] ?? 1;
  const byType: Readonly<Record<string, Json>> = {
    boolean: false,
    array: items,
    integer: least,
    number: least,
  };
  if (type === 'object') return exampleObject(schema);
  return (typeof type === 'string' ? byType[type] : undefined) ?? exampleText(schema);
}

function exampleObject(schema: JsonObject): JsonObject {
  const members = listMembers(schema, undefined);
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.fromEntries(required.map((name) => [name, exampleOf(members[name] ?? {})]));
}

function exampleText(schema: JsonObject): string {
  const shortest = typeof schema['minLength'] === 'number' ? schema['minLength'] : 1;
  const beginning = literalBeginning(schema);
  const numbered = Array.from({ length: 15 }, (_, count) => beginning + '0'.repeat(count));
  const texts = [...TEXTS, 'x'.repeat(shortest), ...numbered];
  return texts.find((text) => fits(schema, text)) ?? 'text';
}

/** The letters and signs with which each text of a pattern begins: `RM-` of `^RM-\d{4}$`. */
export function literalBeginning({ pattern }: JsonObject): string {
  const [, beginning = ''] = /^\^((?:\\[^\w]|[\w-])+)/.exec(typeof pattern === 'string' ? pattern : '') ?? [];
  return beginning.replaceAll('\\', '');
}
