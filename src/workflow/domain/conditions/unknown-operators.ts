import { isPlainObject, jsonEntries } from '../../../shared/json.ts';
import { comparatorOf } from './comparators.ts';

const CONNECTIVES = ['and', 'or', 'not'];

/**
 * The names in a condition that no operator has, in document order. It looks at nothing else, so a million levels
 * are no trouble.
 *
 * @param seen parts that were looked at already; grows
 */
export function unknownOperators(condition: unknown, seen: Set<unknown>, most: number): readonly string[] {
  const names: string[] = [];
  const pending: (readonly [name: string, value: unknown])[] = [['not', condition]];
  for (let member = pending.pop(); member !== undefined && names.length < most; member = pending.pop()) {
    const [name, value] = member;
    if (CONNECTIVES.includes(name)) {
      for (const inner of conditionsIn(value, seen).toReversed())
        for (const innerMember of jsonEntries(inner).toReversed()) pending.push(innerMember);
    } else if (name !== 'var' && comparatorOf(name) === undefined) names.push(name);
  }
  return names;
}

function conditionsIn(value: unknown, seen: Set<unknown>): readonly Readonly<Record<string, unknown>>[] {
  const conditions = (Array.isArray(value) ? value : [value]).filter(isPlainObject);
  return conditions.filter((condition) => {
    const isNew = !seen.has(condition);
    seen.add(condition);
    return isNew;
  });
}
