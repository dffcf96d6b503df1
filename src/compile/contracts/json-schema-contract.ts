import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { beginPass, copyJson } from '../checker/copy-json.ts';
import type { Contract } from '../contract.ts';
import { compileValidator } from './compile-validator.ts';
import type { ContractOptions } from './contract-options.ts';
import { isPrototypeName } from './is-prototype-name.ts';
import { jsonSchemaIssues } from './json-schema-issues.ts';
import { makeIssue, refused } from './make-issue.ts';
import { acceptsFurther, objectRoot, rootNames } from './object-root.ts';
import { omitNames } from './omit-names.ts';
import { plainSchema } from './plain-schema.ts';

/** The contract of a raw JSON Schema 2020-12; what is checked is a copy, into which defaults are filled. */
export function createJsonSchemaContract(source: JsonSchema, options: ContractOptions): Contract {
  const { unknownFields, where, without = [] } = options;
  const schema = deepFreeze(omitNames(objectRoot(plainSchema(source, where), where), without));
  const validate = compileValidator(schema, where, true);
  return Object.freeze({
    source,
    type: undefined,
    schema,
    names: rootNames(schema),
    acceptsFurtherNames: acceptsFurther(schema),
    looseFields: Object.freeze([]),
    warnings: Object.freeze([]),
    check: (input) => {
      const pass = beginPass(unknownFields);
      const value = copyJson(input, isPrototypeName, pass);
      if (pass.isTooDeep) return refused(pass.issues);
      try {
        const issues = [...pass.issues, ...jsonSchemaIssues(validate(value), { schema, input })];
        return issues.length > 0 ? refused(issues) : { ok: true, value: value as object };
      } catch {
        return refused([makeIssue([], 'the value could not be checked', { schema, input })]);
      }
    },
  } satisfies Contract);
}
