import { pointTo } from '../../schema/pointer.ts';
import { hasMoreValues, isPlainObject } from '../../shared/json.ts';
import { isStandardSchema, type StandardSchema } from '../../shared/schema-source.ts';

/** An issue as https://standardschema.dev has it, with the extras of zod that are read here. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
  readonly code?: unknown;
  /** zod: the names of `unrecognized_keys`. */
  readonly keys?: readonly string[];
  /** zod: what an `invalid_value` may be. */
  readonly values?: readonly unknown[];
  /** zod: the issues of each branch of an `invalid_union`. */
  readonly errors?: readonly (readonly StandardIssue[])[];
}

/** The part of a zod 4 schema that is read here; https://zod.dev/library-authors calls `_zod.def` stable. */
interface ZodSchema extends StandardSchema {
  readonly _zod: { readonly def: ZodDefinition };
  readonly clone: (definition: ZodDefinition) => ZodSchema;
  readonly loose?: () => ZodSchema;
  readonly safeParse?: (value: unknown) => unknown;
}

interface ZodDefinition {
  readonly type: string;
  /** Of an object: its fields, and the schema of all others. */
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly catchall?: unknown;
  /** Of a pipe: the schema of its input, and the schema that gets the result. */
  readonly in?: unknown;
  readonly out?: unknown;
  /** Of an intersection. */
  readonly left?: unknown;
  readonly right?: unknown;
  /** Of an array. */
  readonly element?: unknown;
  /** Of a record. */
  readonly keyType?: unknown;
  readonly valueType?: unknown;
  /** Of a wrapper, such as `optional`. */
  readonly innerType?: unknown;
  readonly getter?: () => unknown;
  readonly format?: unknown;
  /** Of a union, and of a tuple. */
  readonly options?: readonly unknown[];
  readonly items?: readonly unknown[];
  readonly rest?: unknown;
  /** Of `z.coerce`. */
  readonly coerce?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheck } }[];
}

interface ZodCheck {
  readonly check: string;
  readonly maximum?: unknown;
  readonly length?: unknown;
}

function isZod(schema: unknown): schema is ZodSchema {
  return (
    isStandardSchema(schema) && schema['~standard'].vendor === 'zod' && '_zod' in schema && 'clone' in schema
  );
}

/** The first issues of a value, found one by one; empty where the library has to decide. */
type EarlyIssues = (value: object) => Iterable<StandardIssue>;

/** For this many values, zod creates all issues without a noticeable delay. */
const FEW = 2000;

/** A part with at most this many values is checked in one go. */
const SMALL = 64;

/** A part of a value, and the schema that zod would check it with. */
interface Part {
  readonly schema: unknown;
  readonly value: unknown;
  /** Where it is in the value; undefined where it is the value itself. */
  readonly key?: PropertyKey;
}

type Path = readonly PropertyKey[];

/**
 * zod creates an issue for each mistake. A value may have a hundred thousand of them, but fifty are enough to report.
 * So a large value is first split along lists and objects, as zod does, and its small parts are checked one by one:
 * an issue of a part is an issue of the whole. If no part has one, the whole value is checked.
 */
export function createEarlyIssues(source: StandardSchema): EarlyIssues {
  let isUseful = isZod(source);
  return function* (value) {
    if (!isUseful || !hasMoreValues(value, FEW)) return;
    try {
      yield* issuesIn(source, value, []);
    } catch (thrown) {
      // checking the parts and then the whole may query a database twice
      if (thrown instanceof NeedsPromise) isUseful = false;
    }
  };
}

function* issuesIn(schema: unknown, value: unknown, path: Path): Generator<StandardIssue> {
  if (!isZod(schema)) return;
  if (!isLarge(value)) yield* issuesOf(schema, value, path);
  else {
    for (const part of partsOf(schema._zod.def, value)) {
      yield* issuesIn(part.schema, part.value, part.key === undefined ? path : [...path, part.key]);
    }
  }
}

function isLarge(value: unknown): value is object {
  return typeof value === 'object' && value !== null && hasMoreValues(value, SMALL);
}

/** Thrown where a part cannot be checked synchronously. */
class NeedsPromise extends Error {}

function* issuesOf(schema: ZodSchema, value: unknown, outer: Path): Generator<StandardIssue> {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise) {
    result.catch(() => undefined);
    throw new NeedsPromise();
  }
  const { issues = [] } = result as { readonly issues?: readonly StandardIssue[] };
  for (const issue of issues) {
    const { path = [] } = issue;
    yield { ...issue, path: [...outer, ...path] };
  }
}

/** Wrappers that check every value but null and undefined with the inner schema. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'default',
  'nonoptional',
  'nullable',
  'optional',
  'prefault',
  'readonly',
]);

/** The parts that zod checks regardless of issues in the others; none for a schema that may not check them all. */
function* partsOf(definition: ZodDefinition, value: object): Generator<Part> {
  if (definition.type === 'array') {
    if (Array.isArray(value) && !isTooLong(definition, value)) yield* itemsOf(definition, value);
  } else if (definition.type === 'object' || definition.type === 'record') {
    if (isPlainObject(value)) yield* membersOf(definition, value);
  } else {
    for (const schema of aroundWhat(definition)) yield { schema, value };
  }
}

/** The schemas that check the same value. */
function aroundWhat({ type, innerType, left, right, getter, in: input }: ZodDefinition): readonly unknown[] {
  if (WRAPPERS.has(type)) return [innerType];
  if (type === 'intersection') return [left, right];
  if (type === 'lazy') return [getter?.()];
  return type === 'pipe' ? [input] : [];
}

