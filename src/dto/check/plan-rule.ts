import { isThenable } from '../../shared/maybe-promise.ts';
import type { Constraint } from '../shape/shape.ts';
import type { AskOriginal, BoundRule, CallValidator, InlineRule, RulePlan } from './check-plan.ts';
import { SEQUENCE_RULES } from './rules/sequence-rules.ts';
import { VALUE_RULES } from './rules/value-rules.ts';

/** Decides whether a validator is written as code or called; `onPromise` is told of an answer that comes later. */
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
function inlineRule({ name, args, isBuiltIn, phrase, validate }: Constraint): BoundRule | string {
  const rule = INLINE_RULES.get(name);
  if (!isBuiltIn) return 'a validator of your own';
  if (rule === undefined) return 'no code stands for this validator';
  const ask = (value: unknown): boolean => {
    const answer = validate(value, {});
    if (!isThenable(answer)) return Boolean(answer);
    silence(answer);
    throw new TypeError('an answer that comes later');
  };
  const bound = rule.bind(args, ask);
  if (bound === undefined) return 'no code stands for these arguments';
  if (phrase.startsWith(rule.says) && agrees(bound, ask)) return bound;
  return 'it is not the validator of class-validator, or not with this option';
}

function callOf({ validate }: Constraint, onPromise: () => void): CallValidator {
  return (value, object, whole) => {
    const answer = validate(value, object, whole);
    if (!isThenable(answer)) return Boolean(answer);
    silence(answer);
    onPromise();
    return false;
  };
}

/** Nobody waits for it, and a rejection without anybody ends the process. */
function silence(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => undefined);
}

const PROBES: readonly unknown[] = [
  ...[undefined, null, true, '', 'some text', 0, 12, -1.5, Number.NaN, Number.POSITIVE_INFINITY],
  ...[[], ['a', 'b'], {}, { a: 1 }, new Date(86_400_000)],
];

/**
 * Names can be taken: `registerDecorator({ name: 'isString' })`. So a rule stands in for a validator only if
 * both give the same answer for every probe; a validator that throws at one is another one.
 */
function agrees(rule: BoundRule, original: AskOriginal): boolean {
  const isSame = (value: unknown): boolean => original(value) === rule.test(value);
  try {
    return PROBES.every(isSame) && (rule.probes ?? []).every(isSame) && (rule.isOriginal?.() ?? true);
  } catch {
    return false;
  }
}

/** Every validator of class-validator that is compiled, by the name it registers itself with. */
const INLINE_RULES: ReadonlyMap<string, InlineRule> = new Map(
  Object.entries({ ...VALUE_RULES, ...SEQUENCE_RULES }),
);
