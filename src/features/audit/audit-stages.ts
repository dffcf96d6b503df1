import type { AuditOptions } from '../../audit/audit-options.ts';
import type { AuditFacts, AuditKind } from '../../audit/audit-record.ts';
import { subjectOf } from '../../call/subject.ts';
import { canonicalArguments, shownArguments } from '../../compile/stages/bound-arguments.ts';
import type { Attempt } from '../../kernel/call/attempt.ts';
import type { CompileStage as CompileAttemptStage, StagedCallable } from '../../kernel/call/stage.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { isPlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Slots } from '../../shared/slots.ts';
import type { Call } from '../../kernel/call/call.ts';
import { CONSENT_META_KEY, needsConsent } from '../consent/index.ts';
import { REPLAY_META_KEY } from '../idempotency/index.ts';
import { failureFactsOf, isFailure, type Outcome } from '../../kernel/call/outcome.ts';
import type { CompileStage } from '../../runtime/routes/route.ts';
import type { CallTarget } from '../../kernel/call/service-request.ts';
import { recordedKinds, type AuditLog, type CallAudit } from './audit-log.ts';
import type {} from './call-fields.ts';

const DENIALS: ReadonlySet<unknown> = new Set(['UNAUTHENTICATED', 'INSUFFICIENT_SCOPE', 'FORBIDDEN']);
const DECLINED = 'CONSENT_DECLINED';
/** Seconds after which a call can be sent again that could not be recorded. */
const RETRY_AFTER = 5;
/** Callers choose the names of what does not exist. */
const LONGEST_NAME = 200;
const STEP = 'toolwright/audit';

/** Records how calls end. */
export const compileAudit: CompileStage = (target, { states }) => {
  const { audit } = states;
  const { kind, handler, remote } = target;
  const isPlain = (kind === 'method' && remote === undefined) || kind === 'completion';
  if (audit === undefined || isPlain) return undefined;
  const marks = remote ?? (handler as Marks | undefined);
  const isWatched = marks !== undefined && isRecorded(audit.kinds, marks, handler?.bound ?? {});
  if (!isWatched && !audit.kinds.has('denied')) return undefined;
  return (next) => (call) => {
    const audited = new CallAuditor(audit, target, call, isWatched);
    call.audited = audited;
    const ended = async (outcome: Outcome): Promise<Outcome> => {
      await audited.end(outcome);
      return outcome;
    };
    const failed = async (thrown: unknown): Promise<never> => {
      await audited.end(undefined);
      throw thrown;
    };
    let work: MaybePromise<Outcome>;
    try {
      work = next(call);
    } catch (thrown) {
      return failed(thrown);
    }
    if (work instanceof Promise) return work.then(ended, failed);
    return audited.concerns(work) ? ended(work) : work;
  };
};

/** Records what is about to run. It stands where everything has been decided, and nothing has been done. */
export function recordAttempts(options: AuditOptions): CompileAttemptStage {
  const kinds = recordedKinds(options);
  return (callable, { bound }) => {
    if (!isRecorded(kinds, callable, bound)) return undefined;
    const { onFailure = callable.isDestructive === true ? 'refuse' : 'continue' } = options;
    return (next) => async (attempt) => {
      await attempt.call.audited?.begin(attempt, onFailure);
      return next(attempt);
    };
  };
}

type Marks = Pick<StagedCallable, 'isDestructive' | 'isReadOnly'>;

/** @param callable prompts and resources have no marks */
function isRecorded(kinds: ReadonlySet<AuditKind>, callable: Marks, bound: Slots): boolean {
  const { isDestructive, isReadOnly = isDestructive === undefined } = callable;
  if (isDestructive === true && kinds.has('destructive')) return true;
  return (needsConsent(bound) && kinds.has('consent')) || kinds.has(isReadOnly ? 'read' : 'write');
}

/** One call, as far as its audit needs it. */
class CallAuditor implements CallAudit {
  readonly #log: AuditLog;
  readonly #target: CallTarget;
  readonly #call: Call;
  readonly #isWatched: boolean;
  readonly #since = performance.now();
  /** The id of the attempt; null where it could not be stored. */
  #attempt: string | null | undefined;
  #facts: Partial<AuditFacts> = {};

  constructor(log: AuditLog, target: CallTarget, call: Call, isWatched: boolean) {
    this.#log = log;
    this.#target = target;
    this.#call = call;
    this.#isWatched = isWatched;
  }

