import type { Constraint } from '../../../shape/shape.ts';
import { isThenable } from '../../../shared/is-thenable.ts';
import { INLINE_RULES } from '../rules/inline-rules.ts';
import type { BoundRule } from '../rules/inline-rule.ts';
import { agrees } from './agrees.ts';
import type { CallValidator, RulePlan } from './check-plan.ts';

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
