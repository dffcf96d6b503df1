import { typesOfValues } from '../../dto/schema/keywords.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { schemaAt } from '../../schema/schema-at.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';

/**
 * Restricts a schema to what a form of a client can show (spec: client/elicitation, Requested Schema):
 * a flat object of texts, numbers, booleans and choices. Keywords that forms do not support are left out, but the
 * answer is validated with them; a field that may be null becomes optional.
 * @throws ToolwrightError TW_ASK_SCHEMA with every field that no form can show.
 */
export function elicitationSchema(schema: ObjectSchema, where: string): ObjectSchema {
  refuseCombination(schema, where);
  const properties: Record<string, JsonSchema> = {};
  const optional = new Set<string>();
  const refusals: string[] = [];
  for (const name of Object.keys(schema.properties ?? {})) {
    const field = elicitationField(schemaAt(schema, [name]) ?? {}, (part) => resolve(schema, part));
    if ('refusal' in field) refusals.push(`"${name}" ${field.refusal}`);
    else properties[name] = field.schema;
    if ('refusal' in field || field.isNullable) optional.add(name);
  }
  if (refusals.length > 0) throw refused(where, refusals);
  const required = (schema.required ?? []).filter((name) => !optional.has(name));
  return deepFreeze({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) });
}

/** Follows a reference of a part into the definitions of the whole. */
function resolve({ $defs, definitions }: JsonSchema, part: JsonSchema): JsonSchema {
  if (part.$ref === undefined) return part;
  return schemaAt({ ...part, ...($defs === undefined ? {} : { $defs }), definitions }, []) ?? part;
}

/** The fields of a union or of an open map cannot be laid out in one form. */
function refuseCombination(schema: ObjectSchema, where: string): void {
  const keyword = ['anyOf', 'oneOf', 'allOf'].find((name) => schema[name] !== undefined);
  if (keyword !== undefined) throw refused(where, [`the whole is put together by ${keyword}`]);
  const { properties, additionalProperties } = schema;
  const isMap = properties === undefined && typeof additionalProperties === 'object';
  if (isMap) throw refused(where, ['the names of its fields are open']);
}

function refused(where: string, refusals: readonly string[]): ToolwrightError {
  return new ToolwrightError('TW_ASK_SCHEMA', {
    where,
    what: `cannot be asked for in a form: ${refusals.join('; ')}.`,
    why: 'forms of MCP clients are flat: texts, numbers, booleans, and choices from fixed texts.',
    fix: 'ask for fields of these kinds, in several questions where one form is too small',
  });
}

/** A field as a form can show it, or the reason why no form can. */
type ElicitationField =
  | { readonly schema: JsonSchema; readonly isNullable: boolean }
  | { readonly refusal: string };

type Resolve = (part: JsonSchema) => JsonSchema;
type Shown = { readonly schema: JsonSchema } | { readonly refusal: string };

// Spec: client/elicitation, Requested Schema, String Schema
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/** Restricts one field of a schema; `resolve` follows the references of its parts. */
function elicitationField(field: JsonSchema, resolve: Resolve): ElicitationField {
  const { schema: open, isNullable } = withoutNull(field, resolve);
  const schema = ofOneFormat(open);
  const shown = show(schema, resolve);
  if ('refusal' in shown) return shown;
  const hasDefault = fits(schema.default, shown.schema);
  return {
    isNullable,
    schema: {
      ...shown.schema,
      ...(shown.schema.enum === undefined ? {} : legacyTitles(schema)),
      ...pick(schema, ['title', 'description'], 'string'),
      ...(hasDefault ? { default: schema.default } : {}),
    },
  };
}

function show(schema: JsonSchema, resolve: Resolve): Shown {
  const choices = choicesOf(schema);
  const type = schema.type ?? typesOfValues((choices ?? []).map(({ value }) => value)).type;
  // a boolean is a choice anyway
  if (type === 'boolean') return { schema: { type } };
  if (type === 'array') return showList(schema, resolve);
  if (choices !== undefined) return showChoices(choices, 'oneOf');
  switch (type) {
    case 'string':
      return { schema: { type, ...pick(schema, ['minLength', 'maxLength'], 'number'), ...formatOf(schema) } };
    case 'integer':
    case 'number':
      return { schema: { type, ...boundsOf(schema, type) } };
    case 'object':
      return { refusal: 'is an object' };
    default:
      return { refusal: isUnion(schema) ? 'may be of several types' : 'has no type' };
  }
}

function isUnion({ type, anyOf }: JsonSchema): boolean {
  return type !== undefined || anyOf !== undefined;
}

function showChoices(choices: readonly Choice[], titled: 'oneOf' | 'anyOf'): Shown {
  const areTexts = choices.length > 0 && choices.every(({ value }) => typeof value === 'string');
  return areTexts
    ? { schema: choiceKeywords(choices, titled) }
    : { refusal: 'has choices that are no texts' };
}

function showList(schema: JsonSchema, resolve: Resolve): Shown {
  const items = typeof schema.items === 'object' ? resolve(schema.items) : {};
  const choices = choicesOf(items);
  if (choices === undefined) return { refusal: 'is a list of something else than choices' };
  const shown = showChoices(choices, 'anyOf');
  if ('refusal' in shown) return shown;
  const sizes = pick(schema, ['minItems', 'maxItems'], 'number');
  return { schema: { type: 'array', ...sizes, items: shown.schema } };
}

