import { InvalidCriteriaError } from '../../errors/invalid-criteria-error.ts';
import { pointTo } from '../../../../schema/pointer.ts';
import { costOfPattern } from '../compile-pattern.ts';
import type { Judge } from '../criteria-plan.ts';
import { UnsupportedPatternError } from '../../../../schema/patterns/translate-pattern.ts';
import type { RuleCompiler, RuleKind } from './rule-kind.ts';

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
