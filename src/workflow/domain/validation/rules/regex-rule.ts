import { InvalidCriteriaError } from '../../errors/invalid-criteria-error.ts';
import { pointTo } from '../../json/pointer.ts';
import type { LinearPattern } from '../compile-pattern.ts';
import type { Judge } from '../criteria-plan.ts';
import type { PatternCache } from '../pattern-cache.ts';
import { UnsupportedPatternError } from '../unsupported-pattern-error.ts';
import type { RuleKind } from './rule-kind.ts';

export const regexRule: RuleKind = {
  members: ['pattern', 'flags'],
  compile(rule, path, { patterns }) {
    const { pattern } = rule;
    const flags = rule['flags'] ?? '';
    if (typeof pattern !== 'string') {
      throw new InvalidCriteriaError(path, 'a regex rule needs a pattern, which is text.');
    }
    if (typeof flags !== 'string' || !FLAGS.test(flags)) {
      throw new InvalidCriteriaError(pointTo(path, 'flags'), 'flags are i, m, s and u, each at most once.');
    }
    return judgeByPattern(pattern, flags, pointTo(path, 'pattern'), patterns);
  },
};

const FLAGS = /^(?:([imsu])(?!.*\1))*$/;

/** @throws InvalidCriteriaError at the path */
export function judgeByPattern(source: string, flags: string, path: string, patterns: PatternCache): Judge {
  const compiled = compile(source, flags, path, patterns);
  const shown = `/${source}/${flags}`;
  const fault = {
    code: 'PATTERN_MISMATCH',
    text: `output must match ${shown}`,
    suggestions: [`Change the output so that some part of it matches the regular expression ${shown}.`],
  };
  return {
    judge: ({ text }) => (compiled.test(text) ? undefined : fault),
    forbidden: {
      text: `output must not match ${shown}`,
      suggestions: [`Take everything that matches the regular expression ${shown} out of the output.`],
    },
    cost: compiled.size,
  };
}

function compile(source: string, flags: string, path: string, patterns: PatternCache): LinearPattern {
  try {
    return patterns.compile(source, flags);
  } catch (cause) {
    if (!(cause instanceof UnsupportedPatternError)) throw cause;
    throw new InvalidCriteriaError(path, `the regular expression ${cause.message}.`, cause);
  }
}
