import { InvalidConditionError } from '../errors/invalid-condition-error.ts';
import { ConditionCheck } from './condition-check.ts';

// Who needs to know of more has other worries; a condition can have a million.
const MOST_FAULTS = 1000;

/**
 * Checks the form of a condition in every part. No condition (undefined or null) is fine.
 *
 * @param path where the condition stands: an RFC 6901 pointer that the one of the error goes on from
 * @throws InvalidConditionError `INVALID_CONDITION` with a pointer to the first fault, and the unknown members among the
 * first thousand faults
 * @example
 * validateCondition({ var: 'files', gt: 10 });
 */
export function validateCondition(condition: unknown, path = ''): void {
  if (condition === undefined || condition === null) return;
  const { faults, operators } = new ConditionCheck(condition, MOST_FAULTS);
  const [first] = faults;
  if (first === undefined) return;
  const pointer = path + first.path;
  throw new InvalidConditionError(pointer, `The condition at "${pointer}" ${first.what}`, operators);
}
