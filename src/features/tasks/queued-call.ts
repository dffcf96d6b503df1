import { Cancellation } from '../../call/call-context.ts';
import { VERSIONS_META_KEY } from '../../call/action-options.ts';
import type { AuthInfo, ClientDescription, Retry } from '../../call/request-context.ts';
import type { CallNeeds, StagedCallable } from '../../kernel/call/stage.ts';
import { membersOf, type PlainObject } from '../../shared/json.ts';
import type { Call } from '../../kernel/call/call.ts';
import type { ServedContext } from '../../kernel/call/service-request.ts';
import type { AcceptedCall } from '../../runtime/tasks/task-record.ts';
import type { RestartRule } from '../../kernel/call/service-request.ts';

/** @param version the one that was chosen, which a worker of another release takes as well */
export function acceptCall(
  call: Call,
  version: string | undefined,
  protocol: AcceptedCall['protocol'],
): AcceptedCall {
  const { token: _token, ...caller } = call.authInfo ?? { token: '' };
  const client = call.client();
  return {
    params: { name: call.params['name'], arguments: call.carried ?? call.args },
    requestId: call.requestId,
    sessionId: call.sessionId,
    meta: version === undefined ? call.meta : { ...call.meta, [VERSIONS_META_KEY]: version },
    authInfo: call.authInfo && (caller as Omit<AuthInfo, 'token'>),
    client,
    consent: call.context.consent,
    surface: call.surface,
    isFitted: call.isFitted,
    userAgent: client.name === undefined ? call.header('user-agent') : undefined,
    protocol,
    trace: traceOf(call),
  };
}

/** W3C Trace Context, 3.3.1: the longest state that everybody has to pass on. */
const LONGEST_STATE = 512;

/** Nothing but the two fields, whatever observes the call. */
function traceOf({ observation }: Call): AcceptedCall['trace'] {
  const { traceparent, tracestate } = membersOf(observation?.inject({})['_meta']);
  if (typeof traceparent !== 'string' || traceparent.length > LONGEST_STATE) return undefined;
  const hasState = typeof tracestate === 'string' && tracestate.length <= LONGEST_STATE;
  return hasState ? { traceparent, tracestate } : { traceparent };
}

const NO_ANSWERS: Retry = Object.freeze({ requestState: undefined, inputResponses: {} });

/** The request of an accepted call in the process of its worker, where nobody can be sent anything but by the task. */
export class QueuedOrigin implements ServedContext {
  readonly raw = undefined;
  readonly cancellation = new Cancellation();
  readonly #call: AcceptedCall;

  constructor(call: AcceptedCall) {
    this.#call = call;
  }

  get requestId(): string | number {
    return this.#call.requestId;
  }
  get sessionId(): string | undefined {
    return this.#call.sessionId;
  }
  get meta(): PlainObject {
    return this.#call.meta;
  }
  get consent(): 'granted' | undefined {
    return this.#call.consent;
  }
  get surface(): string | undefined {
    return this.#call.surface;
  }
  get isFitted(): boolean | undefined {
    return this.#call.isFitted;
  }
  get callTrace(): PlainObject {
    return membersOf(this.#call.trace);
  }
  get signal(): AbortSignal {
    return this.cancellation.signal;
  }
  get isCancelled(): boolean {
    return this.cancellation.isCancelled;
  }
  get authInfo(): AuthInfo | undefined {
    const { authInfo } = this.#call;
    return authInfo && { ...authInfo, token: '' };
  }
  get retry(): Retry | undefined {
    return this.#call.protocol === '2026' ? NO_ANSWERS : undefined;
  }

  client(): ClientDescription {
    return this.#call.client;
  }
  header(name: string): string | undefined {
    return name.toLowerCase() === 'user-agent' ? this.#call.userAgent : undefined;
  }
  async notify(): Promise<void> {
    await Promise.resolve();
  }
  async log(): Promise<void> {
    await Promise.resolve();
  }
  request(method: string): Promise<never> {
    return Promise.reject(new Error(`Only its task can ask the client of a queued call (${method})`));
  }
}

/** When a call of an action runs again that was cut off. */
export function findRestartRule(action: StagedCallable, { guardsRestart }: CallNeeds): RestartRule {
  if (guardsRestart === true) return 'again';
  if (action.isDestructive === true) return 'never';
  return action.isReadOnly === true || action.isIdempotent === true ? 'again' : 'steps';
}
