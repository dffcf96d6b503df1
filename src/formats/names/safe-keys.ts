import { groupBy } from './group-by.ts';
import { safeName, suffixed, type NameRule } from '../../shared/name-rule.ts';

/**
 * The keys of one object in the form that a target allows: original → safe, each safe key once. The order of the keys
 * has no influence.
 */
export function safeKeys(keys: readonly string[], rule: NameRule): ReadonlyMap<string, string> {
  const safe = new Map<string, string>();
  for (const [wanted, group] of groupBy(keys, (key) => safeName(key, rule, key))) {
    const keeper = group.length === 1 ? group[0] : group.find((key) => key === wanted);
    for (const key of group) safe.set(key, key === keeper ? wanted : suffixed(wanted, rule, key));
  }
  return safe;
}
