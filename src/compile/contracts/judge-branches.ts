import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { firstErrors } from './count-errors.ts';

/** The errors of each branch of a union that failed, or of the outcome of a condition; undefined for other errors. */
export type BranchJudge = (error: ErrorObject) => readonly (readonly ErrorObject[])[] | undefined;

interface Prepared {
  readonly ajv: Ajv2020;
  readonly pointers: ReadonlyMap<unknown, string>;
}

/**
 * Asks each branch by itself: ajv lists the errors of all branches in one row, and where a branch is a
 * reference they do not say which one they are of. Nothing is compiled before a union fails.
 */
export function createBranchJudge(schema: JsonSchema, createAjv: () => Ajv2020): BranchJudge {
  const validators = new Map<string, ValidateFunction | undefined>();
  let ready: Prepared | undefined;
  const validatorAt = (union: ErrorObject, branch: string): ValidateFunction | undefined => {
    ready ??= prepare(schema, createAjv());
    const pointer = ready.pointers.get(union.parentSchema);
    if (pointer === undefined) return undefined;
    const place = `schema#${pointer}/${branch}`;
    if (!validators.has(place)) validators.set(place, ready.ajv.getSchema(place));
    return validators.get(place);
  };
  return (error) => {
    const branches = branchNames(error);
    if (branches === undefined) return undefined;
    const judged = branches.map((branch) => judge(validatorAt(error, branch), error));
    return judged.every((errors) => errors !== undefined) ? judged : undefined;
  };
}

function prepare(schema: JsonSchema, ajv: Ajv2020): Prepared {
  ajv.addSchema(schema, 'schema');
  return { ajv, pointers: pointersIn(schema) };
}

function branchNames({ keyword, params, schema }: ErrorObject): readonly string[] | undefined {
  const { failingKeyword, passingSchemas } = params as Readonly<Record<string, unknown>>;
  if (keyword === 'if') return [String(failingKeyword)];
  const isUnion = keyword === 'anyOf' || (keyword === 'oneOf' && !Array.isArray(passingSchemas));
  return isUnion && Array.isArray(schema) ? schema.map((_, index) => `${keyword}/${index}`) : undefined;
}

function judge(
  validate: ValidateFunction | undefined,
  { data, instancePath }: ErrorObject,
): readonly ErrorObject[] | undefined {
  if (validate === undefined) return undefined;
  const errors = firstErrors(() => (validate(data) ? [] : (validate.errors ?? [])));
  if (errors.length === 0) return undefined;
  return errors.map((error) => ({
    ...error,
    instancePath: `${instancePath}${error.instancePath}`,
  }));
}

/** Every part of a schema → its place as the fragment of a URI (RFC 6901, section 6). */
function pointersIn(schema: JsonSchema): ReadonlyMap<unknown, string> {
  const pointers = new Map<unknown, string>();
  const visit = (part: unknown, pointer: string): void => {
    if (typeof part !== 'object' || part === null || pointers.has(part)) return;
    pointers.set(part, pointer);
    for (const [key, value] of Object.entries(part)) {
      const segment = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
      visit(value, `${pointer}/${segment}`);
    }
  };
  visit(schema, '');
  return pointers;
}
