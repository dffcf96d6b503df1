import type { Subject } from '../../call/request-context.ts';
import type { PlainObject } from '../../shared/json.ts';
import { objectWith } from '../../shared/option-rules.ts';

/** What a name is recorded as that is not offered, so that callers cannot make series of metrics. */
export const OTHER = '_OTHER';

/** A part of a call that can have a span of its own. */
export type InnerSpan = 'authorize' | 'validate' | 'consent' | 'handler' | 'middleware';

/** A part of a call while it runs; of `middleware`, each has its name. */
export type CallPart = Exclude<InnerSpan, 'middleware'> | `middleware ${string}`;

/** A request, as far as telemetry may know it. What is expensive is made when it is asked for. */
export interface ObservedRequest {
  /** The method of the protocol; `_OTHER` for one that is not known. */
  readonly method: string;
  /** The name of a tool that is called, `_OTHER` for one that the caller is not offered; undefined for other methods. */
  readonly tool: string | undefined;
  /** The key of the action of the tool. */
  readonly action: string | undefined;
  /** The name of a prompt, as that of a tool. */
  readonly prompt: string | undefined;
  /** The name of a resource or template that is read. */
  readonly resource: string | undefined;
  /** The URI of a resource that is read or subscribed to. */
  readonly uri: string | undefined;
  /** The id of the JSON-RPC request. */
  readonly requestId: string | number;
  /** The session of a Streamable HTTP client; undefined elsewhere. */
  readonly sessionId: string | undefined;
  /** The revision of the protocol; undefined where it is not known. */
  readonly protocolVersion: string | undefined;
  /** How it came; undefined in the same process, and where a server of somebody else got it. */
  readonly carrier: 'http' | 'stdio' | undefined;
  /** The version of HTTP, such as `1.1`; undefined where it is not known. */
  readonly httpVersion: string | undefined;
  /** The address of the client; undefined where it is not known. */
  readonly address: string | undefined;
  /** The port of the client, where the address is that of the connection. */
  readonly port: number | undefined;
  /** Whether nobody knows who calls: then its trace context is a link, and never a parent. */
  readonly isAnonymous: boolean;
  /** Who calls; undefined for an anonymous caller. */
  readonly subject: Subject | undefined;
  /** The `_meta` object of the request, which nobody has checked. */
  readonly meta: PlainObject;
  /**
   * Of the run of a task whose call was made elsewhere: the trace context of that call, which nobody has checked, without
   * members where there is none. Undefined for a request.
   */
  readonly callTrace: PlainObject | undefined;
  /** An HTTP header of the request, letter case ignored; undefined on other transports. */
  header(name: string): string | undefined;
  /** The arguments as JSON, without sensitive values and registered secrets. */
  argumentsText(): string | undefined;
}

/** A notification of a client, as far as telemetry may know it: its members are those of {@link ObservedRequest}. */
export type ObservedNotification = Pick<
  ObservedRequest,
  | 'method'
  | 'sessionId'
  | 'protocolVersion'
  | 'carrier'
  | 'httpVersion'
  | 'address'
  | 'port'
  | 'isAnonymous'
  | 'meta'
  | 'header'
>;

/** How a request ended. */
export interface ObservedEnd {
  /** `error.type`: `tool_error`, or the code of the JSON-RPC error; undefined unless it failed. */
  readonly errorType: string | undefined;
  /** The code of the JSON-RPC error; undefined for results. */
  readonly status: number | undefined;
  /** The code that the client is shown, such as `VALIDATION_FAILED`. */
  readonly errorCode: string | undefined;
  /**
   * `complete`, `input_required`, `task`, `stream` for a request that stays open, or `abandoned` where the client gave up and
   * the handler went on to its end; undefined for an error.
   */
  readonly resultType: string | undefined;
  /** Whether the result of an earlier call was given again. */
  readonly isReplayed: boolean;
  /** How the call was agreed to; undefined where nobody had to agree. */
  readonly consent: string | undefined;
  /** The result in bytes, as it is sent; undefined where it is not written as JSON. */
  readonly size: number | undefined;
  /** The result as JSON, without sensitive values and registered secrets. */
  resultText(): string | undefined;
}

/** One request while it is observed. */
export interface Observation {
  /** The ids of its span, for log records; undefined where it has none. */
  readonly trace?: { readonly traceId: string; readonly spanId: string } | undefined;
  /** Runs what answers the request, or its task, so that what happens in it belongs to it. */
  run<Result>(work: () => Result): Result;
  /** Runs one part of it. */
  enter<Result>(part: CallPart, work: () => Result): Result;
  /** The part is over, though what it has called goes on. */
  leave<Result>(part: CallPart, work: () => Result): Result;
  /** The parameters of a request to the client, with the context of this one. */
  inject(params: PlainObject): PlainObject;
  /** Asks the client, and observes how long it takes. Without it, questions are not observed. */
  ask?<Result>(method: string, work: () => Promise<Result>): Promise<Result>;
  /** The request has become a task: that ends it, and the run of the task begins. */
  detach(): void;
  /** The request has ended, or its task. */
  end(end: ObservedEnd): void;
}

