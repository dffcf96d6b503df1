import type { ErrorObject } from 'ajv/dist/2020.js';
import {
  MOST_MADE,
  unknownField,
  type Issue,
  makeIssue,
  valueAt,
  type CheckedInput,
} from '../../call/issue.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { tokensOf } from '../../schema/pointer.ts';
import { dereference } from '../../schema/references.ts';
import type { PathSegment } from '../../schema/schema-at.ts';
import {
  compileAuthorSchema,
  type AuthorSchema,
  type AuthorSettings,
  type BranchErrors,
} from '../../schema/validator/author-schema.ts';
import { mapSchemas } from '../../schema/subschemas.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';

/** Compiles the JSON Schema of an input. The check fills in defaults and has a budget of steps. */
export function compileInputSchema(schema: JsonSchema, where: string, mostErrors = MOST_MADE): AuthorSchema {
  return compileSchema(schema, where, { useDefaults: true, mostErrors, isBudgeted: true });
}

/** Compiles the JSON Schema of an output. The values that it checks come from the author as well. */
export function compileOutputSchema(schema: JsonSchema, where: string): AuthorSchema {
  return compileSchema(schema, where, { useDefaults: false, mostErrors: MOST_MADE, isBudgeted: false });
}

/** Compiles the JSON Schema that stands beside another check: it fills in nothing, and says what it surely knows. */
export function compileBesideSchema(schema: JsonSchema, where: string): AuthorSchema {
  const known = mapSchemas(schema, ({ format: _format, ...rest }) => rest);
  return compileSchema(known, where, { useDefaults: false, mostErrors: MOST_MADE, isBudgeted: true });
}

function compileSchema(schema: JsonSchema, where: string, settings: AuthorSettings): AuthorSchema {
  try {
    return compileAuthorSchema(schema, settings);
  } catch (cause) {
    if (cause instanceof EvalError) throw withoutGeneratedCode(where, cause);
    throw new ToolwrightError('TW_COMPILE_SCHEMA_INVALID', {
      where,
      what: `has a JSON Schema that cannot be used: ${reasonOf(cause)}`,
      fix: 'correct the schema (JSON Schema 2020-12)',
      cause,
    });
  }
}

function withoutGeneratedCode(where: string, cause: EvalError): ToolwrightError {
  return new ToolwrightError('TW_COMPILE_SCHEMA_RUNTIME', {
    where,
    what: 'has a JSON Schema, which cannot be compiled here.',
    why: 'ajv makes code at run time, and this runtime allows none, as workers do.',
    fix: 'describe it by a DTO class or a Standard Schema, which need no such code',
    cause,
  });
}

function reasonOf(cause: unknown): string {
  if (ToolwrightError.is(cause)) return `${cause.where} ${cause.what}`;
  return `${cause instanceof Error ? cause.message : String(cause)}.`;
}

const UNIONS = new Set(['anyOf', 'oneOf']);

/** Checks a value and translates the errors of ajv; errors about the names `elsewhere` do not count. */
export function jsonSchemaIssues(
  { validate, branchesOf }: AuthorSchema,
  value: unknown,
  checked: CheckedInput,
  elsewhere: readonly string[] = [],
): readonly Issue[] {
  const isElsewhere = (error: ErrorObject): boolean => elsewhere.includes(fieldOf(error) ?? '');
  const mentionsElsewhere = (schema: unknown): boolean =>
    isPlainObject(schema) &&
    elsewhere.some((name) => Object.hasOwn(dereference(checked.schema, schema).properties ?? {}, name));
  const errors = explainErrors(validate(value), { branchesOf, isElsewhere, mentionsElsewhere });
  // one object may have a hundred thousand unknown names
  return errors.slice(0, MOST_MADE).map((error) => toIssue(error, checked));
}

/** The top-level field that an error is about. */
function fieldOf({ instancePath, params }: ErrorObject): string | undefined {
  const [first] = tokensOf(instancePath) ?? [];
  return first ?? missingName(params) ?? unknownName(params);
}

function missingName(params: Params): string | undefined {
  return params['missingProperty'] as string | undefined;
}

function unknownName(params: Params): string | undefined {
  return (params['additionalProperty'] ?? params['unevaluatedProperty']) as string | undefined;
}

type Params = Readonly<Record<string, unknown>>;

function toIssue(error: ErrorObject, checked: CheckedInput): Issue {
  const path = segmentsOf(error.instancePath, checked.input);
  const params = error.params as Params;
  const unknown = unknownName(params);
  if (unknown !== undefined) {
    const { properties = {} } = error.parentSchema as JsonSchema;
    const at = [...path, unknown];
    return unknownField(at.join('.'), unknown, valueAt(checked.input, at), Object.keys(properties));
  }
  const missing = missingName(params);
  if (missing !== undefined) return makeIssue([...path, missing], requiredText(error), checked);
  return makeIssue(path, UNIONS.has(error.keyword) ? unionText(params) : (error.message ?? ''), checked);
}

