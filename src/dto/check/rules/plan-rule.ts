import { isThenable } from '../../../shared/maybe-promise.ts';
import { createLookup } from '../../../shared/lookup.ts';
import type { Constraint } from '../../shape/shape.ts';
import {
  plainRule,
  type AskOriginal,
  type BoundRule,
  type CallValidator,
  type InlineRule,
  type RulePlan,
} from '../check-plan.ts';
import { SEQUENCE_RULES } from './sequence-rules.ts';

/** Decides whether a validator is written as code or called; `onPromise` receives an answer that comes later. */
export function planRule(constraint: Constraint, onPromise: () => void): RulePlan {
  const { name, each, condition } = constraint;
  const found = inlineRule(constraint);
  const isInline = typeof found !== 'string';
  return {
    name,
    each,
    condition,
    inline: isInline ? found : undefined,
    call: callOf(constraint, onPromise),
    why: isInline ? undefined : found,
  };
}

/** The rule that stands in for a validator, or why there is none. */
function inlineRule(constraint: Constraint): BoundRule | string {
  const { name, args, isBuiltIn } = constraint;
  const rule = INLINE_RULES.get(name);
  if (!isBuiltIn) return 'a validator of your own';
  if (rule === undefined) return 'no code stands for this validator';
  const ask = (value: unknown): boolean => {
    const answer = constraint.validate(value, {});
    if (!isThenable(answer)) return Boolean(answer);
    silence(answer);
    throw new TypeError('an answer that comes later');
  };
  const bound = rule.bind(args, ask);
  if (bound === undefined) return 'no code stands for these arguments';
  if (constraint.phrase.startsWith(rule.says) && agrees(bound, ask)) return bound;
  return 'it is not the validator of class-validator, or not with this option';
}

function callOf(constraint: Constraint, onPromise: () => void): CallValidator {
  return (value, object, whole) => {
    const answer = constraint.validate(value, object, whole);
    if (!isThenable(answer)) return Boolean(answer);
    silence(answer);
    onPromise();
    return false;
  };
}

/** The promise is not awaited, and an unhandled rejection would end the process. */
function silence(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => undefined);
}

const RULE_PROBES: readonly unknown[] = [
  ...[undefined, null, true, '', 'some text', 0, 12, -1.5, Number.NaN, Number.POSITIVE_INFINITY],
  ...[[], ['a', 'b'], {}, { a: 1 }, new Date(86_400_000)],
];

/**
 * Users can reuse names: `registerDecorator({ name: 'isString' })`. So a rule replaces a validator only if both give
 * the same answer for every probe; a validator that throws for a probe is a different one.
 */
function agrees(rule: BoundRule, original: AskOriginal): boolean {
  const isSame = (value: unknown): boolean => original(value) === rule.test(value);
  try {
    return RULE_PROBES.every(isSame) && (rule.probes ?? []).every(isSame) && (rule.isOriginal?.() ?? true);
  } catch {
    return false;
  }
}

/**
 * Rules for values of any type, for the type of a value, for numbers and for dates. Boxed strings and booleans are
 * left to class-validator; the bound of a date may be a function, which is called for every value.
 */
const VALUE_RULES: Readonly<Record<string, InlineRule>> = {
  isDefined: plainRule('should not be null or undefined', (x) => x !== undefined && x !== null, {
    code: (x) => `(${x} !== undefined && ${x} !== null)`,
  }),
  isEmpty: plainRule('must be empty', isEmpty),
  isNotEmpty: plainRule('should not be empty', (x) => !isEmpty(x), {
    code: (x) => `(${x} !== "" && ${x} !== null && ${x} !== undefined)`,
  }),
  equals: { says: 'must be equal to', bind: ([other]) => ({ test: (x) => x === other, probes: [other] }) },
  notEquals: {
    says: 'should not be equal to',
    bind: ([other]) => ({ test: (x) => x !== other, probes: [other] }),
  },
  isIn: { says: 'must be one of the following values', bind: ([list]) => bindList(list, true) },
  isNotIn: { says: 'should not be one of the following values', bind: ([list]) => bindList(list, false) },
  isEnum: { says: 'must be one of the following values', bind: ([entity]) => bindEnum(entity) },
  isInstance: {
    says: 'must be an instance of',
    bind: ([type]) =>
      typeof type === 'function' ? { test: (x) => x instanceof type, probes: [type.prototype] } : undefined,
  },
  isString: plainRule('must be a string', (x) => typeof x === 'string', {
    code: (x) => `typeof ${x} === "string"`,
  }),
  isBoolean: plainRule('must be a boolean value', (x) => typeof x === 'boolean', {
    code: (x) => `typeof ${x} === "boolean"`,
  }),
  isInt: plainRule('must be an integer number', Number.isInteger, { code: (x) => `Number.isInteger(${x})` }),
  isNumber: {
    says: 'must be a number conforming to the specified constraints',
    bind: ([options = {}]) =>
      isObject(options) && Object.keys(options).length === 0
        ? { code: (x) => `Number.isFinite(${x})`, test: Number.isFinite, probes: [1e-7, 1e21] }
        : undefined,
  },
  isArray: plainRule('must be an array', Array.isArray, { code: (x) => `Array.isArray(${x})` }),
  isObject: plainRule('must be an object', isObject),
  isNotEmptyObject: {
    says: 'must be a non-empty object',
    bind: ([options]) =>
      options === undefined || options === null
        ? { test: isNotEmptyObject, probes: [{ a: null }] }
        : undefined,
  },
  isDate: plainRule('must be a Date instance', (x) => x instanceof Date && !Number.isNaN(x.getTime()), {
    probes: [new Date(0), new Date(Number.NaN)],
  }),
  min: { says: 'must not be less than', bind: ([least]) => bindNumber(least, '>=') },
  max: { says: 'must not be greater than', bind: ([most]) => bindNumber(most, '<=') },
  isPositive: plainRule('must be a positive number', (x) => typeof x === 'number' && x > 0),
  isNegative: plainRule('must be a negative number', (x) => typeof x === 'number' && x < 0),
  isDivisibleBy: { says: 'must be divisible by', bind: ([divisor]) => bindDivisor(divisor) },
  isLatitude: { says: 'must be a latitude', bind: (_, ask) => bindDegrees(90, ask) },
  isLongitude: { says: 'must be a longitude', bind: (_, ask) => bindDegrees(180, ask) },
  minDate: { says: 'minimal allowed date for', bind: ([bound]) => bindBound(bound, '>=') },
  maxDate: { says: 'maximal allowed date for', bind: ([bound]) => bindBound(bound, '<=') },
};

