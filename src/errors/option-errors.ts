import {
  checkOptions,
  sayFault,
  withoutFaulty,
  type OptionFault,
  type OptionRules,
} from '../shared/option-rules.ts';
import type { ErrorCode } from './catalogue.ts';
import type { Problem, ProblemList } from './problem-list.ts';
import { ToolwrightError, type ErrorFacts } from './toolwright-error.ts';

/** Reports all faults of the options of one call in one error. */
export function optionError(code: ErrorCode, where: string, faults: readonly OptionFault[]): ToolwrightError {
  return new ToolwrightError(code, optionFacts(where, faults));
}

/** One error for problems of one place; its code is that of the first. */
export function joinProblems(problems: readonly Problem[]): ToolwrightError {
  const [first] = problems;
  if (first === undefined) throw new RangeError('No problem was given.');
  return new ToolwrightError(first.code, problems.length === 1 ? first : joinFacts(first.where, problems));
}

/** All faults of the options of one call, for any kind of error. */
export function optionFacts(where: string, faults: readonly OptionFault[]): ErrorFacts {
  return joinFacts(
    where,
    faults.map((fault) => sayFault(fault)),
  );
}

function joinFacts(where: string, problems: readonly Pick<ErrorFacts, 'what' | 'fix'>[]): ErrorFacts {
  const [first] = problems;
  if (first !== undefined && problems.length === 1) return { where, what: first.what, fix: first.fix };
  return {
    where,
    what: `has ${String(problems.length)} mistakes: it ${problems.map(({ what }) => what.replace(/\.$/, '')).join('; it ')}.`,
    fix: problems.map(({ fix }) => fix).join('; '),
  };
}

/**
 * Refuses invalid options.
 * @throws ToolwrightError that names all of them
 */
export function refuseOptions<Options>(
  code: ErrorCode,
  where: string,
  options: unknown,
  rules: OptionRules<Options>,
): void {
  const faults = checkOptions(options, rules);
  if (faults.length > 0) throw optionError(code, where, faults);
}

/** Adds each fault as a problem, so that it is reported with all others of an application. */
export function reportOptions(
  faults: readonly OptionFault[],
  { where, of, code, unknown = code }: OptionReport,
  problems: ProblemList,
): void {
  for (const fault of faults) {
    problems.add(fault.kind === 'unknown' ? unknown : code, { where, ...sayFault(fault, of) });
  }
}

/** Reports the faults of the options, and returns the valid ones, so that the stage can continue. */
export function soundOptions<Options extends object>(
  options: Options,
  rules: OptionRules<Options>,
  report: OptionReport,
  problems: ProblemList,
): Partial<Options> {
  const faults = checkOptions(options, rules);
  if (faults.length === 0) return options;
  reportOptions(faults, report, problems);
  return withoutFaulty(options, faults);
}

export interface OptionReport {
  readonly where: string;
  /** Whose options they are: `@Action`, or `a provider`. Default: what `where` names. */
  readonly of?: string;
  readonly code: ErrorCode;
  /** For unknown names. Default: the same code. */
  readonly unknown?: ErrorCode;
}
