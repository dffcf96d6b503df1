import { decide } from '../../domain/run/decide.ts';
import type { Rejection, CommandFacts, RunCommand } from '../../domain/run/run-command.ts';
import type { Actor, RunEvent } from '../../domain/run/run-event.ts';
import { loadRun, type LoadedRun } from './load-run.ts';
import { recordChange, recordedView } from './record-change.ts';
import type { RequestIdentity } from './request-identity.ts';
import { contended, refusedError } from './run-errors.ts';
import type { RunParts } from './run-parts.ts';
import type { RunView } from './run-view.ts';
import { viewOf } from './view-of.ts';

/** A change of a run that its caller may see. */
export interface RunChange {
  readonly runId: string;
  readonly actor: Actor;
  readonly identity: RequestIdentity | undefined;
  /** The view that it answers; without one it is meant for the run as it is, and tried again when others come first. */
  readonly expectedSeq?: number | undefined;
  readonly command: (facts: CommandFacts, run: LoadedRun) => Promise<RunCommand> | RunCommand;
}

const MOST_TRIES = 10;
/** What was answered is not what is there now, so what is there comes along. */
const WITH_VIEW: readonly Rejection['code'][] = ['STALE_SEQUENCE', 'CONFIRMATION_EXPIRED'];

/**
 * Every change of a run goes through here: repeats, expiry, the decision, and others who change it at the same time.
 *
 * @throws WorkflowError for what is refused; `STALE_SEQUENCE` and `CONFIRMATION_EXPIRED` have the current view in their
 * details.
 */
export async function changeRun(parts: RunParts, change: RunChange): Promise<RunView> {
  const { runId, identity, expectedSeq } = change;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const recorded = await recordedView(parts, identity);
    if (recorded !== undefined) return recorded;
    const view = await tryChange(parts, change, await loadRun(parts, runId));
    if (view !== undefined) return view;
    if (expectedSeq !== undefined) throw await overtaken(parts, runId, expectedSeq);
  }
  throw contended(runId);
}

async function tryChange(
  parts: RunParts,
  { runId, actor, identity, command }: RunChange,
  run: LoadedRun,
): Promise<RunView | undefined> {
  const { state, definition } = run;
  const at = new Date(parts.clock()).toISOString();
  const facts = { at, actor, definition, limits: parts.limits };
  const decided = decide(state, await command(facts, run));
  if (decided.rejection !== undefined) {
    await recordOverdue(parts, runId, run, decided.overdue);
    throw await refused(parts, runId, decided.rejection);
  }
  if (decided.events.length === 0) return viewOf(parts, runId, state, definition);
  return recordChange(parts, { runId, ...run, events: decided.events, identity });
}

/** What time did is a fact, whoever comes first to record it. */
async function recordOverdue(
  parts: RunParts,
  runId: string,
  run: LoadedRun,
  events: readonly RunEvent[],
): Promise<void> {
  if (events.length > 0) await recordChange(parts, { runId, ...run, events, identity: undefined });
}

async function refused(parts: RunParts, runId: string, rejection: Rejection): Promise<Error> {
  if (!WITH_VIEW.includes(rejection.code)) return refusedError(runId, rejection);
  const { state, definition } = await loadRun(parts, runId);
  const current = { ...rejection, details: { ...rejection.details, actualSeq: state.seq } };
  return refusedError(runId, current, await viewOf(parts, runId, state, definition));
}

function overtaken(parts: RunParts, runId: string, expectedSeq: number): Promise<Error> {
  const message = `The run was changed by somebody else, and is not at seq ${expectedSeq} any more.`;
  return refused(parts, runId, { code: 'STALE_SEQUENCE', message });
}