/** For a list that is too long, zod reports nothing else. */
function isTooLong({ checks = [] }: ZodDefinition, items: readonly unknown[]): boolean {
  return checks.some(({ _zod: { def } }) => {
    const most = def.maximum ?? def.length;
    return typeof most === 'number' && items.length > most;
  });
}

function* itemsOf({ element }: ZodDefinition, items: readonly unknown[]): Generator<Part> {
  for (const [key, value] of items.entries()) yield { schema: element, value, key };
}

function* membersOf(definition: ZodDefinition, members: Readonly<Record<string, unknown>>): Generator<Part> {
  const { type, shape = {}, catchall } = definition;
  const further = type === 'record' ? valueTypeOf(definition) : catchall;
  for (const key of Object.keys(members)) {
    const schema = Object.hasOwn(shape, key) ? shape[key] : further;
    // an unknown name is reported as unknown; `never` would report its value instead
    const isAsked = key !== '__proto__' && isZod(schema) && schema._zod.def.type !== 'never';
    if (isAsked) yield { schema, value: members[key], key };
  }
}

/** Undefined where the names decide which values are checked. */
function valueTypeOf({ keyType, valueType }: ZodDefinition): unknown {
  if (!isZod(keyType)) return undefined;
  const { type, checks = [], format } = keyType._zod.def;
  return type === 'string' && checks.length === 0 && format === undefined ? valueType : undefined;
}

/** Whether a check throws before it waits for anything. */
export function throwsAtOnce(source: StandardSchema, value: unknown): boolean {
  try {
    // By the standard, zod tries again asynchronously what has thrown
    if (isZod(source) && source.safeParse !== undefined) {
      source.safeParse(value);
      return false;
    }
    const result = source['~standard'].validate(value);
    if (result instanceof Promise) result.catch(() => undefined);
    return false;
  } catch (error) {
    return !(error instanceof Error && error.constructor.name === '$ZodAsyncError');
  }
}

/**
 * The pointer to the innermost schema for which `isFaulty`, which is true of the given one: zod names what it cannot
 * express, and no place.
 */
export function faultyPlace(
  schema: unknown,
  isFaulty: (schema: StandardSchema) => boolean,
  path = '',
  entered: ReadonlySet<unknown> = new Set(),
): string {
  const inner = isZod(schema) && !entered.has(schema) ? membersOfZod(schema._zod.def) : [];
  for (const [place, member] of inner) {
    if (!isZod(member) || !isFaulty(member)) continue;
    return faultyPlace(member, isFaulty, pointTo(path, ...place), new Set([...entered, schema]));
  }
  return path;
}

/**
 * True for a zod schema with `z.coerce` in it. Not where the author converts as well (`z.preprocess`): that is meant for
 * values of other types.
 */
export function coerces(schema: unknown): boolean {
  const kinds = new Set<'coerces' | 'converts'>();
  const entered = new Set<unknown>();
  const visit = (one: unknown): void => {
    if (!isZod(one) || entered.has(one)) return;
    entered.add(one);
    const { def } = one._zod;
    if (def.coerce === true) kinds.add('coerces');
    if (def.type === 'pipe' && isZod(def.in) && def.in._zod.def.type === 'transform') kinds.add('converts');
    for (const [, member] of membersOfZod(def)) visit(member);
  };
  visit(schema);
  return kinds.has('coerces') && !kinds.has('converts');
}

type Member = readonly [place: readonly (string | number)[], schema: unknown];

/** The schemas in a schema, at the places that they have in its JSON Schema. */
function membersOfZod(definition: ZodDefinition): readonly Member[] {
  const {
    shape = {},
    catchall,
    element,
    keyType,
    valueType,
    left,
    right,
    options = [],
    items = [],
    rest,
  } = definition;
  return [
    ...Object.entries(shape).map(([name, field]): Member => [['properties', name], field]),
    ...options.map((option, index): Member => [['anyOf', index], option]),
    ...items.map((item, index): Member => [['prefixItems', index], item]),
    [['items'], element],
    [['items'], rest],
    [['propertyNames'], keyType],
    [['additionalProperties'], valueType],
    [['additionalProperties'], catchall],
    [['allOf', 0], left],
    [['allOf', 1], right],
    [[], definition.innerType],
    [[], definition.in],
    [[], definition.type === 'lazy' ? definition.getter?.() : definition.out],
  ];
}

/**
 * A zod schema without some of its top-level fields; values under their names pass unchanged.
 * Unlike `.omit()`, it keeps refinements. Undefined for a schema of another library or kind.
 */
export function omitFromZod(schema: unknown, names: readonly string[]): StandardSchema | undefined {
  try {
    return omit(schema, names);
  } catch {
    return undefined;
  }
}

function omit(schema: unknown, names: readonly string[]): ZodSchema | undefined {
  if (!isZod(schema)) return undefined;
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return omitFields(schema, names);
    case 'pipe': {
      const input = omit(def.in, names);
      if (input !== undefined) return schema.clone({ ...def, in: input });
      const output = omit(def.out, names);
      return output && schema.clone({ ...def, out: output });
    }
    case 'intersection': {
      const [left, right] = [omit(def.left, names), omit(def.right, names)];
      return left && right && schema.clone({ ...def, left, right });
    }
    default:
      return undefined;
  }
}

function omitFields(schema: ZodSchema, names: readonly string[]): ZodSchema {
  const { def } = schema._zod;
  const shape = Object.fromEntries(Object.entries(def.shape ?? {}).filter(([name]) => !names.includes(name)));
  const rest = schema.clone({ ...def, shape });
  const isClosed =
    def.catchall === undefined || (isZod(def.catchall) && def.catchall._zod.def.type === 'never');
  return isClosed ? (rest.loose?.() ?? rest) : rest;
}
