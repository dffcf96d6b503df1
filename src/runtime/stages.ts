import { ATTEMPT_STAGES } from '../compile/stages/stages.ts';
import { compileState, compileAdmission, compileRounds } from './service.ts';
import type { Rings } from './route.ts';
import { compileTask } from './tasks/call-as-task.ts';

/**
 * The stages of a call, in the order in which a call enters them. Each is compiled once for each action, prompt,
 * resource, completion and method, and for what is not there; where it has nothing to do, it is absent.
 *
 * A stage is added here, in one line, and in a file of its own; undefined is the place of one that is to come.
 */
export const STAGES: Rings = Object.freeze({
  /** Every request. */
  request: Object.freeze({
    observe: undefined,
    authenticate: undefined,
    authorize: undefined,
    admit: compileAdmission,
  }),
  /**
   * A call, which takes several requests where its client answers questions by calling again: it passes the ring with
   * the first, and `task` and `rounds` with each.
   */
  conversation: Object.freeze({
    state: compileState,
    limit: undefined,
    task: compileTask,
    recall: undefined,
    confirm: undefined,
    claim: undefined,
    rounds: compileRounds,
  }),
  /** Each run of the handler. */
  attempt: ATTEMPT_STAGES,
});
