import type { RuleKind, RuleCompiler } from './rule-compiler.ts';
import { InvalidCriteriaError } from '../errors/workflow-error.ts';
import type { PlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import type { RuleFault, Judge } from './criteria-plan.ts';
import { costOfPattern } from './compile-pattern.ts';
import { UnsupportedPatternError } from '../../../schema/patterns/translate-pattern.ts';

export const containsRule: RuleKind = {
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
      judge: ({ text }) => (isText && text.includes(value) ? undefined : fault),
      forbidden: {
        text: `output must not contain ${isText ? `"${value}"` : shown}`,
        suggestions: [`Take ${shown} out of the output.`],
      },
    };
  },
};

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

export const regexRule: RuleKind = {
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
    return judgeByPattern(pattern, flags, pointTo(path, 'pattern'), compiler);
  },
};

const FLAGS = /^(?:([imsu])(?!.*\1))*$/;

/** @throws InvalidCriteriaError at the path */
export function judgeByPattern(source: string, flags: string, path: string, compiler: RuleCompiler): Judge {
  const { patterns } = compiler;
  const size = sizeOf(source, flags, path, compiler);
  const shown = `/${source}/${flags}`;
  const fault = {
    code: 'PATTERN_MISMATCH',
    text: `output must match ${shown}`,
    suggestions: [`Change the output so that some part of it matches the regular expression ${shown}.`],
  };
  return {
    // Not held on to, for what is compiled can take ten thousand times the memory of its source
    judge: ({ text }) => (patterns.compile(source, flags).test(text) ? undefined : fault),
    forbidden: {
      text: `output must not match ${shown}`,
      suggestions: [`Take everything that matches the regular expression ${shown} out of the output.`],
    },
    search: { size, shown },
  };
}

function sizeOf(source: string, flags: string, path: string, { patterns, budget }: RuleCompiler): number {
  try {
    const expense = { key: `${flags}/${source}`, cost: costOfPattern(source, flags), path };
    return budget.spend(expense, () => patterns.compile(source, flags)).size;
  } catch (cause) {
    if (!(cause instanceof UnsupportedPatternError)) throw cause;
    throw new InvalidCriteriaError(path, `the regular expression ${cause.message}.`, cause);
  }
}
