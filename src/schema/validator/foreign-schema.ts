import type { ErrorObject } from 'ajv';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { canonicalCopy } from '../canonical.ts';
import { type Dialect, holderOf, isChecked } from '../keywords.ts';
import { checkSchemaLimits, SCHEMA_LIMITS } from '../limits.ts';
import { valueAt, pointTo } from '../pointer.ts';
import { InvalidSchemaError, SchemaTooLargeError } from '../schema-errors.ts';
import { type RawSchema, mapHeld } from '../subschemas.ts';
import { createAjv } from './ajv.ts';
import { checkAgainstDialect, checkDialect } from './dialects.ts';
import { checkCycles, linkSchema, type SchemaLinks } from '../links.ts';
import { PatternSet } from '../patterns/linear-pattern.ts';
import { limitMessage, reachedLimit, StepBudget, withSteps } from './steps.ts';
import { isKnownFormat } from './formats.ts';

/** One error of a value. */
export interface ValidationError {
  /** An RFC 6901 pointer into the value; `""` is the value itself. */
  readonly path: string;
  /** The keyword that failed; `limit` when the value could not be checked to the end. */
  readonly keyword: string;
  /** What is wrong with the value, in a sentence. */
  readonly message: string;
  /** The requirement of the keyword, such as `{ missingProperty: 'name' }`. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** The errors of a value; none if it is valid. */
export interface ValidationResult {
  /** Whether the data fits the schema. */
  readonly valid: boolean;
  /** What is wrong; empty if nothing is. */
  readonly errors: readonly ValidationError[];
}

/** A schema that was compiled once. */
export interface CompiledSchema {
  /** Checks data against the schema; it reports what is wrong and does not throw for it. */
  validate(data: unknown): ValidationResult;
}

/**
 * The canonical copy of a schema that is an object, a boolean, or JSON text of either.
 * @throws InvalidSchemaError, SchemaTooLargeError
 */
export function readSchema(source: unknown): RawSchema {
  const schema = typeof source === 'string' ? parseText(source) : source;
  if (typeof schema === 'boolean') return schema;
  if (!isPlainObject(schema)) {
    throw new InvalidSchemaError({ path: '', what: 'is neither an object nor a boolean.' });
  }
  checkSchemaLimits(schema);
  return canonicalCopy(schema) as RawSchema;
}

function parseText(text: string): unknown {
  if (text.length > SCHEMA_LIMITS.bytes) {
    throw new SchemaTooLargeError({ path: '', what: `is longer than ${String(SCHEMA_LIMITS.bytes)} bytes.` });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidSchemaError({ path: '', what: 'is text that is not JSON.', cause });
  }
}

/**
 * Compiles an untrusted schema that `readSchema` has returned. Whatever it contains, nothing is loaded, and time and
 * memory are limited.
 * @param hasTrustedPatterns whether patterns run on the engine of JavaScript, which may take years for some of them
 * @throws InvalidSchemaError, UnsupportedDialectError, ExternalRefError, UnsafePatternError, SchemaTooLargeError
 */
export function compileForeignSchema(schema: RawSchema, hasTrustedPatterns: boolean): CompiledSchema {
  const dialect = checkDialect(schema);
  const links = linkSchema(schema, dialect);
  for (const path of ['', ...links.outside]) checkAgainstDialect(valueAt(schema, path), path, dialect);
  checkCycles(links, dialect);
  const budget = new StepBudget();
  const patterns = new PatternSet(hasTrustedPatterns, budget);
  // Errors carry parts of it to the caller
  const rebuilt = deepFreeze(rebuildSchema(schema, { dialect, links, patterns }));
  const validate = compileRebuilt(rebuilt, { dialect, patterns, budget });
  return Object.freeze({ validate: (data: unknown) => run(validate, data, budget) });
}

interface Parts {
  readonly dialect: Dialect;
  readonly patterns: PatternSet;
  readonly budget: StepBudget;
}

type Validate = ((data: unknown) => unknown) & { errors?: readonly ErrorObject[] | null };

function compileRebuilt(schema: RawSchema, { dialect, patterns, budget }: Parts): Validate {
  const settings = { schema, dialect, budget, patternOf: (source: string) => patterns.get(source) };
  // Copies of a large definition in all places that refer to it would take forever to compile
  const ajv = createAjv(settings, { allErrors: true, inlineRefs: false, code: { optimize: false } });
  try {
    return ajv.compile(schema) as Validate;
  } catch (cause) {
    throw compileError(cause);
  }
}

function compileError(cause: unknown): Error {
  if (reachedLimit(cause) !== undefined) {
    const what = 'has too many alternatives in one place, or too long a chain of references.';
    return new SchemaTooLargeError({ path: '', what, cause });
  }
  const what = `cannot be compiled: ${cause instanceof Error ? cause.message : String(cause)}.`;
  return new InvalidSchemaError({ path: '', what, cause });
}

function run(validate: Validate, data: unknown, budget: StepBudget): ValidationResult {
  budget.restart();
  try {
    if (validate(data) === true) return { valid: true, errors: [] };
    return { valid: false, errors: (validate.errors ?? []).map(toError) };
  } catch (failure) {
    const limit = reachedLimit(failure);
    if (limit === undefined) throw failure;
    const error = { path: '', keyword: 'limit', message: limitMessage(limit), params: { limit } };
    return { valid: false, errors: [error] };
  } finally {
    // Errors refer to the value
    validate.errors = null;
  }
}

function toError({ instancePath, keyword, message = '', params }: ErrorObject): ValidationError {
  return { path: instancePath, keyword, message, params: params as ValidationError['params'] };
}

/** What is needed to rebuild a schema. */
interface SchemaParts {
  readonly dialect: Dialect;
  readonly links: SchemaLinks;
  readonly patterns: PatternSet;
}

/**
 * A schema with the same meaning, made of validation keywords alone, so that nothing depends on how ajv treats
 * annotations, `id`, `$async`, ids and anchors. The targets of references are in `$defs` under new names, and every
 * schema counts its steps.
 * @throws InvalidSchemaError, UnsafePatternError
 */
function rebuildSchema(root: RawSchema, parts: SchemaParts): RawSchema {
  return typeof root === 'boolean' ? root : new Rebuilder(root, parts).whole();
}

class Rebuilder {
  readonly #root: RawSchema;
  readonly #parts: SchemaParts;
  readonly #names = new Map<string, string>();

