import { isNotNull } from '../../../metadata/records.ts';
import type { Condition } from '../../../shape/shape.ts';
import type { ConditionPlan } from './check-plan.ts';

const PROBES: readonly unknown[] = [undefined, null, '', 'a', 0, 1, false, true, Number.NaN, [], {}];

export function planConditions(conditions: readonly Condition[], property: string): readonly ConditionPlan[] {
  return conditions.map(({ kind, original }) => {
    if (original === isNotNull) return { asks: 'notNull' };
    const isInline = kind === 'optional' && isPresence(original, property);
    return isInline ? { asks: 'present' } : { asks: 'test', test: original };
  });
}

/** True when a condition does what @IsOptional does. */
function isPresence(original: Condition['original'], property: string): boolean {
  try {
    return PROBES.every(
      (value) => Boolean(original({ [property]: value }, value)) === (value !== undefined && value !== null),
    );
  } catch {
    return false;
  }
}
