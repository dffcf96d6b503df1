import { observeCall } from '../observe-call.ts';
import type { RunPage, RunQuery } from '../ports/run-store.ts';
import { pendingStep, type PendingStep } from './pending-step.ts';
import { resolveRun, type UserActor } from './resolve-run.ts';
import type { RunParts } from './run-parts.ts';
import type { Decision } from './run-requests.ts';
import type { RunView } from './run-view.ts';

/**
 * Confirmations out of band: for a page, a chat or a command that a user decides in. Who may decide on what is up to
 * whoever calls it; runs of every tenant are within its reach.
 *
 * @example
 * async function approveAll(confirmations: ConfirmationService): Promise<void> {
 *   const { runs } = await confirmations.pending({ tenant: 'acme', limit: 20 });
 *   for (const { runId } of runs) {
 *     const step = await confirmations.describe(runId);
 *     if (step === null) continue;
 *     const decision = { approved: true, expectedSeq: step.seq };
 *     await confirmations.resolve(runId, decision, { kind: 'user', id: 'ada' });
 *   }
 * }
 */
export class ConfirmationService {
  readonly #parts: RunParts;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** The runs of a tenant that wait for a user. */
  async pending(query: Omit<RunQuery, 'status'>): Promise<RunPage> {
    const { store, clock } = this.#parts;
    const { runs, ...more } = await store.find({ ...query, status: 'awaiting_confirmation' });
    // Some wait in vain, which nobody may have recorded yet
    return { ...more, runs: runs.filter(({ expiresAt }) => clock() < Date.parse(expiresAt)) };
  }

  /** What a run waits for; null if it waits for nobody. @throws WorkflowError `RUN_NOT_FOUND` */
  describe(runId: string): Promise<PendingStep | null> {
    return pendingStep(this.#parts, runId);
  }

  /**
   * Goes on with the step if the user approved of it, else it is blocked with `CONFIRMATION_REJECTED`.
   *
   * @throws WorkflowError `RUN_NOT_FOUND`, `CONFIRMATION_EXPIRED` if it comes too late, `STALE_SEQUENCE` if
   * nothing waits for this decision, `RUN_FINISHED`, `RUN_EXPIRED`, or `INVALID_PARAMS` for an actor that is no user.
   */
  resolve(runId: string, decision: Decision, actor: UserActor): Promise<RunView> {
    return observeCall(this.#parts, 'run.confirm', { runId }, () =>
      resolveRun(this.#parts, runId, decision, actor),
    );
  }
}