/** What is counted. Those that end in `active` go down again. */
export type Counted =
  | 'toolwright.calls.active'
  | 'toolwright.questions.active'
  | 'toolwright.sessions.active'
  | 'toolwright.streams.active'
  | 'toolwright.auth.failures'
  | 'toolwright.limits.rejections'
  | 'toolwright.tasks'
  | 'toolwright.sign_in.steps'
  | 'toolwright.store.failures'
  | 'toolwright.views';

/** What is measured: seconds, and bytes of responses. */
export type Measured =
  | 'mcp.client.operation.duration'
  | 'mcp.server.session.duration'
  | 'toolwright.stream.duration'
  | 'toolwright.response.size'
  | 'toolwright.store.duration'
  | 'toolwright.audit.lag';

/** What is read whenever metrics are collected: numbers of tasks, seconds, and times as seconds since 1970. */
export type Watched = 'toolwright.queue.waiting' | 'toolwright.queue.oldest' | 'toolwright.worker.heartbeat';

/** One value that was read. */
export interface WatchedValue {
  /** What it is a value of. */
  readonly name: Watched;
  /** The value. */
  readonly value: number;
  /** What it is of. */
  readonly attributes: TelemetryAttributes;
}

/** What a count or measurement is of. */
export type TelemetryAttributes = Readonly<Record<string, string>>;

/**
 * Observes an application: its requests as spans, and what it counts and measures. `openTelemetry()` of
 * `toolwright/opentelemetry` is one. It must not throw.
 */
export interface Telemetry {
  /** The parts of calls that it wants to know of. */
  readonly spans: readonly InnerSpan[];
  /** A request begins. */
  begin(request: ObservedRequest): Observation;
  /** A client has sent a notification. Without it, notifications are not observed. */
  notified?(notification: ObservedNotification): void;
  /** Adds to a counter. */
  add(name: Counted, value: number, attributes?: TelemetryAttributes): void;
  /** Records one value, in seconds or bytes. */
  record(name: Measured, value: number, attributes?: TelemetryAttributes): void;
  /** Reads values whenever metrics are collected; without it, they are not read. @returns what ends that */
  watch?(read: () => Promise<readonly WatchedValue[]>): () => void;
}

export const telemetryRule = objectWith('telemetry, such as openTelemetry()', 'begin', 'add', 'record');

/** Something that lasts: a session, a stream. @returns what ends it, once however often it is called */
export function observeLife(
  telemetry: Telemetry | undefined,
  active: Counted,
  duration: Measured,
  attributes?: () => TelemetryAttributes,
): (() => void) | undefined {
  if (telemetry === undefined) return undefined;
  const begun = performance.now();
  let isOver = false;
  telemetry.add(active, 1);
  return () => {
    if (isOver) return;
    isOver = true;
    telemetry.add(active, -1);
    telemetry.record(duration, (performance.now() - begun) / 1000, attributes?.());
  };
}

/** The same store, each operation of which is measured. What only opens or ends something is not. */
export function observeStore<Store extends object>(
  store: Store,
  name: string,
  telemetry: Telemetry | undefined,
): Store {
  if (telemetry === undefined) return store;
  const measured = new Map<PropertyKey, unknown>();
  // Not of the store itself: a proxy has to give the members of a frozen object as they are
  return new Proxy<Store>({} as Store, {
    has: (_, key) => Reflect.has(store, key),
    getPrototypeOf: () => Reflect.getPrototypeOf(store),
    get: (_, key) => {
      const member: unknown = Reflect.get(store, key, store);
      if (typeof member !== 'function' || typeof key === 'symbol') return member;
      const known = measured.get(key) ?? measure(member.bind(store) as Operation, name, key, telemetry);
      measured.set(key, known);
      return known;
    },
  });
}

type Operation = (...args: unknown[]) => unknown;

function measure(run: Operation, store: string, operation: string, telemetry: Telemetry): Operation {
  if (/^(on[A-Z]|close|constructor)/.test(operation)) return run;
  const attributes = { store, operation };
  return (...args) => {
    const begun = performance.now();
    const over = (isFailure: boolean): void => {
      if (isFailure) telemetry.add('toolwright.store.failures', 1, attributes);
      telemetry.record('toolwright.store.duration', (performance.now() - begun) / 1000, attributes);
    };
    let given: unknown;
    try {
      given = run(...args);
    } catch (error) {
      over(true);
      throw error;
    }
    if (given instanceof Promise)
      void given.then(
        () => over(false),
        () => over(true),
      );
    else over(false);
    return given;
  };
}