/** Of strings that differ in format, the first: every answer to a form for it passes the check. */
function ofOneFormat(schema: JsonSchema): JsonSchema {
  const { anyOf = [], ...rest } = schema;
  const areFormats = anyOf.every(({ type = rest.type, format }) => type === 'string' && format !== undefined);
  if (anyOf.length === 0 || !areFormats) return schema;
  return { ...rest, ...(anyOf.find(({ format }) => FORMATS.has(format)) ?? anyOf[0]) };
}

function formatOf({ format }: JsonSchema): JsonSchema {
  return FORMATS.has(format) ? { format } : {};
}

/** Forms have no exclusive bounds. For integers the next integer is equivalent; for other numbers it is close. */
function boundsOf(schema: JsonSchema, type: 'integer' | 'number'): JsonSchema {
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum } = schema;
  const step = type === 'integer' ? 1 : 0;
  const lowest = [minimum, typeof above === 'number' ? above + step : undefined].filter(isNumber);
  const highest = [maximum, typeof below === 'number' ? below - step : undefined].filter(isNumber);
  return {
    ...(lowest.length === 0 ? {} : { minimum: Math.max(...lowest) }),
    ...(highest.length === 0 ? {} : { maximum: Math.min(...highest) }),
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** A default of another kind would make the whole request invalid. */
function fits(value: unknown, { type, enum: choices, oneOf, items }: JsonSchema): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type !== 'array') {
    const allowed = choices ?? oneOf?.map((option) => option.const);
    return typeof value === type && (allowed === undefined || allowed.includes(value));
  }
  const item = items as JsonSchema;
  const allowed = item.enum ?? item.anyOf?.map((option) => option.const) ?? [];
  return Array.isArray(value) && value.every((each) => allowed.includes(each));
}

function pick(schema: JsonSchema, keywords: readonly string[], type: 'string' | 'number'): JsonSchema {
  return Object.fromEntries(
    keywords.flatMap((name) => (typeof schema[name] === type ? [[name, schema[name]]] : [])),
  );
}

/** One of the values that a field may have. */
interface Choice {
  readonly value: unknown;
  /** How a form shows it. */
  readonly title: string | undefined;
}

/** Every value that a schema lists, or undefined when it does more than list values. */
function choicesOf({ const: only, enum: values, anyOf, oneOf }: JsonSchema): readonly Choice[] | undefined {
  if (only !== undefined) return [{ value: only, title: undefined }];
  if (values !== undefined) return values.map((value) => ({ value, title: undefined }));
  const branches = anyOf ?? oneOf ?? [];
  const found = branches.map((branch) =>
    branch.const === undefined ? choicesOf(branch) : [{ value: branch.const, title: branch.title }],
  );
  return found.length > 0 && found.every((each) => each !== undefined) ? found.flat() : undefined;
}

/** The keywords for a choice of strings; `titled` is the keyword that lists them with titles. */
function choiceKeywords(choices: readonly Choice[], titled: 'oneOf' | 'anyOf'): JsonSchema {
  const values = choices.map(({ value }) => String(value));
  if (choices.every(({ title }) => title === undefined))
    return { type: 'string', enum: [...new Set(values)] };
  const options = choices.map(({ title }, index) => ({
    const: values[index],
    title: title ?? values[index] ?? '',
  }));
  return titled === 'oneOf' ? { type: 'string', oneOf: options } : { anyOf: options };
}

/** The titles of an `enum` in a list beside it, as clients before 2025-11-25 read them. */
function legacyTitles({ enum: values = [], enumNames: titles }: JsonSchema): JsonSchema {
  const isComplete =
    Array.isArray(titles) && titles.length === values.length && new Set(values).size === values.length;
  return isComplete && titles.every((title) => typeof title === 'string') ? { enumNames: titles } : {};
}

/** A field without null among its values, and whether null was among them. */
interface NonNullField {
  readonly schema: JsonSchema;
  readonly isNullable: boolean;
}

/** Removes null from a schema, because a form cannot express it. */
function withoutNull(field: JsonSchema, resolve: Resolve): NonNullField {
  const own = withoutOwnNull(field);
  const { anyOf, oneOf, ...rest } = own.schema;
  const branches = (anyOf ?? oneOf)?.map(resolve);
  if (branches === undefined) return own;
  const left = branches.filter((branch) => branch.type !== 'null');
  const isNullable = own.isNullable || left.length < branches.length;
  const [only] = left;
  if (left.length > 1 || only === undefined) return { schema: { ...rest, anyOf: left }, isNullable };
  const inner = withoutNull(only, resolve);
  return { schema: { ...inner.schema, ...rest }, isNullable: isNullable || inner.isNullable };
}

/** Removes null from `type`, `enum` and `default`. */
function withoutOwnNull({ type, enum: values, default: initial, ...rest }: JsonSchema): NonNullField {
  const types = [type ?? []].flat();
  const schema = {
    ...rest,
    ...typeKeyword(types.filter((name) => name !== 'null')),
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
    ...(initial === undefined || initial === null ? {} : { default: initial }),
  };
  return { schema, isNullable: types.includes('null') || values?.includes(null) === true };
}

/** Every integer is a number, so the two together are one type. */
function typeKeyword(types: readonly string[]): JsonSchema {
  const wide = types.includes('number') ? types.filter((name) => name !== 'integer') : types;
  const [only] = wide;
  if (only === undefined) return {};
  return { type: wide.length === 1 ? only : wide };
}
