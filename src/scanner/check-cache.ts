import type { ProblemList } from '../errors/problem-list.ts';
import type { CacheOptions } from '../metadata/options.ts';
import { checkChoice, checkOptionNames, type OptionCheck } from './check-options.ts';

const OPTIONS: Readonly<Record<keyof CacheOptions, true>> = { ttl: true, scope: true };

/** Reports hints that no client could follow. */
export function checkCache(cache: CacheOptions, check: OptionCheck, problems: ProblemList): void {
  const { where } = check;
  checkOptionNames(cache, OPTIONS, check, problems);
  checkChoice(cache.scope, ['public', 'private'], 'cache.scope', where, problems);
  if (cache.ttl === undefined || (Number.isSafeInteger(cache.ttl) && cache.ttl >= 0)) return;
  problems.add('TW_SCAN_OPTION_VALUE', {
    where,
    what: `sets cache.ttl to ${String(cache.ttl)}, which it does not accept.`,
    fix: 'write a whole number of milliseconds, 0 or more',
  });
}
