import { compileConversion, compileScope, compileValidation } from '../compile/stages/attempt.ts';
import type { Rings } from './routes/route.ts';
import { compileAuthorization, compilePermission } from './requirements/authorize.ts';
import { compileState } from './replay/replay-engine.ts';
import { compileAdmission, compileRounds } from './service.ts';

/**
 * The stages of a call, in the order in which it enters them. Each is compiled once for each action, prompt, resource,
 * completion and method, and for what is not there; where it has nothing to do, it is absent.
 *
 * Features add their stages at the places that are `undefined` here: see `app/features.ts`. What it
 * keeps from call to call it makes when it is compiled, because it is composed with more than one way to go on.
 */
export const STAGES: Rings = Object.freeze({
  /** Passed by each request. */
  request: Object.freeze({
    /** There where classes of the application log, see `withCallLog`. */
    log: undefined,
    observe: undefined,
    audit: undefined,
    authorize: compileAuthorization,
    admit: compileAdmission,
  }),
  /**
   * Passed by a call once, though it takes several requests where its client answers questions by calling again: then
   * only `task` and `rounds` are passed with each.
   */
  conversation: Object.freeze({
    state: compileState,
    limit: undefined,
    task: undefined,
    rounds: compileRounds,
  }),
  /**
   * Passed by each run of the handler. The version was chosen before, because it decides whose stages run; the last is
   * the middleware with the handler in it. Those that act on what a handler gave (fit, convert) stand where they are
   * entered, so on the way out convert comes before fit. `recall`, `confirm` and `claim` need the validated arguments;
   * what `confirm` asks is replayed like every question. What follows `queue` runs in the process of a worker.
   */
  attempt: Object.freeze({
    timeout: undefined,
    validate: compileValidation,
    permit: compilePermission,
    recall: undefined,
    queue: undefined,
    confirm: undefined,
    claim: undefined,
    slot: undefined,
    audit: undefined,
    begin: undefined,
    scope: compileScope,
    fit: undefined,
    convert: compileConversion,
  }),
});
