import { WorkflowError } from '../domain/errors/workflow-error.ts';

/**
 * A number that a storage was given, if it is one to count up to.
 * @throws WorkflowError `TW_WORKFLOW_OPTION`
 */
export function checkLimit(owner: string, option: string, value: number): number {
  if (value === Infinity || (Number.isInteger(value) && value >= 0)) return value;
  throw new WorkflowError('TW_WORKFLOW_OPTION', {
    where: `${owner}, option ${option}`,
    message: `The option ${option} is a whole number from 0 on, not ${String(value)}.`,
    details: { option },
    suggestions: [`give ${option} a whole number from 0 on, or leave it out`],
  });
}
