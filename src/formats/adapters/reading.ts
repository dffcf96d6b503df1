import { exceededLimit, type JsonLimits } from '../../schema/limits.ts';
import { pointTo } from '../../schema/pointer.ts';
import { checkSchema } from '../../schema/references.ts';
import { ExternalRefError, InvalidSchemaError, SchemaTooLargeError } from '../../schema/schema-errors.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import { copyJson, isPlainObject, type PlainObject } from '../../shared/json.ts';
import { describeValue } from '../../shared/describe-value.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import type { Conversion } from '../errors.ts';

/** What may be read at once: a card with many tools, each with a schema of the largest size that is likely. */
const INPUT_LIMITS: JsonLimits = Object.freeze({ bytes: 16_777_216, depth: 128, nodes: 1_000_000 });

/** Reads the members of one object, and says where the fault is when one is wrong. */
export class Reading {
  readonly #members: PlainObject;
  readonly #read = new Set<string>();

  constructor(
    readonly conversion: Conversion,
    members: PlainObject,
    readonly path: string,
  ) {
    this.#members = members;
  }

  /** The members that were not read, copied. */
  get others(): PlainObject {
    const others = Object.entries(this.#members).filter(([key]) => !this.#read.has(key));
    return this.#copy(Object.fromEntries(others), this.path);
  }

  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  /** A member as it is; one that is null is absent. */
  value(key: string): unknown {
    this.#read.add(key);
    const value = Object.hasOwn(this.#members, key) ? this.#members[key] : undefined;
    return value === null ? undefined : value;
  }

  pointTo(key: string): string {
    return pointTo(this.path, key);
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    return value === undefined || typeof value === 'string' ? value : this.#refuse(key, 'text');
  }

  flag(key: string): boolean | undefined {
    const value = this.value(key);
    return value === undefined || typeof value === 'boolean' ? value : this.#refuse(key, 'true or false');
  }

  object(key: string): PlainObject | undefined {
    const value = this.value(key);
    return value === undefined || isPlainObject(value)
      ? this.#copy(value, this.pointTo(key))
      : this.#refuse(key, 'an object');
  }

  list(key: string): readonly unknown[] | undefined {
    const value = this.value(key);
    return value === undefined || Array.isArray(value)
      ? this.#copy(value as readonly unknown[] | undefined, this.pointTo(key))
      : this.#refuse(key, 'a list');
  }

  texts(key: string): readonly string[] | undefined {
    const list = this.list(key);
    const isRight = list?.every((each) => typeof each === 'string') !== false;
    return isRight ? list : this.#refuse(key, 'a list of texts');
  }

  objects(key: string): readonly PlainObject[] | undefined {
    const list = this.list(key);
    return list?.every(isPlainObject) === false ? this.#refuse(key, 'a list of objects') : list;
  }

  /** The objects of a list, each to be read on its own. */
  items(key: string): readonly Reading[] | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every(isPlainObject)) return this.#refuse(key, 'a list of objects');
    return value.map(
      (each, position) => new Reading(this.conversion, each, pointTo(this.pointTo(key), position)),
    );
  }

  /** A text that has to be there. */
  name(key = 'name'): string {
    const value = this.value(key);
    if (typeof value === 'string' && value !== '') return value;
    return this.conversion.fail('NAME_REQUIRED', this.pointTo(key), 'the tool has no name.');
  }

  schema(key: string): RawSchema | undefined {
    this.#read.add(key);
    const value = Object.hasOwn(this.#members, key) ? this.#members[key] : undefined;
    return value === undefined ? undefined : readSchema(this.conversion, value, this.pointTo(key));
  }

  /** The members of an object in this one. */
  inner(key: string): Reading | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (!isPlainObject(value)) return this.#refuse(key, 'an object');
    return new Reading(this.conversion, value, this.pointTo(key));
  }

  #copy<Value>(value: Value, path: string): Value {
    checkInputSize(this.conversion, value, path);
    return copyJson(value);
  }

  #refuse(key: string, expected: string): never {
    const path = this.pointTo(key);
    return this.conversion.fail('INVALID_INPUT', path, `${path} is not ${expected}.`);
  }
}

/** Begins to read what a caller gave. */
export function readObject(conversion: Conversion, raw: unknown): Reading {
  if (!isPlainObject(raw)) {
    return conversion.fail('INVALID_INPUT', '', `${describeValue(raw)} is not an object.`);
  }
  return new Reading(conversion, raw, '');
}

/** Refuses what is too large to be copied. */
export function checkInputSize(conversion: Conversion, value: unknown, path: string): void {
  const excess = exceededLimit(value, INPUT_LIMITS);
  if (excess !== undefined) conversion.fail('INVALID_INPUT', path, `the input ${excess}.`);
}

/** A copy of a schema that is within the limits and refers to nothing but itself. */
export function readSchema(conversion: Conversion, schema: unknown, path: string): RawSchema {
  if (typeof schema !== 'boolean' && !isPlainObject(schema)) {
    return conversion.fail('INVALID_SCHEMA', path, `${path} is neither an object nor a boolean.`);
  }
  try {
    checkSchema(schema);
  } catch (error) {
    const isSchemaError = [SchemaTooLargeError, ExternalRefError, InvalidSchemaError].find(
      (type) => error instanceof type,
    );
    if (isSchemaError === undefined) throw error;
    const { code, path: inside } = error as SchemaTooLargeError | ExternalRefError | InvalidSchemaError;
    return conversion.fail(code, `${path}${inside}`, error);
  }
  return copyJson(schema);
}

/** A copy of a canonical tool; everything that adapters rely on was checked. */
export function checkCanonical(conversion: Conversion, tool: unknown): CanonicalTool {
  if (!isPlainObject(tool))
    return conversion.fail('INVALID_INPUT', '', 'the canonical tool is not an object.');
  const { name, inputSchema = { type: 'object' }, outputSchema, source, ...fields } = tool;
  if (typeof name !== 'string' || name === '') {
    return conversion.fail('NAME_REQUIRED', '/name', 'the tool has no name.');
  }
  const checked = {
    inputSchema: readSchema(conversion, inputSchema, '/inputSchema'),
    ...(outputSchema !== undefined && {
      outputSchema: readSchema(conversion, outputSchema, '/outputSchema'),
    }),
  };
  checkInputSize(conversion, [fields, source], '');
  for (const [field, isRight] of Object.entries(FIELDS)) {
    const value = fields[field];
    if (value === undefined || isRight(value)) continue;
    return conversion.fail('INVALID_INPUT', `/${field}`, `/${field} is of the wrong kind.`);
  }
  return { ...copyJson(fields), name, ...checked, ...sourceOf(source) };
}

function sourceOf(source: unknown): Pick<CanonicalTool, 'source'> {
  if (!isPlainObject(source)) return {};
  const { format, extra } = source;
  return {
    source: {
      format: typeof format === 'string' ? format : 'canonical',
      extra: isPlainObject(extra) ? copyJson(extra) : {},
    },
  };
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  namespace: isText,
  version: isText,
  title: isText,
  description: isText,
  summary: isText,
  category: isText,
  tags: isTexts,
  inputModes: isTexts,
  outputModes: isTexts,
  requiredScopes: isTexts,
  examples: Array.isArray,
  icons: Array.isArray,
  securityRequirements: Array.isArray,
  annotations: isPlainObject,
  uiHints: isPlainObject,
  securitySchemes: isPlainObject,
};
