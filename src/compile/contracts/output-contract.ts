import { jsonView } from '../../call/handler-value.ts';
import type { CheckOutcome } from '../../call/issue.ts';
import { makeIssue, refused } from '../../call/make-issue.ts';
import { writeInstance } from '../../dto/check/class-stack.ts';
import { hasOwnNames, nestedClasses } from '../../dto/shape/transformer-metadata.ts';
import { createValidationReader } from '../../dto/shape/validation-metadata.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';
import { isStandardSchema, type SchemaSource, type StandardSchema } from '../../shared/schema-source.ts';
import { describesObject } from '../tools/join-schemas.ts';
import type { OutputContract } from './contract.ts';
import { createClassContract } from './create-contract.ts';
import { compileOutputSchema, jsonSchemaIssues } from './json-schema-issues.ts';
import { isObjectSchema, objectRoot, plainSchema } from './plain-schema.ts';
import { standardIssues } from './standard-contract.ts';
import { standardJsonSchema } from './standard-json-schema.ts';
import type { StandardIssue } from './zod-schema.ts';

type Outcome = CheckOutcome | Promise<CheckOutcome>;

/** Makes the contract of a declared output; fields that it does not declare are an issue. */
export function createOutputContract(
  source: SchemaSource,
  { where }: { readonly where: string },
): OutputContract {
  if (isStandardSchema(source)) {
    const schema = standardJsonSchema(source, 'output', where);
    return createSchemaOutput(schema, where, refinementOf(source, schema, where));
  }
  if (isClass(source)) {
    const { schema, check } = createClassContract(source, { unknownFields: 'strict', where, side: 'output' });
    return Object.freeze({
      schema,
      isObject: true,
      view: createInstanceView(source),
      check: (view) => {
        if (isPlainObject(view)) return keepView(check(view), view);
        return refused([makeIssue([], 'must be an object', { schema, input: view })]);
      },
    } satisfies OutputContract);
  }
  return createSchemaOutput(plainSchema(source, where), where, undefined);
}

function createSchemaOutput(
  plain: JsonSchema,
  where: string,
  refine: ((view: unknown, schema: JsonSchema) => Outcome) | undefined,
): OutputContract {
  const schema = deepFreeze(isObjectSchema(plain) ? objectRoot(plain, where) : plain);
  const validator = compileOutputSchema(schema, where);
  return Object.freeze({
    schema,
    // Asked of what publishes the schema: what is sent has to have that form
    isObject: describesObject(schema),
    view: jsonView,
    check: (view) => {
      const issues = jsonSchemaIssues(validator, view, { schema, input: view });
      if (issues.length > 0) return refused(issues);
      return refine === undefined ? { ok: true, value: view } : keepView(refine(view, schema), view);
    },
  } satisfies OutputContract);
}

function keepView(outcome: Outcome, view: unknown): Outcome {
  if (outcome instanceof Promise) return outcome.then((settled) => keepView(settled, view));
  return outcome.ok ? { ok: true, value: view } : outcome;
}

/** Rules beyond JSON Schema count as well, unless the schema converts: then it cannot read its own output. */
function refinementOf(
  source: StandardSchema,
  output: JsonSchema,
  where: string,
): ((view: unknown, schema: JsonSchema) => Outcome) | undefined {
  if (converts(source, output, where)) return undefined;
  return (input, schema) => {
    const settle = ({ issues = [] }: { readonly issues?: readonly StandardIssue[] }): CheckOutcome =>
      issues.length > 0 ? refused(standardIssues(issues, { schema, input })) : { ok: true, value: input };
    const result = source['~standard'].validate(input) as Parameters<typeof settle>[0] | Promise<never>;
    if (!(result instanceof Promise)) return settle(result);
    return result.then(settle);
  };
}

function converts(source: StandardSchema, output: JsonSchema, where: string): boolean {
  try {
    return comparable(standardJsonSchema(source, 'input', where)) !== comparable(output);
  } catch {
    return true;
  }
}

/** Defaults make a field required on the way out, and objects are closed there. */
function comparable(schema: JsonSchema): string {
  const ignored = new Set(['required', 'additionalProperties']);
  return JSON.stringify(schema, (key: string, value: unknown) => (ignored.has(key) ? undefined : value));
}

/**
 * Compiles what JSON carries of a class's instances. Where class-transformer names or leaves out properties,
 * it writes the instance; otherwise JSON does, so that `toJSON` of the values in it counts.
 */
function createInstanceView(type: Class): (value: unknown) => unknown {
  const isWritten = nestedClasses(type, createValidationReader()).some(hasOwnNames);
  if (!isWritten) return jsonView;
  const isInstance = (value: unknown): value is object => value instanceof type;
  return (value) => jsonView(isInstance(value) && !hasToJson(value) ? writeInstance(value) : value);
}

function hasToJson(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
