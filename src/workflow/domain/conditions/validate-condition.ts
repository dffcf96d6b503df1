import { InvalidConditionError } from '../errors/invalid-condition-error.ts';
import { ConditionCheck } from './condition-check.ts';

/**
 * Checks the form of a condition in every part. No condition (undefined or null) is fine.
 *
 * @param path where the condition stands: an RFC 6901 pointer that the one of the error goes on from
 * @throws InvalidConditionError `INVALID_CONDITION` with the unknown members, and a pointer to the first fault
 * @example
 * validateCondition({ var: 'files', gt: 10 });
 */
export function validateCondition(condition: unknown, path = ''): void {
  if (condition === undefined || condition === null) return;
  const { faults, operators } = new ConditionCheck(condition);
  const [first] = faults;
  if (first === undefined) return;
  const pointer = path + first.path;
  throw new InvalidConditionError(pointer, `The condition at "${pointer}" ${first.what}`, operators);
}
