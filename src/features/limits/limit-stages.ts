import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import { failureResult } from '../../call/result-helpers.ts';
import type { CompileStage as CompileAttemptStage } from '../../kernel/call/stage.ts';
import { ToolContext } from '../../call/tool-context.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { cutText } from '../../call/issue.ts';
import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { Slots } from '../../shared/slots.ts';
import type { Call } from '../../kernel/call/call.ts';
import { challengeOf, failureOf, resultOf, type Outcome } from '../../kernel/call/outcome.ts';
import type { Charge, CompileStage, RouteSettings } from '../../runtime/routes/route.ts';
import type { CallTarget } from '../../kernel/call/service-request.ts';
import type { LimitCharge } from '../../runtime/store/limit-store.ts';
import { UNAVAILABLE } from './store-failures.ts';
import type {} from './call-fields.ts';
import { countedCharge, slotOf, type CountedLimit, type LimitState } from './limit-state.ts';
import type { ScannedLimit } from './scanned-limits.ts';

/**
 * Counts the calls that begin. What answers a question belongs to a call that is counted already, so it does not come
 * here, unless it is the same answer once more: see `RoundTrips`.
 */
export const compileLimit: CompileStage = (target, settings) => {
  const charge = compileCharge(target, settings);
  if (charge === undefined) return undefined;
  return (next) => (call) =>
    thenMaybe(charge(call), (refusal) => (refusal === undefined ? next(call) : refusal));
};

/** What counts the calls of a target; undefined where nothing limits them. */
function compileCharge(target: CallTarget, { states, logger }: RouteSettings): Charge | undefined {
  const { limits } = states;
  if (limits === undefined) return undefined;
  const counted = limitsOf(target, limits).filter((limit) => limit.kind !== 'concurrency');
  if (counted.length === 0) return undefined;
  return (call) => {
    const charges: LimitCharge[] = [];
    const charged: CountedLimit[] = [];
    for (const limit of counted) {
      const charge = countedCharge(limit, call);
      if (charge === undefined) continue;
      charges.push(charge);
      charged.push(limit);
    }
    if (charges.length === 0) return undefined;
    return thenMaybe(limits.stores.charge(charges, logger), (refusal) => {
      if (refusal === undefined) return undefined;
      if (refusal === UNAVAILABLE) return uncounted(target);
      const refusing = charged[refusal.index] as CountedLimit;
      limits.countRefusal(refusing.id);
      return refuse(refusing, refusal.retryAfter, target, call);
    });
  };
}

const POLLS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', 'tasks/list']);

/** Those of a prompt or resource are not those of what completes it: clients complete with every key. */
function limitsOf(
  { kind, method, handler }: CallTarget,
  { ofCalls, ofPolls }: LimitState,
): readonly ScannedLimit[] {
  if (POLLS.has(method)) return ofPolls;
  // They end work, or carry the answers of a call that was counted
  if (method.startsWith('tasks/') || method === 'resources/unsubscribe') return [];
  return handler === undefined || kind === 'completion' ? ofCalls : keptIn(handler.bound);
}

function keptIn(bound: Slots): readonly ScannedLimit[] {
  return (bound['limits'] as readonly ScannedLimit[] | undefined) ?? [];
}

function refuse(limit: CountedLimit, wait: number, target: CallTarget, { params }: Call): Outcome {
  const retryAfter = Math.ceil(wait / 1000);
  const isQuota = limit.kind === 'quota';
  const code = isQuota ? 'QUOTA_EXCEEDED' : 'RATE_LIMITED';
  const what = isQuota ? `The quota of calls per ${limit.per} is used up` : 'Too many calls';
  const message = `${what}; try again in ${String(retryAfter)} s`;
  const { method, action } = target;
  if (method !== 'tools/call') {
    return failureOf(new ProtocolError(INTERNAL_ERROR, message, { code, retryAfter }));
  }
  const tool = cutText(String(params['name']));
  const headline = `[${action === undefined ? tool : `${tool}/${action}`}] ${message}`;
  return resultOf(failureResult({ code, message, headline, tool, action, retryAfter }));
}

/** While no call may pass uncounted: 503 over HTTP, because it is not what the call asks for that is wrong. */
function uncounted({ action }: CallTarget): Outcome {
  const facts = { code: 'TRY_AGAIN_LATER', retryAfter: RETRY_AFTER };
  const error = new ProtocolError(
    INTERNAL_ERROR,
    UNCOUNTED,
    action === undefined ? facts : { ...facts, action },
  );
  return challengeOf(error, { status: 503, headers: { 'retry-after': String(RETRY_AFTER) } });
}

const UNCOUNTED = 'The server cannot count calls now; nothing was done';

/** Nobody knows when a call ends that runs now. */
const RETRY_AFTER = 1;

/** Runs no more calls at once than the limits of the handler allow. A call has its slots until its handler has ended. */
export const compileSlots: CompileAttemptStage = (_callable, { bound }) => {
  const concurrent = keptIn(bound).filter((limit) => limit.kind === 'concurrency');
  if (concurrent.length === 0) return undefined;
  return (next) => (attempt) => {
    const { call, context } = attempt;
    const { limits } = call.states;
    if (limits === undefined) return next(attempt);
    const wanted = concurrent.flatMap((limit) => slotOf(limit, call) ?? []);
    if (wanted.length === 0) return next(attempt);
    const signal = (): AbortSignal => (context instanceof ToolContext ? context.signal : call.signal);
    return thenMaybe(limits.stores.take(wanted, signal, attempt.logger), (release) => {
      if (release === undefined) {
        // A store does not say which of them is used up
        limits.countRefusal(concurrent.map(({ id }) => id).join());
        throw tooMany();
      }
      if (release === UNAVAILABLE)
        throw new ToolError('TRY_AGAIN_LATER', UNCOUNTED, { retryAfter: RETRY_AFTER });
      return holding(() => next(attempt), release);
    });
  };
};

/** Gives the slots back when the work has ended, however it ends. */
function holding(work: () => unknown, release: () => void): unknown {
  let ended: unknown;
  try {
    ended = work();
  } catch (thrown) {
    release();
    throw thrown;
  }
  if (!(ended instanceof Promise)) {
    release();
    return ended;
  }
  return ended.finally(release);
}

function tooMany(): ToolError {
  const message = `Too many calls are running; try again in ${String(RETRY_AFTER)} s`;
  return new ToolError('CONCURRENCY_LIMITED', message, { retryAfter: RETRY_AFTER });
}
