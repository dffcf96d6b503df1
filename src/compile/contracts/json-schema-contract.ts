import { refused } from '../../call/make-issue.ts';
import { beginPass, concerns, copyJson, withoutNames } from '../../dto/check/copy-json.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { createNullDropper } from './absent-nulls.ts';
import { compileInputSchema } from './compile-validator.ts';
import type { Contract, ContractOptions } from './contract.ts';
import { fillInheritedDefaults } from './inherited-names.ts';
import { isPrototypeName } from './is-prototype-name.ts';
import { jsonSchemaIssues } from './json-schema-issues.ts';
import { acceptsFurther, objectRoot, rootNames } from './object-root.ts';
import { omitNames } from './omit-names.ts';
import { plainSchema } from './plain-schema.ts';

/** The contract of a raw JSON Schema 2020-12; what is checked is a copy, into which defaults are filled. */
export function createJsonSchemaContract(source: JsonSchema, options: ContractOptions): Contract {
  const { unknownFields, where, without = [] } = options;
  const whole = deepFreeze(objectRoot(plainSchema(source, where), where));
  const schema = omitNames(whole, without);
  const redeclared = rootNames(whole).filter((name) => without.includes(name));
  // behind the mistakes in fields that another contract judges, there may be some that count
  const most = redeclared.length > 0 ? Number.POSITIVE_INFINITY : undefined;
  const validator = compileInputSchema(whole, where, most);
  const dropAbsentNulls = createNullDropper(whole);
  return Object.freeze({
    source,
    type: undefined,
    schema,
    names: Object.freeze(rootNames(whole).filter((name) => !without.includes(name))),
    redeclared: Object.freeze(redeclared),
    acceptsFurtherNames: acceptsFurther(schema),
    looseFields: Object.freeze([]),
    warnings: Object.freeze(
      validator.unboundedPatterns.map((pattern) => ({
        code: 'TW_SHAPE_PATTERN_UNBOUNDED' as const,
        where,
        what: `has the pattern ${pattern}, which may take very long for a long text.`,
        why: 'only the engine of JavaScript can read it, and that one tries all ways to match.',
        fix: 'add a small maxLength, or write the pattern without look-around',
      })),
    ),
    explanation: undefined,
    check: (input) => {
      const pass = beginPass(unknownFields);
      const value = copyJson(input, isPrototypeName, pass) as object;
      if (pass.isTooDeep) return refused(pass.issues);
      if (pass.hasNull) dropAbsentNulls(value);
      const context = { schema: whole, input };
      fillInheritedDefaults(value, whole);
      const copied = pass.issues.filter(({ path }) => !concerns(path, redeclared));
      const issues = [...copied, ...jsonSchemaIssues(validator, value, context, redeclared)];
      if (issues.length > 0) return refused(issues);
      return { ok: true, value: withoutNames(value, redeclared) };
    },
  } satisfies Contract);
}
