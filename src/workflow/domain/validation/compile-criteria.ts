import { InvalidCriteriaError } from '../errors/invalid-criteria-error.ts';
import { isPlainObject, jsonEntries, type PlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { checkExtent } from './check-extent.ts';
import { compileRule } from './compile-rule.ts';
import type { CriteriaPlan, PlannedGroup, PlannedRule } from './criteria-plan.ts';
import { judgeByPattern } from './rules/regex-rule.ts';
import type { RuleCompiler } from './rules/rule-kind.ts';
import { describeValue } from '../../../shared/describe-value.ts';

/**
 * Checks criteria in every part and compiles them.
 * @returns undefined for no criteria: undefined, null, `[]` or `{}`
 * @throws InvalidCriteriaError
 */
export function compileCriteria(
  criteria: unknown,
  path: string,
  compiler: RuleCompiler,
): CriteriaPlan | undefined {
  if (isNothing(criteria)) return undefined;
  checkExtent(criteria, path);
  return compile(criteria, path, compiler);
}

function isNothing(criteria: unknown): boolean {
  if (Array.isArray(criteria)) return criteria.length === 0;
  if (isPlainObject(criteria)) return jsonEntries(criteria).length === 0;
  return criteria === undefined || criteria === null;
}

function compile(criteria: unknown, path: string, compiler: RuleCompiler): CriteriaPlan {
  if (typeof criteria === 'string') return compileLegacy(criteria, path, compiler);
  if (Array.isArray(criteria)) return compileGroup('all', criteria, path, compiler);
  if (!isPlainObject(criteria))
    throw new InvalidCriteriaError(path, `${describeValue(criteria)} stands in place of a rule.`);
  if (criteria['type'] !== undefined) return compileRule(criteria, path, compiler);
  return compileComposition(criteria, path, compiler);
}

function compileLegacy(pattern: string, path: string, compiler: RuleCompiler): PlannedRule {
  const judge = judgeByPattern(pattern, '', path, compiler);
  return { kind: 'rule', path, ruleType: 'regex', message: '', condition: undefined, ...judge };
}

function compileComposition(composition: PlainObject, path: string, compiler: RuleCompiler): CriteriaPlan {
  const names = jsonEntries(composition).map(([name]) => name);
  const unknown = names.find((name) => !['and', 'or', 'not'].includes(name));
  if (unknown !== undefined) {
    const what = `"${unknown}" is none of and, or and not, and without a type there is no rule.`;
    throw new InvalidCriteriaError(pointTo(path, unknown), what);
  }
  const [operator, ...others] = names;
  if (operator === undefined || others.length > 0) {
    const found = operator === undefined ? 'none' : names.join(' and ');
    throw new InvalidCriteriaError(
      path,
      `a composition has exactly one of and, or and not; here is ${found}.`,
    );
  }
  const operand = composition[operator];
  const below = pointTo(path, operator);
  if (operator === 'not') return { kind: 'not', child: compile(operand, below, compiler) };
  if (!Array.isArray(operand) || operand.length === 0) {
    throw new InvalidCriteriaError(below, `${operator} has to be an array of at least one.`);
  }
  return compileGroup(operator === 'and' ? 'all' : 'any', operand, below, compiler);
}

function compileGroup(
  kind: PlannedGroup['kind'],
  items: readonly unknown[],
  path: string,
  compiler: RuleCompiler,
): PlannedGroup {
  // Array.from visits the holes of an array as well
  const children = Array.from(items, (item, index) => compile(item, pointTo(path, index), compiler));
  return { kind, children };
}
