import { withoutUndefined } from '../../../shared/json.ts';
import { decideConfirmation, decideExpire } from './decide-confirmation.ts';
import type { Rejection, RunCommand, RunCommandOf, RunCommandData, CommandLimits } from './run-command.ts';
import { RunChanges, MOST_EVENTS } from './evolve.ts';
import { type RunEvent, type StepRef, type RunState, refOf, type CurrentStep } from './run-state.ts';
import {
  advance,
  completeStep,
  conditionScope,
  hasMembers,
  needsConfirmation,
  requestConfirmation,
} from './advance.ts';
import type { WorkflowContext } from '../conditions/condition.ts';
import { findStep, type WorkflowStep } from '../document/workflow-document.ts';

/** The outcome of a command. */
export type Decided =
  | { readonly events: readonly RunEvent[]; readonly rejection?: undefined }
  /** `overdue` has the events of an earlier expiry, which must be recorded even so. */
  | { readonly rejection: Rejection; readonly overdue: readonly RunEvent[] };

/**
 * Decides on a command from the state and the command alone.
 *
 * If the run or a confirmation is due to expire, it expires before the command applies: the events of the expiry
 * come first, and are recorded whichever view the command answers.
 *
 * @param state - null for a new run
 */
export function decide(state: RunState | null, command: RunCommand): Decided {
  const changes = new RunChanges(state, command);
  if (command.type === 'start') return decidedStart(changes, state, command);
  if (state === null) return refused({ code: 'RUN_NOT_FOUND', message: 'The run does not exist.' });
  // Cancelling again succeeds without a change
  if (command.type === 'cancel' && state.status === 'cancelled') return { events: [] };
  decideExpire(changes);
  const overdue = [...changes.events];
  const rejection = decideChange(changes, command) ?? refuseLong(changes);
  return rejection === undefined ? { events: changes.events } : { rejection, overdue };
}

function decidedStart(changes: RunChanges, state: RunState | null, command: RunCommandOf<'start'>): Decided {
  if (state !== null) return refused({ code: 'STATE_ERROR', message: 'The run has started already.' });
  const rejection = decideStart(changes, command) ?? refuseLong(changes);
  return rejection === undefined ? { events: changes.events } : refused(rejection);
}

function decideChange(
  changes: RunChanges,
  command: Exclude<RunCommand, { type: 'start' }>,
): Rejection | undefined {
  if (command.type === 'expire') return undefined;
  const rejection = refuseFinished(changes.state) ?? refuseStale(changes, command.expectedSeq);
  if (rejection !== undefined) return rejection;
  switch (command.type) {
    case 'submit':
      return decideSubmit(changes, command);
    case 'inform':
      return decideInform(changes, command);
    case 'resolve':
      return decideConfirmation(changes, command);
    case 'checkpoint':
      // Notes change nothing else, so they are accepted even while the run awaits a user
      changes.record('Checkpointed', { notes: command.notes });
      return undefined;
    case 'cancel':
      changes.record('RunCancelled', withoutUndefined({ reason: command.reason }));
      return undefined;
    case 'reset':
      return decideReset(changes);
  }
}

function refused(rejection: Rejection): Decided {
  return { rejection, overdue: [] };
}

function decideStart(changes: RunChanges, command: RunCommandData['start']): Rejection | undefined {
  const { definition, limits } = changes;
  const { principal, tenant, goal, context } = command;
  const rejection = refuseContext({}, context, limits);
  if (rejection !== undefined) return rejection;
  changes.record('RunStarted', {
    workflowId: definition.id,
    definitionHash: definition.hash,
    ...withoutUndefined({ goal, principal, tenant }),
    ttl: limits.runTtl,
  });
  if (hasMembers(context)) changes.record('ContextMerged', { context });
  advance(changes);
  return undefined;
}

type Submission = RunCommandData['submit'];

