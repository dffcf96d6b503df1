import {
  unknownField,
  type CheckOutcome,
  type Issue,
  makeIssue,
  refused,
  valueAt,
  type CheckedInput,
} from '../../call/issue.ts';
import { concerns, withoutNames } from '../../dto/check/copy-input.ts';
import { thrownIssue } from '../../dto/check/find-throwing.ts';
import { coercedIssues } from './coerced-values.ts';
import { likelyBranches, schemaAt, unionBranches, type PathSegment } from '../../schema/schema-at.ts';
import { isObject, isPlainObject } from '../../shared/json.ts';
import { readJsonSchema, type StandardSchema } from '../../shared/schema-source.ts';
import type { Contract, ContractOptions } from './contract.ts';
import { createSchemaIssues } from './early-issues.ts';
import { hasInheritedNames, withoutPrototypes } from './field-names.ts';
import { fewest } from './json-schema-issues.ts';
import { compileCopy, membersOf, plainSchema } from './plain-schema.ts';
import {
  coerces,
  createEarlyIssues,
  faultyPlace,
  omitFromZod,
  throwsAtOnce,
  type StandardIssue,
} from './zod-schema.ts';
import { isOfThisMoment } from '../../dto/shape/blank-instance.ts';
import type { Problem } from '../../errors/problem-list.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { repeatsRepetition } from '../../schema/patterns/backtracking.ts';
import { pointTo, valueAt as valueAtPointer } from '../../schema/pointer.ts';
import { mapSchemas, mapSubschemas, walkSchema, type Schema } from '../../schema/subschemas.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { listValues, MAX_LISTED } from '../../shared/listing.ts';

/** The answer of `validate`: a value, or issues. */
interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[];
  /** The error that a rule threw. */
  readonly thrown?: { readonly error: unknown };
}

type Outcome = CheckOutcome<object>;

/** The contract of a Standard Schema: its library converts and validates, and gives the JSON Schema. */
export function createStandardContract(source: StandardSchema, options: ContractOptions): Contract {
  const { where } = options;
  const { whole, ...members } = membersOf(standardJsonSchema(source, 'input', where), options);
  const isBare = hasInheritedNames(whole);
  const copy = compileCopy({ whole, ...members }, options);
  const schemaIssues =
    source['~standard'].vendor === 'zod' ? undefined : createSchemaIssues(whole, where, members.redeclared);
  const validate = createCheck(source, members.redeclared);
  const isCoercing = coerces(source);
  return Object.freeze({
    source,
    ...members,
    warnings: patternWarnings(whole, where),
    check: (input) => {
      const { value, issues } = copy(input);
      if (issues.length > 0) return refused(issues);
      const checked: CheckedInput = { schema: whole, input };
      // zod is asked part by part
      const early = schemaIssues?.(value, checked) ?? [];
      if (early.length > 0) return refused(early);
      if (isCoercing) {
        const isOwn = ({ path }: Issue): boolean => !concerns(path, members.redeclared);
        const coerced = refused([...coercedIssues(value, checked)].filter(isOwn));
        if (coerced.issues.length > 0) return coerced;
      }
      return validate(isBare ? (withoutPrototypes(value) as object) : value, checked);
    },
  } satisfies Contract);
}

type Check = (value: object, checked: CheckedInput) => Outcome | Promise<Outcome>;

/**
 * Validates the whole value. If all issues are in fields that are checked elsewhere, it is validated again
 * without them, where the library can do that; otherwise the other fields stay unconverted.
 */
function createCheck(source: StandardSchema, redeclared: readonly string[]): Check {
  const rest = redeclared.length === 0 ? undefined : omitFromZod(source, redeclared);
  const isOwn = ({ path }: StandardIssue): boolean => !redeclared.includes(firstName(path));
  const earlyIssues = createEarlyIssues(source);
  function* ownEarlyIssues(value: object): Generator<StandardIssue> {
    for (const issue of earlyIssues(value)) if (isOwn(issue)) yield issue;
  }

  const settle = (result: StandardResult, value: object, checked: CheckedInput): Outcome | undefined => {
    const { issues = [], thrown } = result;
    if (thrown !== undefined) return failed(thrown.error, checked, source);
    const own = issues.filter(isOwn);
    if (own.length > 0) return refused(standardIssues(own, checked));
    return issues.length > 0 ? undefined : accepted(result.value, redeclared, checked);
  };
  const settleRest: Check = (value, checked) => {
    const untouched: Outcome = { ok: true, value: withoutNames(value, redeclared) };
    if (rest === undefined) return untouched;
    return whenDone(validateWith(rest, value), (result) => settle(result, value, checked) ?? untouched);
  };
  return (value, checked) => {
    const early = refused(standardIssues(ownEarlyIssues(value), checked));
    if (early.issues.length > 0) return early;
    return whenDone(
      validateWith(source, value),
      (result) => settle(result, value, checked) ?? settleRest(value, checked),
    );
  };
}

