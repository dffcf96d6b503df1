import { refused } from '../../call/make-issue.ts';
import { withoutNames } from '../../dto/check/copy-json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { Contract, ContractOptions } from './contract.ts';
import { fillInheritedDefaults } from './field-names.ts';
import { compileInputSchema, jsonSchemaIssues } from './json-schema-issues.ts';
import { compileCopy, membersOf, plainSchema } from './plain-schema.ts';

/** The contract of a raw JSON Schema 2020-12; what is checked is a copy, into which defaults are filled. */
export function createJsonSchemaContract(source: JsonSchema, options: ContractOptions): Contract {
  const { where } = options;
  const { whole, ...members } = membersOf(plainSchema(source, where), options);
  const { redeclared } = members;
  // behind the mistakes in fields that another contract judges, there may be some that count
  const most = redeclared.length > 0 ? Number.POSITIVE_INFINITY : undefined;
  const validator = compileInputSchema(whole, where, most);
  const copy = compileCopy({ whole, ...members }, options);
  return Object.freeze({
    source,
    ...members,
    warnings: Object.freeze(
      validator.unboundedPatterns.map((pattern) => ({
        code: 'TW_SHAPE_PATTERN_UNBOUNDED' as const,
        where,
        what: `has the pattern ${pattern}, which may take very long for a long text.`,
        why: 'only the engine of JavaScript can read it, and that one tries all ways to match.',
        fix: 'add a small maxLength, or write the pattern without look-around',
      })),
    ),
    check: (input) => {
      const { value, issues: copied, isTooDeep } = copy(input);
      if (isTooDeep) return refused(copied);
      fillInheritedDefaults(value, whole);
      const context = { schema: whole, input };
      const issues = [...copied, ...jsonSchemaIssues(validator, value, context, redeclared)];
      if (issues.length > 0) return refused(issues);
      return { ok: true, value: withoutNames(value, redeclared) };
    },
  } satisfies Contract);
}