function decideSubmit(changes: RunChanges, command: Submission): Rejection | undefined {
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

/** Context from the agent can make a confirmation necessary, but can never remove one. */
function asks(
  { state, definition }: RunChanges,
  step: WorkflowStep,
  context: WorkflowContext | undefined,
): boolean {
  const stored = needsConfirmation(step, conditionScope(state, definition));
  return stored || needsConfirmation(step, conditionScope(state, definition, context));
}

/** Why an output is refused before validation. */
export function refuseOutput(output: string, { outputBytes }: CommandLimits): Rejection | undefined {
  const bytes = Buffer.byteLength(output);
  if (bytes <= outputBytes) return undefined;
  return {
    code: 'OUTPUT_TOO_LARGE',
    message: `The output has ${bytes} bytes; ${outputBytes} are the most.`,
    details: { bytes, limit: outputBytes },
  };
}

function refuseAttempt({ stepId, attempts }: CurrentStep, limits: CommandLimits): Rejection | undefined {
  if (attempts < limits.attempts) return undefined;
  return {
    code: 'ATTEMPTS_EXHAUSTED',
    message: `Step "${stepId}" was submitted ${attempts} times without success, and takes no more.`,
    details: { stepId, attempts },
  };
}

function missingStep(): Rejection {
  return { code: 'STATE_ERROR', message: 'No step of the run is open that an output could be for.' };
}

/**
 * Merges context that came without an output. It does not count as an attempt: the step stays open as it is,
 * and skipped steps stay skipped. Conditions that are tested later see the new context.
 */
function decideInform(changes: RunChanges, { context }: RunCommandData['inform']): Rejection | undefined {
  const { state, limits } = changes;
  const rejection = refuseClosedStep(state) ?? refuseContext(state.context, context, limits);
  if (rejection === undefined && hasMembers(context)) changes.record('ContextMerged', { context });
  return rejection;
}

/** Offers the open step again, unless it has no failed attempts. */
function decideReset(changes: RunChanges): Rejection | undefined {
  const { state } = changes;
  const { current } = state;
  const rejection = refuseClosedStep(state);
  if (rejection === undefined && current !== null && current.attempts > 0) {
    changes.record('StepOffered', refOf(current));
  }
  return rejection;
}

function refuseFinished({ status }: RunState): Rejection | undefined {
  if (status === 'expired') return { code: 'RUN_EXPIRED', message: 'The run is expired.' };
  if (status !== 'completed' && status !== 'cancelled') return undefined;
  return { code: 'RUN_FINISHED', message: `The run is ${status}.`, details: { status } };
}

function refuseStale(
  { startSeq, state: { seq } }: RunChanges,
  expectedSeq: number | undefined,
): Rejection | undefined {
  if (expectedSeq === undefined || expectedSeq === startSeq) return undefined;
  return {
    code: 'STALE_SEQUENCE',
    message: `The run is at seq ${seq}, not ${expectedSeq}.`,
    details: { actualSeq: seq },
  };
}

/** Refuses a decision with too many or too large events; none of them is recorded. */
function refuseLong({ isTooLong, mostItemBytes }: RunChanges): Rejection | undefined {
  if (!isTooLong) return undefined;
  return {
    code: 'STATE_ERROR',
    message: `Going on would take more than ${MOST_EVENTS} events, or ${mostItemBytes} bytes of items: loops go round with all of their steps skipped.`,
    details: { events: MOST_EVENTS, itemBytes: mostItemBytes },
    suggestions: ['give context by which the loops have something to do, or have the workflow corrected'],
  };
}

function refuseClosedStep({ confirmation, current }: RunState): Rejection | undefined {
  if (confirmation === null) return undefined;
  return {
    code: 'AWAITING_CONFIRMATION',
    message: `Step "${current?.stepId ?? ''}" waits for a user to confirm it.`,
    details: { stepId: current?.stepId, expiresAt: confirmation.expiresAt },
  };
}

function refuseContext(
  context: WorkflowContext,
  added: WorkflowContext | undefined,
  { contextBytes }: CommandLimits,
): Rejection | undefined {
  if (added === undefined) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify({ ...context, ...added }));
  if (bytes <= contextBytes) return undefined;
  return {
    code: 'CONTEXT_TOO_LARGE',
    message: `The context would have ${bytes} bytes of JSON; ${contextBytes} are the most.`,
    details: { bytes, limit: contextBytes },
  };
}
