import { InvalidCriteriaError } from '../errors/invalid-criteria-error.ts';
import { compileCriteria } from './compile-criteria.ts';
import { createRuleCompiler } from './rules/create-rule-compiler.ts';

/**
 * Checks validation criteria of a document in every part. An engine takes null for no criteria, a document leaves
 * them out.
 * @param path - the pointer to the criteria, where they are part of something larger
 * @param compiler - of what they are a part of
 * @throws InvalidCriteriaError for the first thing that is malformed, wherever it is
 */
export function checkCriteria(criteria: unknown, path = '', compiler = createRuleCompiler()): void {
  if (criteria === null) throw new InvalidCriteriaError(path, 'null stands in place of criteria.');
  compileCriteria(criteria, path, compiler);
}
