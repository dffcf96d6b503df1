import { jsonView } from '../../call/handler-value.ts';
import type { CheckOutcome } from '../../call/issue.ts';
import { makeIssue, refused } from '../../call/make-issue.ts';
import { isClass } from '../../shared/class-type.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';
import { isStandardSchema, type SchemaSource, type StandardSchema } from '../../shared/schema-source.ts';
import { describesObject } from '../tools/merge-output-schemas.ts';
import { createClassContract } from './class-contract.ts';
import { compileOutputSchema } from './compile-validator.ts';
import type { OutputContract } from './contract.ts';
import { createInstanceView } from './instance-view.ts';
import { jsonSchemaIssues } from './json-schema-issues.ts';
import { isObjectSchema, objectRoot } from './object-root.ts';
import { plainSchema } from './plain-schema.ts';
import { standardIssues, type StandardIssue } from './standard-issues.ts';
import { standardJsonSchema } from './standard-json-schema.ts';

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
    return outputContract(schema, true, createInstanceView(source), (view) => {
      if (!isPlainObject(view)) return refused([makeIssue([], 'must be an object', { schema, input: view })]);
      return keepView(check(view), view);
    });
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
  // Asked of what publishes the schema: what is sent has to have that form
  return outputContract(schema, describesObject(schema), jsonView, (view) => {
    const issues = jsonSchemaIssues(validator, view, { schema, input: view });
    if (issues.length > 0) return refused(issues);
    return refine === undefined ? { ok: true, value: view } : keepView(refine(view, schema), view);
  });
}

function outputContract(
  schema: JsonSchema,
  isObject: boolean,
  view: OutputContract['view'],
  check: (view: unknown) => Outcome,
): OutputContract {
  return Object.freeze({
    schema,
    isObject,
    view,
    check,
  });
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
