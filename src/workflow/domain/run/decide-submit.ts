import type { WorkflowContext } from '../conditions/condition.ts';
import { findStep } from '../document/find-step.ts';
import type { WorkflowStep } from '../document/workflow-document.ts';
import { completeStep } from './complete-step.ts';
import { conditionScope } from './condition-scope.ts';
import { hasMembers, refuseContext } from './merge-context.ts';
import { needsConfirmation } from './needs-confirmation.ts';
import { refuseClosedStep } from './refuse-change.ts';
import type { Rejection } from './rejection.ts';
import { requestConfirmation } from './request-confirmation.ts';
import type { RunChanges } from './run-changes.ts';
import type { RunCommandData } from './run-command.ts';
import type { StepRef } from './run-event.ts';
import type { CommandLimits } from './command-limits.ts';
import { refOf, type CurrentStep } from './run-state.ts';

type Submission = RunCommandData['submit'];

export function decideSubmit(changes: RunChanges, command: Submission): Rejection | undefined {
  const { current } = changes.state;
  const step = current === null ? undefined : findStep(changes.definition, current.stepId);
  if (current === null || step === undefined) return missingStep();
  const rejection = refuseSubmission(changes, command, current);
  if (rejection !== undefined) return rejection;
  if (command.validation === null && step.type !== 'loop') return missingStep();
  submit(changes, command, step, refOf(current));
  return undefined;
}

function refuseSubmission(
  { state, limits }: RunChanges,
  { output, context }: Submission,
  current: CurrentStep,
): Rejection | undefined {
  return (
    refuseClosedStep(state) ??
    refuseAttempt(current, limits) ??
    refuseOutput(output, limits) ??
    refuseContext(state.context, context, limits)
  );
}

function submit(changes: RunChanges, command: Submission, step: WorkflowStep, ref: StepRef): void {
  const { output, context, validation } = command;
  const isAsked = asks(changes, step, context);
  changes.record('OutputSubmitted', { ...ref, output, ...(hasMembers(context) && { context }) });
  if (validation !== null) changes.record('ValidationPerformed', { ...ref, valid: validation.valid });
  if (validation?.valid === false) {
    const { issues, details, suggestions } = validation;
    changes.record('StepBlocked', { ...ref, issues, details, suggestions });
  } else if (isAsked) requestConfirmation(changes, ref);
  else completeStep(changes, context);
}

/** What an agent hands in can call for a confirmation, and never call one off. */
function asks(
  { state, definition }: RunChanges,
  step: WorkflowStep,
  context: WorkflowContext | undefined,
): boolean {
  const stored = needsConfirmation(step, conditionScope(state, definition));
  return stored || needsConfirmation(step, conditionScope(state, definition, context));
}

/** Why an output is not even judged. */
export function refuseOutput(output: string, { maxOutputBytes }: CommandLimits): Rejection | undefined {
  const bytes = Buffer.byteLength(output);
  if (bytes <= maxOutputBytes) return undefined;
  return {
    code: 'OUTPUT_TOO_LARGE',
    message: `The output has ${bytes} bytes; ${maxOutputBytes} are the most.`,
    details: { bytes, limit: maxOutputBytes },
  };
}

function refuseAttempt(
  { stepId, attempts }: CurrentStep,
  { maxAttempts }: CommandLimits,
): Rejection | undefined {
  if (attempts < maxAttempts) return undefined;
  return {
    code: 'ATTEMPTS_EXHAUSTED',
    message: `Step "${stepId}" was submitted ${attempts} times without success, and takes no more.`,
    details: { stepId, attempts },
  };
}

function missingStep(): Rejection {
  return { code: 'STATE_ERROR', message: 'No step of the run is open that an output could be for.' };
}