function accepted(value: unknown, redeclared: readonly string[], checked: CheckedInput): Outcome {
  if (isObject(value)) {
    return { ok: true, value: withoutNames(value, redeclared) };
  }
  const message = `the schema converts its input to ${kindOf(value)}, but an input has to stay an object`;
  return refused([makeIssue([], message, checked)]);
}

// Messages must not repeat what a model sent, or what a transform made of it
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function validateWith(source: StandardSchema, value: object): StandardResult | Promise<StandardResult> {
  const rejected = (error: unknown): StandardResult => ({ thrown: { error } });
  try {
    const result = source['~standard'].validate(value) as StandardResult | Promise<StandardResult>;
    return result instanceof Promise ? result.catch(rejected) : result;
  } catch (error) {
    return rejected(error);
  }
}

/** A rule usually throws at an invalid value that its author did not expect. */
function failed(error: unknown, checked: CheckedInput, source: StandardSchema): Outcome {
  const issue = thrownIssue(error, checked, (value) => throwsAtOnce(source, value));
  return { ...refused([issue]), failure: { error, by: 'rule' } };
}

function whenDone<T>(
  result: StandardResult | Promise<StandardResult>,
  next: (result: StandardResult) => T | Promise<T>,
): T | Promise<T> {
  return result instanceof Promise ? result.then(next) : next(result);
}

function firstName(path: StandardIssue['path'] = []): string {
  const [first] = path;
  return String(typeof first === 'object' ? first.key : first);
}

/** Translates the issues of a Standard Schema. */
export function* standardIssues(
  issues: Iterable<StandardIssue>,
  checked: CheckedInput,
  outer: readonly PathSegment[] = [],
): Generator<Issue> {
  for (const issue of issues) {
    const path = [...outer, ...pathOf(issue)];
    if (issue.code === 'unrecognized_keys' && issue.keys !== undefined) {
      for (const key of issue.keys) yield unknownKey(path, key, checked);
      continue;
    }
    const branch = issue.code === 'invalid_union' ? meantBranch(issue.errors ?? []) : undefined;
    if (branch === undefined) yield makeIssue(path, messageOf(issue), checked);
    else yield* standardIssues(branch, checked, path);
  }
}

// zod only says `Invalid input`, not what is wrong with it
function messageOf({ code, errors = [], values = [], message }: StandardIssue): string {
  if (code === 'invalid_union' && errors.length > 0) return 'fits none of the forms';
  if (code !== 'invalid_value' || values.length <= MAX_LISTED) return message;
  const write = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value));
  return message.replace(values.map(write).join('|'), () => listValues(values, write, '|'));
}

function pathOf({ path = [] }: StandardIssue): readonly PathSegment[] {
  // a copy, because the `map` of ArkType makes [0] of its empty path
  return [...path].map((segment) => {
    const key = typeof segment === 'object' ? segment.key : segment;
    return typeof key === 'number' ? key : String(key);
  });
}

function unknownKey(path: readonly PathSegment[], key: string, checked: CheckedInput): Issue {
  const schema = schemaAt(checked.schema, path, checked.input) ?? {};
  const branches = likelyBranches(unionBranches(checked.schema, schema) ?? [], valueAt(checked.input, path));
  const accepted = new Set([schema, ...branches].flatMap(({ properties = {} }) => Object.keys(properties)));
  const at = [...path, key];
  return unknownField(at.join('.'), key, valueAt(checked.input, at), [...accepted]);
}

/**
 * The intended branch of a union: its type and tag fit, and of the branches that remain it has the fewest
 * issues. Undefined if that is ambiguous.
 */