  constructor(root: RawSchema, parts: SchemaParts) {
    this.#root = root;
    this.#parts = parts;
  }

  whole(): PlainObject {
    const rebuilt = this.#rebuild(this.#root, '') as PlainObject;
    const definitions: Record<string, unknown> = {};
    // Grows while it is read: definitions refer to further ones
    for (const [path, name] of this.#names)
      definitions[name] = this.#rebuild(valueAt(this.#root, path), path);
    return { ...rebuilt, $defs: definitions };
  }

  #rebuild(schema: unknown, path: string): unknown {
    if (!isPlainObject(schema)) return schema;
    const { dialect, links, patterns } = this.#parts;
    const [first, ...others] = links.targetsOf(path).map((target) => ({ $ref: this.#referenceTo(target) }));
    if (first !== undefined && dialect === 'draft-07') return first;
    const rebuilt: Record<string, unknown> = { ...first };
    for (const [keyword, value] of Object.entries(schema)) {
      const kept = this.#keep(keyword, value, pointTo(path, keyword), schema);
      if (kept !== undefined) rebuilt[keyword] = kept;
    }
    if (others.length > 0) rebuilt.allOf = [...((rebuilt.allOf ?? []) as readonly unknown[]), ...others];
    return withSteps(sayPrototypeName(rebuilt, path, patterns));
  }

  #keep(keyword: string, value: unknown, path: string, schema: PlainObject): unknown {
    if (!isChecked(keyword, this.#parts.dialect)) return undefined;
    this.#addPatterns(keyword, value, path);
    if (holderOf(keyword) === undefined) return isMeant(keyword, value, schema) ? value : undefined;
    return mapHeld(keyword, value, (held, ...tokens) => this.#rebuild(held, pointTo(path, ...tokens)));
  }

  #addPatterns(keyword: string, value: unknown, path: string): void {
    const { patterns } = this.#parts;
    if (keyword === 'pattern') patterns.add(String(value), path);
    if (keyword !== 'patternProperties') return;
    for (const source of Object.keys(value as PlainObject)) patterns.add(source, pointTo(path, source));
  }

  #referenceTo(path: string): string {
    if (path === '') return '#';
    const name = this.#names.get(path) ?? `d${String(this.#names.size)}`;
    this.#names.set(path, name);
    return `#/$defs/${name}`;
  }
}

/** An unknown format is an annotation; ajv refuses `nullable` beside no type, and `false` beside a null type. */
function isMeant(keyword: string, value: unknown, schema: PlainObject): boolean {
  if (keyword === 'format') return isKnownFormat(value);
  return keyword !== 'nullable' || (value === true && Object.hasOwn(schema, 'type'));
}

const NAME = '__proto__';
/** Matches that name and no other. */
const EXACT = `^${NAME}$`;
/** Matches the same as the name as a pattern, but is a different text. */
const PART = `(?:${NAME})`;

/**
 * Expresses the rules for members called `__proto__` in another way: ajv skips that name, so it would not check
 * such members.
 * @throws InvalidSchemaError for a dependency on that name, which has no other expression
 */
function sayPrototypeName(schema: PlainObject, path: string, patterns: PatternSet): PlainObject {
  const { properties, patternProperties } = schema;
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    if (!hasName(schema[keyword])) continue;
    throw new InvalidSchemaError({ path, what: `has ${keyword} of "${NAME}", which cannot be checked.` });
  }
  if (!hasName(properties) && !hasName(patternProperties)) return schema;
  const patterned = { ...(patternProperties as PlainObject | undefined) };
  const said: Record<string, unknown> = { ...schema };
  if (hasName(patternProperties)) move(patterned, patternProperties[NAME], PART);
  if (hasName(properties)) {
    move(patterned, properties[NAME], EXACT);
    said.properties = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== NAME));
  }
  for (const source of [EXACT, PART]) patterns.add(source, path);
  return { ...said, patternProperties: patterned };
}

function hasName(map: unknown): map is PlainObject {
  return isPlainObject(map) && Object.hasOwn(map, NAME);
}

/** The spread that created `patterned` has copied the member under its old name. */
function move(patterned: Record<string, unknown>, schema: unknown, source: string): void {
  Reflect.deleteProperty(patterned, NAME);
  patterned[source] = source in patterned ? { allOf: [patterned[source], schema] } : schema;
}