function isEmpty(x: unknown): boolean {
  return x === '' || x === null || x === undefined;
}

/** Compares with `===`, like the original. */
function bindList(list: unknown, isMember: boolean): BoundRule | undefined {
  if (!Array.isArray(list)) return undefined;
  const values: readonly unknown[] = list;
  const isIn = createLookup(values);
  return {
    test: (x) => isIn(x) === isMember,
    probes: values.slice(0, 20),
  };
}

/** A member that was taken out of the object later on is refused; one that was added is found by class-validator. */
function bindEnum(entity: unknown): BoundRule | undefined {
  if (typeof entity !== 'object' || entity === null) return undefined;
  const members = entity as Readonly<Record<string, unknown>>;
  const keys = new Map(Object.keys(members).map((key) => [members[key], key] as const));
  const test = (x: unknown): boolean => {
    const key = keys.get(x);
    return key !== undefined && members[key] === x;
  };
  return {
    test,
    probes: [...keys.keys(), ...keys.values()].slice(0, 40),
  };
}

function isObject(x: unknown): x is object {
  return (typeof x === 'object' || typeof x === 'function') && x !== null && !Array.isArray(x);
}

// A class may have a method of that name, which the original then calls.
const inherited: unknown = Reflect.get(Object.prototype, 'hasOwnProperty');

function isNotEmptyObject(x: unknown): boolean {
  if (!isObject(x) || Reflect.get(x, 'hasOwnProperty') !== inherited) return false;
  for (const key in x) if (Object.hasOwn(x, key)) return true;
  return false;
}

function bindNumber(bound: unknown, operator: '>=' | '<='): BoundRule | undefined {
  if (typeof bound !== 'number') return undefined;
  return {
    code: (x, use) => `(typeof ${x} === "number" && ${x} ${operator} ${use(bound)})`,
    test: (x) => typeof x === 'number' && (operator === '>=' ? x >= bound : x <= bound),
    probes: around(bound),
  };
}

function around(bound: number): readonly number[] {
  return [bound, bound - 1, bound + 1];
}

/** The original reads its argument with `parseInt`: 2.5 divides by 2, and 1e21 by 1. */
function bindDivisor(argument: unknown): BoundRule | undefined {
  if (typeof argument !== 'number') return undefined;
  const divisor = Number.parseInt(String(argument), 10);
  return {
    test: (x) => Number.isFinite(x) && (x as number) % divisor === 0,
    probes: [...around(divisor), 2 * divisor, divisor / 2, argument, 12, 1e21],
  };
}

// Below it a number is written with an exponent, which the original does not read.
const SMALLEST_WRITTEN_OUT = 1e-6;

function bindDegrees(most: number, ask: AskOriginal): BoundRule {
  return {
    test: (x) => {
      if (typeof x !== 'number') return ask(x);
      return Math.abs(x) <= most && (Math.abs(x) >= SMALLEST_WRITTEN_OUT || x === 0);
    },
    probes: [...around(most), ...around(-most), 1e-7, -1e-7, most + 0.1, 12.5, '12'],
  };
}

function bindBound(bound: unknown, operator: '>=' | '<='): BoundRule | undefined {
  const isFunction = typeof bound === 'function';
  if (!isFunction && !(bound instanceof Date)) return undefined;
  const current = (): Date => (isFunction ? (bound as () => Date)() : bound);
  const probes = isFunction ? [] : [-1, 0, 1].map((away) => new Date(bound.getTime() + away));
  return {
    test: (x) => {
      if (!(x instanceof Date)) return false;
      const [time, other] = [x.getTime(), current().getTime()];
      return operator === '>=' ? time >= other : time <= other;
    },
    probes: [...probes, new Date(0), new Date(Number.NaN)],
  };
}

/** Every validator of class-validator that is compiled, by the name it registers itself with. */
const INLINE_RULES: ReadonlyMap<string, InlineRule> = new Map(
  Object.entries({ ...VALUE_RULES, ...SEQUENCE_RULES }),
);
