import { didYouMean } from '../../../shared/did-you-mean.ts';
import { describeValue } from '../../../shared/describe-value.ts';
import { validateCondition } from '../conditions/validate-condition.ts';
import type { Condition } from '../conditions/condition.ts';
import { InvalidConditionError } from '../errors/invalid-condition-error.ts';
import { InvalidCriteriaError } from '../errors/invalid-criteria-error.ts';
import { jsonEntries, type PlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import type { PlannedRule, RuleType } from './criteria-plan.ts';
import { containsRule } from './rules/contains-rule.ts';
import { lengthRule } from './rules/length-rule.ts';
import { regexRule } from './rules/regex-rule.ts';
import type { RuleCompiler, RuleKind } from './rules/rule-kind.ts';
import { schemaRule } from './rules/schema-rule.ts';

const KINDS: Readonly<Record<RuleType, RuleKind>> = {
  contains: containsRule,
  regex: regexRule,
  length: lengthRule,
  schema: schemaRule,
};
const COMMON = ['type', 'message', 'condition'];

/** @throws InvalidCriteriaError */
export function compileRule(rule: PlainObject, path: string, compiler: RuleCompiler): PlannedRule {
  const type = rule['type'];
  if (!isRuleType(type)) {
    throw new InvalidCriteriaError(pointTo(path, 'type'), unknownType(type));
  }
  const { members, compile } = KINDS[type];
  const unknown = jsonEntries(rule).find(([name]) => !COMMON.includes(name) && !members.includes(name))?.[0];
  if (unknown !== undefined) {
    throw new InvalidCriteriaError(pointTo(path, unknown), `a ${type} rule has no member "${unknown}".`);
  }
  const message = rule['message'] ?? '';
  if (typeof message !== 'string') {
    throw new InvalidCriteriaError(pointTo(path, 'message'), 'the message has to be text.');
  }
  const condition = conditionOf(rule, pointTo(path, 'condition'));
  return { kind: 'rule', path, ruleType: type, message, condition, ...compile(rule, path, compiler) };
}

function unknownType(type: unknown): string {
  const known = Object.keys(KINDS);
  const suggestion = typeof type === 'string' ? didYouMean(type, known) : undefined;
  return `${describeValue(type)} is not a type of rule; the types are ${known.join(', ')}${suggestion === undefined ? '.' : `; ${suggestion}`}`;
}

function isRuleType(type: unknown): type is RuleType {
  return typeof type === 'string' && Object.hasOwn(KINDS, type);
}

function conditionOf(rule: PlainObject, path: string): Condition | undefined {
  const condition = rule['condition'];
  if (condition === undefined) return undefined;
  try {
    validateCondition(condition, path);
  } catch (cause) {
    if (!(cause instanceof InvalidConditionError)) throw cause;
    throw new InvalidCriteriaError(cause.path, cause.message, cause);
  }
  return condition as Condition;
}
