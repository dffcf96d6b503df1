import type { ProblemList } from '../errors/problem-list.ts';
import { nearestName } from '../shared/did-you-mean.ts';

/** Names of the options that a decorator, provider or module object knows; a missing one does not compile. */
type OptionNames<T> = Readonly<Record<keyof T, true>>;

export interface OptionCheck {
  readonly where: string;
  /** `@Action`, or `a provider`. */
  readonly of: string;
}

/** Reports options that nobody reads, mostly misspelt ones. */
export function checkOptionNames<T>(
  options: object,
  known: OptionNames<T>,
  check: OptionCheck,
  problems: ProblemList,
): void {
  const names = Object.keys(known);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    const nearest = nearestName(name, names);
    problems.add('TW_SCAN_OPTION_UNKNOWN', {
      where: check.where,
      what: `has the option "${name}", which ${check.of} does not know.`,
      fix: nearest === undefined ? `remove it; known are ${names.join(', ')}` : `did you mean "${nearest}"?`,
    });
  }
}

/** Reports a value that is none of the accepted ones. */
export function checkChoice(
  value: unknown,
  accepted: readonly string[],
  option: string,
  where: string,
  problems: ProblemList,
): void {
  if (value === undefined || accepted.includes(value as string)) return;
  const nearest = typeof value === 'string' ? nearestName(value, accepted) : undefined;
  problems.add('TW_SCAN_OPTION_VALUE', {
    where,
    what: `sets ${option} to ${typeof value === 'string' ? `"${value}"` : `a value of type ${typeof value}`}, which it does not accept.`,
    fix:
      nearest === undefined
        ? `write one of ${accepted.map((name) => `"${name}"`).join(', ')}`
        : `did you mean "${nearest}"?`,
  });
}

/** Reports what is neither yes, no nor one of the two other ways of becoming a task. */
export function checkTask(value: unknown, where: string, problems: ProblemList): void {
  if (typeof value !== 'boolean') checkChoice(value, ['required', 'on-demand'], 'task', where, problems);
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
