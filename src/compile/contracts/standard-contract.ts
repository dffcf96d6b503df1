import type { CheckOutcome } from '../../call/issue.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { StandardSchema } from '../../shared/schema-source.ts';
import { beginPass, copyJson } from '../checker/copy-json.ts';
import type { Contract } from '../contract.ts';
import type { ContractOptions } from './contract-options.ts';
import { isPrototypeName } from './is-prototype-name.ts';
import { makeIssue, refused, type IssueContext } from './make-issue.ts';
import { acceptsFurther, objectRoot, rootNames } from './object-root.ts';
import { omitNames } from './omit-names.ts';
import { standardIssues, type StandardIssue } from './standard-issues.ts';
import { standardJsonSchema } from './standard-json-schema.ts';

/** The answer of `validate`: a value, or issues. */
interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[];
}

/** The contract of a Standard Schema: its library converts and validates, and gives the JSON Schema. */
export function createStandardContract(source: StandardSchema, options: ContractOptions): Contract {
  const { unknownFields, where, without = [] } = options;
  const whole = deepFreeze(objectRoot(standardJsonSchema(source, 'input', where), where));
  const schema = omitNames(whole, without);
  const isElsewhere = ({ path }: StandardIssue): boolean => without.includes(firstName(path));

  const settle = (
    value: PlainObject,
    result: StandardResult,
    context: IssueContext,
  ): CheckOutcome<object> => {
    const issues = (result.issues ?? []).filter((issue) => !isElsewhere(issue));
    if (issues.length > 0) return refused(standardIssues(issues, context));
    // fields that are judged elsewhere are missing here: the rest is fine, but was not converted
    return { ok: true, value: (result.issues === undefined ? result.value : value) as object };
  };

  return Object.freeze({
    source,
    type: undefined,
    schema,
    names: rootNames(schema),
    acceptsFurtherNames: acceptsFurther(schema),
    looseFields: Object.freeze([]),
    warnings: Object.freeze([]),
    check: (input) => {
      const context: IssueContext = { schema: whole, input };
      const pass = beginPass(unknownFields);
      const value = copyJson(input, isPrototypeName, pass) as PlainObject;
      if (pass.issues.length > 0) return refused(pass.issues);
      const failed = (): CheckOutcome<object> =>
        refused([makeIssue([], 'the value could not be checked', context)]);
      try {
        const result = source['~standard'].validate(value) as StandardResult | Promise<StandardResult>;
        if (!(result instanceof Promise)) return settle(value, result, context);
        return result.then((settled) => settle(value, settled, context)).catch(failed);
      } catch {
        return failed();
      }
    },
  } satisfies Contract);
}

function firstName(path: StandardIssue['path'] = []): string {
  const [first] = path;
  return String(typeof first === 'object' ? first.key : first);
}