function meantBranch(branches: readonly (readonly StandardIssue[])[]): readonly StandardIssue[] | undefined {
  const typed = branches.filter(
    (issues) => issues.length > 0 && issues.every(({ path = [] }) => path.length > 0),
  );
  const tagged = typed.filter((issues) => !issues.some(isTag));
  return fewest(tagged.length > 0 ? tagged : typed);
}

/** zod: a literal or enum at the top of a branch, which has another value. */
function isTag({ code, path = [] }: StandardIssue): boolean {
  return code === 'invalid_value' && path.length === 1;
}

/** The JSON Schema of a Standard Schema, for its input or for its output. */
export function standardJsonSchema(
  source: StandardSchema,
  side: 'input' | 'output',
  where: string,
): JsonSchema {
  const { vendor, jsonSchema } = source['~standard'];
  if (jsonSchema === undefined) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
      where,
      what: `has a schema of ${vendor} that cannot give JSON Schema.`,
      why: 'clients would see an empty schema.',
      fix: 'use zod 4.2 or later, ArkType, Valibot with its JSON Schema converter, or a DTO class',
    });
  }
  const read = (): JsonSchema => plainSchema(convert(source, side, where), where);
  const schema = read();
  return hasDefaults(schema) ? keepDeterministicDefaults(schema, read()) : schema;
}

function convert(source: StandardSchema, side: 'input' | 'output', where: string): unknown {
  const { vendor } = source['~standard'];
  try {
    return readJsonSchema(source, side);
  } catch (cause) {
    const place = faultyPlace(source, (schema) => !isExpressible(schema, side));
    throw new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
      where,
      what: `has a schema of ${vendor} that JSON Schema cannot express${place === '' ? '' : ` at ${place}`}: ${cause instanceof Error ? cause.message : String(cause)}.`,
      why: 'clients would see an empty schema.',
      fix: 'use a type that JSON has (for a date, an ISO string)',
      cause,
    });
  }
}

function isExpressible(schema: StandardSchema, side: 'input' | 'output'): boolean {
  try {
    readJsonSchema(schema, side);
    return true;
  } catch {
    return false;
  }
}

function hasDefaults(schema: JsonSchema): boolean {
  return /"default":/.test(JSON.stringify(schema));
}

/**
 * Removes defaults that differ when the schema is read again, or that are the current time: a default that is
 * computed for each call would be published with its value at start-up.
 */
function keepDeterministicDefaults(schema: JsonSchema, again: JsonSchema): JsonSchema {
  const changing = new Set<unknown>();
  for (const { schema: one, path } of walkSchema(schema)) {
    if (!isPlainObject(one) || !Object.hasOwn(one, 'default')) continue;
    const isDeterministic =
      canonicalJson(one.default) === canonicalJson(valueAtPointer(again, pointTo(path, 'default')));
    if (!isDeterministic || isOfThisMoment(one.default)) changing.add(one);
  }
  const keep = (one: Schema): Schema => {
    if (typeof one === 'boolean') return one;
    const { default: preset, ...rest } = one;
    return mapSubschemas(changing.has(one) ? rest : one, keep);
  };
  return keep(schema) as JsonSchema;
}

/** Warnings about the patterns that a library runs itself, as far as its JSON Schema shows them. */
function patternWarnings(schema: JsonSchema, where: string): readonly Problem[] {
  const patterns = [...patternsIn(schema)].filter(repeatsRepetition);
  const warnings = patterns.map((pattern) => ({
    code: 'TW_SHAPE_PATTERN_UNBOUNDED' as const,
    where,
    what: `has the pattern ${pattern}, which takes very long on some texts of forty characters.`,
    why: 'the library uses the engine of JavaScript, which tries all ways to match.',
    fix: 'write the pattern without nested repetitions, or use a DTO class or a JSON Schema for the input',
  }));
  return Object.freeze(warnings);
}

function patternsIn(schema: JsonSchema): ReadonlySet<string> {
  const patterns = new Set<string>();
  mapSchemas(schema, (part) => {
    if (typeof part['pattern'] === 'string') patterns.add(part['pattern']);
    for (const pattern of Object.keys(part['patternProperties'] ?? {})) patterns.add(pattern);
    return part;
  });
  return patterns;
}
