import type {
  AuthInfo,
  Caller,
  RequestContext,
  ClientDescription,
  LogLevel,
  QuestionOptions,
  Retry,
  Whole,
} from '../call/request-context.ts';
import type { Cancellation } from '../call/call-context.ts';
import type { Outcome } from './outcome.ts';
import type { TimedCall } from '../call/time-limit.ts';
import type { PlainObject } from '../shared/json.ts';
import type { Authority } from './requirements/authorization.ts';
import type { RecordedCall } from './audit/audit-log.ts';
import type { Observation } from './telemetry/telemetry.ts';
import { ProtocolError } from '../call/protocol-error.ts';
import type { Limits } from './limits/limits.ts';
import type { ServedContext } from './service-request.ts';
import type { SensitiveValues } from '../errors/redact.ts';
import { ToolError } from '../errors/tool-error.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';

/**
 * The members of `Call` that only pass on to its request, and its messages to the client. A call is the request of a
 * handler that runs again, so every member of a request is here.
 */
export abstract class RequestView implements Omit<Whole<ServedContext>, 'step' | 'startTask' | 'report'> {
  abstract readonly context: ServedContext;
  abstract readonly cancellation: Cancellation;
  abstract readonly isCancelled: boolean;
  /** Lets another process run the call, in the version that was chosen; undefined where it runs here. */
  declare handOver: ((version: string | undefined) => Promise<Outcome>) | undefined;
  /** Called when the call has become a task. */
  declare onAccept: ((value: object) => void) | undefined;
  /** Called when the handler keeps asking after its run is over. */
  declare onAbandon: (() => void) | undefined;
  /** Made with the first progress. */
  declare protected lastProgress: number | undefined;
  /** Those of what serves the call. */
  declare limits: Limits;
  /** Who calls; set where something is required of callers. */
  declare authority: Authority | undefined;
  /** Set where the call names something that does not exist, or that its caller may not see. */
  declare namesNothing: boolean | undefined;
  /** Set where the URI that it names may have a sensitive value in it. */
  declare hidesUri: boolean | undefined;
  /** The sensitive values of its client's answers. */
  declare hidden: SensitiveValues[] | undefined;
  /** Set where the call has a time limit. */
  declare limit: TimedCall['limit'];
  /** Set where somebody observes it. */
  declare observation: Observation | undefined;
  /** Of a call that is recorded, or may have to be. */
  declare audited: RecordedCall | undefined;
  /** Set where it runs once for its key. */
  declare idempotency: RequestContext['idempotency'];

  protected abstract ask(method: string, params: PlainObject, options?: QuestionOptions): Promise<unknown>;

  /** What takes messages to the client; undefined when nobody does any more. */
  protected abstract get sink(): Pick<RequestContext, 'notify' | 'log'> | undefined;

  /** Who calls from this machine, where the request does not say it. */
  declare localCaller: AuthInfo | undefined;

  hide(values: SensitiveValues): void {
    this.hidden = [...(this.hidden ?? []), values];
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }
  get requestId(): string | number {
    return this.context.requestId;
  }
  get sessionId(): string | undefined {
    return this.context.sessionId;
  }
  get meta(): PlainObject {
    return this.context.meta;
  }
  get authInfo(): AuthInfo | undefined {
    return this.context.authInfo ?? this.localCaller;
  }
  get address(): string | undefined {
    return this.context.address;
  }
  get caller(): Caller | undefined {
    return this.authority?.caller;
  }
  get retry(): Retry | undefined {
    return this.context.retry;
  }
  get raw(): unknown {
    return this.context.raw;
  }
  get releaseStream(): (() => void) | undefined {
    return this.context.releaseStream;
  }
  get encoder(): ServedContext['encoder'] {
    return this.context.encoder;
  }
  get carrier(): ServedContext['carrier'] {
    return this.context.carrier;
  }
  get holdStatus(): ServedContext['holdStatus'] {
    return this.context.holdStatus?.bind(this.context);
  }
  get protocolVersion(): string | undefined {
    return this.context.protocolVersion;
  }
  get http(): ServedContext['http'] {
    return this.context.http;
  }
  get callTrace(): ServedContext['callTrace'] {
    return this.context.callTrace;
  }
  get consent(): ServedContext['consent'] {
    return this.context.consent;
  }

  cancel(reason: unknown): void {
    this.cancellation.cancel(reason);
  }

  client(): ClientDescription {
    return this.context.client();
  }

  header(name: string): string | undefined {
    return this.context.header(name);
  }

  /** Asks the client, which stops the time limit of the call. */
  request(method: string, params: PlainObject, options?: QuestionOptions): Promise<unknown> {
    const asking = this.ask(method, params, options);
    return this.limit?.outside(asking) ?? asking;
  }

  async notify(method: string, params: PlainObject): Promise<void> {
    const { sink } = this;
    if (sink === undefined) return;
    const sendable = method === 'notifications/progress' ? this.increased(params) : params;
    if (sendable !== undefined) await sink.notify(method, sendable);
  }

  async log(level: LogLevel, data: unknown, logger: string | undefined): Promise<void> {
    await this.sink?.log(level, data, logger);
  }

  /** Progress must increase, also when the handler runs again, and JSON writes NaN as null. */
  private increased(params: PlainObject): PlainObject | undefined {
    const { progress, total, ...others } = params;
    if (typeof progress !== 'number' || !Number.isFinite(progress)) return undefined;
    if (progress <= (this.lastProgress ?? -Infinity)) return undefined;
    this.lastProgress = progress;
    return Number.isFinite(total) ? params : { progress, ...others };
  }
}

const SERVER_ERROR = -32000;

export function shuttingDown(): ProtocolError {
  return new ProtocolError(SERVER_ERROR, 'The server is shutting down');
}

export function isInterrupted(): ToolError {
  return new ToolError('CANCELLED', 'The call was cancelled');
}

export function isAnswered(method: string): ToolError {
  return new ToolError(
    'CLIENT_UNREACHABLE',
    `The client cannot be asked any more (${method}), because the call is answered`,
    { suggestion: 'wait for every question before the handler comes to its end' },
  );
}

export function isUndeclared(): ToolwrightError {
  return new ToolwrightError('TW_TASK_UNDECLARED', {
    where: 'startTask()',
    what: 'was called by an action that does not become a task.',
    why: 'tools/list says which tools have tasks.',
    fix: "@Action({ task: 'on-demand' })",
  });
}
