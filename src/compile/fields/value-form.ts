import { definitionName, type Definitions } from '../../schema/definitions.ts';
import { subjectOf } from '../../schema/keywords.ts';
import { toSchemaObject, type Schema } from '../../schema/subschemas.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';

/** The types that values are distinguished by; an integer is a number. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

/** One way a field's value may look: a type and what limits it. */
export interface Shape {
  readonly kind: Kind;
  readonly isInteger: boolean;
  /** The allowed values; undefined when every value of the type is allowed. */
  readonly values: readonly unknown[] | undefined;
  /** The keywords that apply to this type, as declared. */
  readonly keywords: ReadonlyMap<string, unknown>;
}

/** What a schema accepts: any of the shapes; `any` when it names no type. */
export type Form = 'any' | readonly Shape[];

/** The types of a form, each once, in order of first appearance. */
export function kindsOf(shapes: readonly Shape[]): readonly Kind[] {
  return [...new Set(shapes.map(({ kind }) => kind))];
}

function kindOfValue(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** The types of a form for a message: `string | null`. */
export function describeForm(form: Form): string {
  if (form === 'any') return 'any';
  if (form.length === 0) return 'never';
  return kindsOf(form)
    .map((kind) =>
      typeName(
        kind,
        form.filter((shape) => shape.kind === kind),
      ),
    )
    .join(' | ');
}

/** The value of `type` for shapes of one kind. */
function typeName(kind: Kind, shapes: readonly Shape[]): string {
  return kind === 'number' && shapes.every(({ isInteger }) => isInteger) ? 'integer' : kind;
}

/** A shape and its owner. */
export interface OwnedShape {
  readonly by: string;
  readonly shape: Shape;
}

const KINDS: ReadonlySet<string> = new Set<Kind>(['string', 'number', 'boolean', 'null', 'object', 'array']);
/** Keywords about the values that other keywords leave over cannot be merged. */
const NOT_MERGED = new Set(['unevaluatedProperties', 'unevaluatedItems', 'additionalItems', 'dependencies']);

/**
 * Reads a schema as a list of shapes. Where a schema says more than shapes can (`not`, `if`, intersections),
 * the form accepts more than the schema, never less.
 */
export function readForm(
  schema: Schema,
  definitions: Definitions,
  entered: ReadonlySet<string> = new Set(),
): Form {
  if (schema === true) return 'any';
  if (schema === false || acceptsNothing(schema.not)) return [];
  const read = (part: Schema): Form => readForm(part, definitions, entered);
  let form = readOwn(schema);
  if (schema.$ref !== undefined) form = narrow(form, readReference(schema.$ref, definitions, entered));
  for (const part of schema.allOf ?? []) form = narrow(form, read(part));
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (branches !== undefined) form = narrow(form, widen(branches.map(read)));
  }
  return form;
}

function acceptsNothing(not: unknown): boolean {
  return not === true || (isPlainObject(not) && Object.keys(not).length === 0);
}

function readOwn(schema: JsonSchema): Form {
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types === undefined && values === undefined) return 'any';
  const kinds =
    types?.map((type) => (type === 'integer' ? 'number' : type) as Kind) ?? values?.map(kindOfValue);
  return [...new Set(kinds)].filter(isKind).flatMap((kind): readonly Shape[] => {
    const ofKind = values?.filter((value) => kindOfValue(value) === kind);
    if (ofKind?.length === 0) return [];
    const isInteger = kind === 'number' && isIntegerOnly(types, ofKind);
    return [{ kind, isInteger, values: ofKind, keywords: keywordsFor(kind, schema) }];
  });
}

// A schema that nobody validated may name a type that does not exist.
function isKind(kind: Kind): boolean {
  return KINDS.has(kind);
}

function isIntegerOnly(
  types: readonly string[] | undefined,
  values: readonly unknown[] | undefined,
): boolean {
  if (types !== undefined) return !types.includes('number');
  return values?.every(Number.isInteger) ?? false;
}

function keywordsFor(kind: Kind, schema: JsonSchema): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(schema).filter(([keyword]) => isAbout(keyword, kind)));
}

function isAbout(keyword: string, kind: Kind): boolean {
  if (keyword === 'format') return kind === 'string' || kind === 'number';
  return subjectOf(keyword) === kind && !NOT_MERGED.has(keyword);
}

// Only the types of a recursive type are read: its members would never end.
function readReference(reference: string, definitions: Definitions, entered: ReadonlySet<string>): Form {
  const name = definitionName(reference);
  const target = definitions.get(name);
  if (target === undefined || entered.has(name)) return 'any';
  const form = readForm(toSchemaObject(target), definitions, new Set([...entered, name]));
  if (form === 'any') return form;
  return form.map((shape) => ({ ...shape, values: undefined, keywords: new Map() }));
}

function widen(forms: readonly Form[]): Form {
  const shapes: Shape[] = [];
  for (const form of forms) {
    if (form === 'any') return 'any';
    shapes.push(...form);
  }
  return shapes;
}

function narrow(left: Form, right: Form): Form {
  if (left === 'any') return right;
  if (right === 'any') return left;
  const kinds = new Set(left.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const lefts = left.filter((shape) => shape.kind === kind);
    const rights = right.filter((shape) => shape.kind === kind);
    return rights.length === 0 || lefts.every(isUnlimited) ? rights : lefts;
  });
}

function isUnlimited({ isInteger, values, keywords }: Shape): boolean {
  return !isInteger && values === undefined && keywords.size === 0;
}

/** Writes shapes, one for each type, as the plainest schema that accepts them. */
export function printForm(shapes: readonly Shape[]): JsonSchema {
  const [first] = shapes;
  if (first === undefined) return { not: {} };
  if (shapes.length === 1) return printShape(first);
  const keywords = joinKeywords(shapes);
  if (keywords === undefined) return printUnion(shapes);
  const type = shapes.map((shape) => typeName(shape.kind, [shape]));
  // null has one value, so it fits beside types and beside enums
  const others = shapes.filter(({ kind }) => kind !== 'null');
  if (others.every(({ values }) => values === undefined)) return { type, ...keywords };
  if (others.some(({ values }) => values === undefined)) return printUnion(shapes);
  return { type, enum: shapes.flatMap(({ values }) => values ?? [null]), ...keywords };
}

/** Writes shapes as a choice between them. @param notes what is said of each; none where they are left out */
export function printUnion(shapes: readonly Shape[], notes: readonly string[] = []): JsonSchema {
  return {
    anyOf: shapes.map((shape, index) => {
      const description = notes[index] ?? '';
      return { ...printShape(shape), ...(description === '' ? {} : { description }) };
    }),
  };
}

function printShape(shape: Shape): JsonSchema {
  return {
    type: typeName(shape.kind, [shape]),
    ...(shape.values === undefined || shape.kind === 'null' ? {} : { enum: shape.values }),
    ...Object.fromEntries(shape.keywords),
  };
}

/**
 * A keyword concerns values of its type only, so one schema can hold the keywords of all types.
 * `format` has values for strings and others for numbers; two of them do not fit into one schema.
 */
function joinKeywords(shapes: readonly Shape[]): Readonly<Record<string, unknown>> | undefined {
  const joined = new Map<string, unknown>();
  for (const [keyword, value] of shapes.flatMap(({ keywords }) => [...keywords])) {
    if (joined.has(keyword) && canonicalJson(joined.get(keyword)) !== canonicalJson(value)) return undefined;
    joined.set(keyword, value);
  }
  return Object.fromEntries(joined);
}