function requiredText({ keyword, params }: ErrorObject): string {
  const { property } = params as Params;
  return keyword === 'dependentRequired' ? `is required with ${String(property)}` : 'is required';
}

function unionText({ passingSchemas }: Params): string {
  return Array.isArray(passingSchemas) ? 'fits more than one of the forms' : 'fits none of the forms';
}

/** A JSON pointer as a path; only arrays have numbers in it. */
function segmentsOf(pointer: string, input: unknown): readonly PathSegment[] {
  const path: PathSegment[] = [];
  for (const name of tokensOf(pointer) ?? []) {
    path.push(Array.isArray(valueAt(input, path)) ? Number(name) : name);
  }
  return path;
}

type Errors = readonly ErrorObject[];

interface Explanation {
  readonly branchesOf: BranchErrors;
  /** True for errors in fields that another contract checks. */
  readonly isElsewhere: (error: ErrorObject) => boolean;
  /** True for schemas that declare such fields. */
  readonly mentionsElsewhere: (schema: unknown) => boolean;
}

const TAG_KEYWORDS = new Set(['const', 'enum']);

/**
 * The errors to report. A union reports the errors of all its branches; only those of the intended branch are
 * kept, or the union's own error if the intended branch is unclear.
 */
function explainErrors(errors: Errors, explanation: Explanation): Errors {
  const remaining = [...errors];
  const explained: ErrorObject[] = [];
  // a union comes after the errors of its branches, so reading backwards finds the outermost union first
  for (let error = remaining.pop(); error !== undefined; error = remaining.pop()) {
    const branches = explanation.branchesOf(error);
    if (branches === undefined) {
      if (!explanation.isElsewhere(error)) explained.push(error);
    } else {
      for (const inner of branches.flat()) remove(remaining, inner);
      explained.push(...explainBranches(error, branches, explanation).toReversed());
    }
  }
  return explained.reverse();
}

function remove(errors: ErrorObject[], error: ErrorObject): void {
  const index = errors.findLastIndex((other) => isSame(other, error));
  if (index >= 0) errors.splice(index, 1);
}

function isSame(left: ErrorObject, right: ErrorObject): boolean {
  return (
    left.parentSchema === right.parentSchema &&
    left.keyword === right.keyword &&
    left.instancePath === right.instancePath &&
    JSON.stringify(left.params) === JSON.stringify(right.params)
  );
}

function explainBranches(union: ErrorObject, branches: readonly Errors[], explanation: Explanation): Errors {
  const schemas = Array.isArray(union.schema) ? (union.schema as readonly unknown[]) : [];
  const explained = branches.map((errors, index) => {
    const isWhole = !errors.some(explanation.isElsewhere);
    const isMeant = isWhole && explanation.mentionsElsewhere(schemas[index]);
    return { errors, own: explainErrors(errors, explanation), isMeant };
  });
  const meantElsewhere = explained.filter(({ isMeant }) => isMeant);
  // a branch with errors only in fields checked elsewhere holds, unless such a field points to another branch
  if (meantElsewhere.length === 0 && explained.some(({ own }) => own.length === 0)) return [];
  const [only] = explained;
  if (union.keyword === 'if' && only !== undefined) return only.own;
  const near = (meantElsewhere.length === 0 ? explained : meantElsewhere).filter(
    ({ errors }) => !errors.some((error) => rulesOut(error, union)),
  );
  const meant = fewest(near.map(({ own }) => own));
  if (meant !== undefined) return meant;
  const tag = sharedTag(branches, union);
  return [tag === undefined ? union : { ...union, instancePath: tag }];
}

/** The branch is meant for another type, or for another value of a tag. */
function rulesOut(error: ErrorObject, union: ErrorObject): boolean {
  if (error.keyword === 'type') return error.instancePath === union.instancePath;
  return TAG_KEYWORDS.has(error.keyword) && depthBelow(union, error) <= 1;
}

/** The tag field that rules out every branch. */
function sharedTag(branches: readonly Errors[], union: ErrorObject): string | undefined {
  const tagsOf = (errors: Errors): readonly string[] =>
    errors
      .filter((error) => TAG_KEYWORDS.has(error.keyword) && depthBelow(union, error) === 1)
      .map(({ instancePath }) => instancePath);
  const [first = [], ...others] = branches.map(tagsOf);
  return first.find((path) => others.every((tags) => tags.includes(path)));
}

function depthBelow(union: ErrorObject, error: ErrorObject): number {
  return error.instancePath.slice(union.instancePath.length).split('/').length - 1;
}

/** The only list with the fewest members; undefined if several have as few. */
export function fewest<T>(lists: readonly (readonly T[])[]): readonly T[] | undefined {
  const least = Math.min(...lists.map((list) => list.length));
  const shortest = lists.filter((list) => list.length === least);
  return shortest.length === 1 ? shortest[0] : undefined;
}