  /**
   * Records that a run begins, once for all runs of a call.
   * @throws ToolError TRY_AGAIN_LATER where it cannot be recorded, and must be
   */
  async begin(attempt: Attempt, onFailure: 'refuse' | 'continue'): Promise<void> {
    const { options } = this.#log;
    this.#facts = {
      version: attempt.place.version,
      argumentsHash: this.#log.hashOf(canonicalArguments(attempt)),
      arguments: options.arguments === true ? shownArguments(attempt) : undefined,
      consent: attempt.acknowledged,
    };
    const record: AuditFacts = { type: 'attempt', ...this.#caller(), ...this.#facts, decision: 'allowed' };
    this.#attempt = await attempt.call.step(STEP, async () => {
      try {
        return await this.#log.append(record);
      } catch (error) {
        if (onFailure === 'continue') return null;
        throw notRecorded(error);
      }
    });
  }

  /** Whether an outcome is recorded. A question is none: the call goes on with the answer. */
  concerns(outcome: Outcome | undefined): boolean {
    if (outcome === undefined) return this.#isWatched;
    const { resultType } = (outcome.kind === 'failure' ? {} : outcome.value) as {
      readonly resultType?: unknown;
    };
    if (resultType === 'input_required') return false;
    return (
      this.#isWatched || (this.#log.kinds.has('denied') && DENIALS.has(failureFactsOf(outcome)?.['code']))
    );
  }

  /** @param outcome undefined for a fault of the server */
  async end(outcome: Outcome | undefined): Promise<void> {
    if (!this.concerns(outcome)) return;
    const code = outcome && failureFactsOf(outcome)?.['code'];
    const { argumentsHash = this.#log.hashOf(canonicalArguments({ input: this.#call.args })) } = this.#facts;
    const { arguments: _, ...facts } = this.#facts;
    await this.#log.note({
      type: 'outcome',
      ...this.#caller(),
      ...facts,
      argumentsHash,
      consent: textIn(outcome, CONSENT_META_KEY, 'acknowledged') ?? facts.consent,
      decision: readDecision(code),
      outcome: this.#outcomeOf(outcome),
      errorCode: outcome === undefined ? 'INTERNAL_ERROR' : readErrorCode(outcome, code),
      duration: Math.round(performance.now() - this.#since),
      attempt: this.#attempt ?? undefined,
    });
  }

  #caller(): Partial<AuditFacts> {
    const { origin, authInfo, params, meta } = this.#call;
    const { name = params['name'] ?? params['uri'], action } = this.#target;
    const { carrier } = this.#call.context;
    const local = origin.served.isLocal ? 'process' : 'stdio';
    const traceparent = meta['traceparent'] ?? this.#call.header('traceparent');
    return {
      ...subjectOf(authInfo),
      via: carrier === 'local' ? local : carrier,
      tool: typeof name === 'string' ? name.slice(0, LONGEST_NAME) : undefined,
      action,
      surface: this.#call.surface,
      traceId: typeof traceparent === 'string' ? TRACE_ID.exec(traceparent)?.[1] : undefined,
    };
  }

  #outcomeOf(outcome: Outcome | undefined): AuditFacts['outcome'] {
    const hasRun = this.#attempt !== undefined;
    if (outcome === undefined || isFailure(outcome)) return hasRun ? 'failed' : 'refused';
    if (hasRun) return 'done';
    if (outcome.kind === 'accepted') return 'queued';
    return memberOf(outcome, REPLAY_META_KEY)['replayed'] === true ? 'replayed' : 'done';
  }
}

/** W3C Trace Context, 3.2.2. */
const TRACE_ID = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

function readDecision(code: unknown): AuditFacts['decision'] {
  if (DENIALS.has(code)) return 'denied';
  return code === DECLINED ? 'declined' : 'allowed';
}

/** An error without a code of ours has that of JSON-RPC. */
function readErrorCode(outcome: Outcome, code: unknown): string | undefined {
  if (typeof code === 'string') return code;
  return outcome.kind === 'failure' ? String(outcome.error.code) : undefined;
}

function memberOf(outcome: Outcome, key: string): Readonly<Record<string, unknown>> {
  const { _meta: meta } = (outcome.kind === 'failure' ? {} : outcome.value) as { readonly _meta?: unknown };
  const member = isPlainObject(meta) ? meta[key] : undefined;
  return isPlainObject(member) ? member : {};
}

function textIn(outcome: Outcome | undefined, key: string, name: string): string | undefined {
  const text = outcome && memberOf(outcome, key)[name];
  return typeof text === 'string' ? text : undefined;
}

function notRecorded(cause: unknown): ToolError {
  return new ToolError('TRY_AGAIN_LATER', 'The server cannot record this call now; nothing was done', {
    retryAfter: RETRY_AFTER,
    cause,
  });
}
