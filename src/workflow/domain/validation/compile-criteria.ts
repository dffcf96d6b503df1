import { InvalidCriteriaError, InvalidConditionError } from '../errors/workflow-error.ts';
import {
  checkByPattern,
  createRuleCompiler,
  schemaRule,
  type RuleCompiler,
  type RuleKind,
} from './rule-compiler.ts';
import { isPlainObject, jsonEntries, type PlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import type { CriteriaPlan, PlannedGroup, PlannedRule, RuleFault, RuleType } from './criteria-plan.ts';
import { describeValue } from '../../../shared/describe-value.ts';
import { didYouMean } from '../../../shared/did-you-mean.ts';
import { validateCondition } from '../conditions/condition-check.ts';
import type { Condition } from '../conditions/condition.ts';

/**
 * Checks validation criteria of a document in every part. An engine accepts null for no criteria; a document omits
 * them.
 * @param path - the pointer to the criteria, if they are part of something larger
 * @param compiler - the compiler for the whole that they are part of
 * @throws InvalidCriteriaError for the first malformed part, at any depth
 */
export function checkCriteria(criteria: unknown, path = '', compiler = createRuleCompiler()): void {
  if (criteria === null) throw new InvalidCriteriaError(path, 'null stands in place of criteria.');
  compileCriteria(criteria, path, compiler);
}

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
  const check = checkByPattern(pattern, '', path, compiler);
  return { kind: 'rule', path, ruleType: 'regex', message: '', condition: undefined, ...check };
}

function compileComposition(composition: PlainObject, path: string, compiler: RuleCompiler): CriteriaPlan {
  const names = jsonEntries(composition).map(([name]) => name);
  const unknown = names.find((name) => !['and', 'or', 'not'].includes(name));
  if (unknown !== undefined) {
    const what = `"${unknown}" is none of and, or and not, and a rule needs a type.`;
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
  // Array.from also visits the holes of a sparse array
  const children = Array.from(items, (item, index) => compile(item, pointTo(path, index), compiler));
  return { kind, children };
}

const containsRule: RuleKind = {
  members: ['value'],
  compile({ value }) {
    const isText = typeof value === 'string';
    const shown = isText ? JSON.stringify(value) : String(value);
    const fault = {
      code: 'CONTAINS_MISSING',
      text: `output must contain ${isText ? `"${value}"` : shown}`,
      suggestions: [
        isText
          ? `Put ${shown} into the output, in exactly these letters, upper and lower case as here.`
          : 'No output passes: have the value of this rule corrected, which has to be text.',
      ],
    };
    return {
      check: ({ text }) => (isText && text.includes(value) ? undefined : fault),
      forbidden: {
        text: `output must not contain ${isText ? `"${value}"` : shown}`,
        suggestions: [`Take ${shown} out of the output.`],
      },
    };
  },
};

const lengthRule: RuleKind = {
  members: ['min', 'max'],
  compile(rule, path) {
    const min = boundOf(rule, 'min', path);
    const max = boundOf(rule, 'max', path);
    if (min === undefined && max === undefined) {
      throw new InvalidCriteriaError(path, 'a length rule needs min or max.');
    }
    if (min !== undefined && max !== undefined && min > max) {
      throw new InvalidCriteriaError(path, `min, ${min}, is greater than max, ${max}.`);
    }
    return {
      check: ({ text: { length } }) => {
        if (min !== undefined && length < min) return tooShort(length, min);
        return max !== undefined && length > max ? tooLong(length, max) : undefined;
      },
      forbidden: {
        text: `output must not have ${rangeOf(min, max)}`,
        suggestions: [`Make the output longer or shorter, so that it does not have ${rangeOf(min, max)}.`],
      },
    };
  },
};

function boundOf(rule: PlainObject, name: string, path: string): number | undefined {
  const bound = rule[name];
  if (bound === undefined || (Number.isSafeInteger(bound) && (bound as number) >= 0)) {
    return bound as number | undefined;
  }
  throw new InvalidCriteriaError(
    pointTo(path, name),
    `${name} has to be a whole number that is not negative.`,
  );
}

function tooShort(length: number, min: number): RuleFault {
  return {
    code: 'TOO_SHORT',
    text: `output is shorter than ${min} characters`,
    suggestions: [`Add at least ${min - length} characters: the output has ${length}, and needs ${min}.`],
    info: { length, min },
  };
}

function tooLong(length: number, max: number): RuleFault {
  return {
    code: 'TOO_LONG',
    text: `output is longer than ${max} characters`,
    suggestions: [
      `Take out at least ${length - max} characters: the output has ${length}, of at most ${max}.`,
    ],
    info: { length, max },
  };
}

function rangeOf(min = 0, max?: number): string {
  return max === undefined ? `${min} characters or more` : `${min} to ${max} characters`;
}

const regexRule: RuleKind = {
  members: ['pattern', 'flags'],
  compile(rule, path, compiler) {
    const { pattern } = rule;
    const flags = rule['flags'] ?? '';
    if (typeof pattern !== 'string') {
      throw new InvalidCriteriaError(path, 'a regex rule needs a pattern, which is text.');
    }
    if (typeof flags !== 'string' || !FLAGS.test(flags)) {
      throw new InvalidCriteriaError(pointTo(path, 'flags'), 'flags are i, m, s and u, each at most once.');
    }
    return checkByPattern(pattern, flags, pointTo(path, 'pattern'), compiler);
  },
};

const FLAGS = /^(?:([imsu])(?!.*\1))*$/;

const KINDS: Readonly<Record<RuleType, RuleKind>> = {
  contains: containsRule,
  regex: regexRule,
  length: lengthRule,
  schema: schemaRule,
};
const COMMON = ['type', 'message', 'condition'];

/** @throws InvalidCriteriaError */
function compileRule(rule: PlainObject, path: string, compiler: RuleCompiler): PlannedRule {
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

const MOST_LEVELS = 64;
const MOST_RULES = 500;

interface OpenLevel {
  readonly children: readonly unknown[];
  position: number;
}

/**
 * Refuses criteria that are nested too deep or have too many rules, so that later stages may recurse.
 * It searches depth first, so it finds cyclic criteria too deep. Every part without children counts as a rule.
 * @throws InvalidCriteriaError
 */
function checkExtent(criteria: unknown, path: string): void {
  let rules = 0;
  const open: OpenLevel[] = [{ children: [criteria], position: 0 }];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    if (level.position === level.children.length) {
      open.pop();
      continue;
    }
    const children = childrenOf(level.children[level.position]);
    level.position += 1;
    if (children.length === 0) rules += 1;
    else open.push({ children, position: 0 });
    // The first level holds only the criteria themselves
    if (open.length - 1 > MOST_LEVELS) throw excess(path, `nested deeper than ${MOST_LEVELS} levels`);
    if (rules > MOST_RULES) throw excess(path, `more than ${MOST_RULES} rules`);
  }
}

function childrenOf(criteria: unknown): readonly unknown[] {
  if (Array.isArray(criteria)) return criteria;
  if (!isPlainObject(criteria) || criteria['type'] !== undefined) return [];
  return ['and', 'or', 'not'].flatMap((operator) => criteria[operator] ?? []);
}

function excess(path: string, what: string): InvalidCriteriaError {
  return new InvalidCriteriaError(path, `they are ${what}.`);
}
