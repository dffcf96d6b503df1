import type { OptionReport } from '../errors/option-errors.ts';
import type { ProblemList } from '../errors/problem-list.ts';

/** How wrong options of a decorator, provider or module object are told; `of` is `@Action`, or `a provider`. */
export function optionReport(place: { readonly where: string; readonly of: string }): OptionReport {
  return { ...place, code: 'TW_SCAN_OPTION_VALUE', unknown: 'TW_SCAN_OPTION_UNKNOWN' };
}

/** Reports something that does not exist yet when the decorator ran. */
export function reportUndefined(where: string, place: string, fix: string, problems: ProblemList): void {
  problems.add('TW_SCAN_UNDEFINED', {
    where,
    what: `names something undefined: ${place}.`,
    why: 'files that import each other in a circle see a class before it exists; a misspelt import does the same.',
    fix,
  });
}
