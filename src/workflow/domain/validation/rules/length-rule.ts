import { InvalidCriteriaError } from '../../errors/invalid-criteria-error.ts';
import type { PlainObject } from '../../../../shared/json.ts';
import { pointTo } from '../../../../schema/pointer.ts';
import type { RuleFault } from '../criteria-plan.ts';
import type { RuleKind } from './rule-kind.ts';

export const lengthRule: RuleKind = {
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
      judge: ({ text: { length } }) => {
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
