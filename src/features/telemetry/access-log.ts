import { createHash } from 'node:crypto';
import type { LogRecord } from '../../call/logger.ts';
import { redactText } from '../../errors/redact.ts';
import { isRevisionOf2026 } from '../../shared/protocol.ts';
import {
  factsOf,
  type CallLogging,
  type LogSource,
  type RefusalFacts,
  type RefusedSender,
  type RequestObserver,
} from '../../runtime/logging/log-records.ts';
import { secretsOf } from '../../runtime/logging/call-secrets.ts';
import type { Observation, ObservedEnd, ObservedRequest, Telemetry } from '../../kernel/call/telemetry.ts';

/** Logs one record for each request, when it has ended. */
export class AccessLog implements RequestObserver {
  readonly #logging: CallLogging;
  readonly #telemetry: Telemetry | undefined;
  readonly #hashes = new SessionHashes();

  /** @param telemetry what else observes the requests */
  constructor(logging: CallLogging, telemetry: Telemetry | undefined) {
    this.#logging = logging;
    this.#telemetry = telemetry;
  }

  begin(request: ObservedRequest, call: LogSource): Observation {
    return new LoggedObservation(request, call, this.#telemetry?.begin(request), this.#logging, this.#hashes);
  }

  refused({ requestId, ...refusal }: RefusalFacts, { authInfo, headers, address }: RefusedSender): void {
    const header = (name: string): string | undefined => headers.get(name) ?? undefined;
    const sessionId = header('mcp-session-id');
    const call = { requestId, authInfo, header, retry: undefined };
    const members = {
      ...refusal,
      transport: 'http',
      address,
      userAgent: shortText(header('user-agent'), call, this.#logging),
      session: sessionId && hashSession(sessionId),
      ...factsOf(call, this.#logging),
    };
    const message = [refusal.httpStatus, refusal.reason].filter((part) => part !== undefined).join(' ');
    const record: LogRecord = { level: 'info', event: 'request.refused', message: `HTTP ${message}` };
    this.#logging.logger.log({ ...record, ...known(members) });
  }
}

/** The request, and the run of the task that it became, each have a record of their own. */
class LoggedObservation implements Observation {
  readonly #request: ObservedRequest;
  readonly #call: LogSource;
  readonly #inner: Observation | undefined;
  readonly #logging: CallLogging;
  readonly #hashes: SessionHashes;
  #begun = performance.now();
  #isTask: boolean;

  constructor(
    request: ObservedRequest,
    call: LogSource,
    inner: Observation | undefined,
    logging: CallLogging,
    hashes: SessionHashes,
  ) {
    this.#hashes = hashes;
    this.#request = request;
    this.#call = call;
    this.#inner = inner;
    this.#logging = logging;
    // In the process of a worker it is one from the beginning
    this.#isTask = call.origin?.task !== undefined;
  }

  get trace(): Observation['trace'] {
    return this.#inner?.trace;
  }

  run<Result>(work: () => Result): Result {
    return this.#inner === undefined ? work() : this.#inner.run(work);
  }

  enter: Observation['enter'] = (part, work) =>
    this.#inner === undefined ? work() : this.#inner.enter(part, work);

  leave: Observation['leave'] = (part, work) =>
    this.#inner === undefined ? work() : this.#inner.leave(part, work);

  inject: Observation['inject'] = (params) => this.#inner?.inject(params) ?? params;

  ask<Result>(method: string, work: () => Promise<Result>): Promise<Result> {
    return this.#inner?.ask?.(method, work) ?? work();
  }

  detach(): void {
    this.#log({ outcome: 'task' });
    this.#begun = performance.now();
    this.#isTask = true;
    this.#inner?.detach();
  }

  end(end: ObservedEnd): void {
    const { errorCode, status, size } = end;
    this.#log({ outcome: outcomeOf(end), code: errorCode, status, bytes: size });
    this.#inner?.end(end);
  }

  #log({ outcome, ...others }: { readonly outcome: string; readonly [member: string]: unknown }): void {
    const { method, tool, action, prompt, resource, carrier, protocolVersion, address, sessionId } =
      this.#request;
    const { name, version } = this.#call.client?.() ?? {};
    const target = tool === undefined ? (prompt ?? resource) : [tool, action].join('/').replace(/\/$/, '');
    const members = {
      method,
      kind: this.#isTask ? 'task' : (KINDS.get(method) ?? 'method'),
      outcome,
      ...others,
      durationMs: Math.round((performance.now() - this.#begun) * 1000) / 1000,
      protocolVersion,
      era: protocolVersion && (isRevisionOf2026(protocolVersion) ? '2026' : '2025'),
      address,
      client: shortText(name, this.#call, this.#logging),
      clientVersion: shortText(version, this.#call, this.#logging),
      session: this.#hashes.read(sessionId),
      transport: carrier ?? (this.#call.origin?.served.isLocal === true ? 'local' : undefined),
      ...factsOf(this.#call, this.#logging),
    };
    const message = `${[method, target].filter((part) => part !== undefined).join(' ')}: ${outcome}`;
    const record: LogRecord = { level: 'info', event: 'request.served', message };
    this.#logging.logger.log({ ...record, ...known(members) });
  }
}

/** Of texts that clients choose. */
const MAX_TEXT_LENGTH = 100;

function shortText(
  text: string | undefined,
  call: Parameters<typeof secretsOf>[0],
  { hidden = [] }: CallLogging,
): string | undefined {
  return text && redactText(text.slice(0, MAX_TEXT_LENGTH), secretsOf(call, hidden));
}

/** Sessions whose hash is known, so that it is computed once for a session and not for each request. */
const MAX_HASHES = 10_000;

class SessionHashes {
  #hashes = new Map<string, string>();

  /** @param sessionId of a session that exists: other ids are as many and as long as clients like */
  read(sessionId: string | undefined): string | undefined {
    if (sessionId === undefined) return undefined;
    let hash = this.#hashes.get(sessionId);
    if (hash === undefined) {
      hash = hashSession(sessionId);
      if (this.#hashes.size >= MAX_HASHES) this.#hashes = new Map();
      this.#hashes.set(sessionId, hash);
    }
    return hash;
  }
}

/** A reader of the log must not be able to go on with the session: without sign-in its id is enough for that. */
function hashSession(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex').slice(0, 16);
}

function known(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Of other methods it is `method`. */
const KINDS = new Map<string, string>([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
  ['completion/complete', 'completion'],
]);

/**
 * A failure of the protocol is an `error`; its code is the `status`. `cancelled` is a call that ended because its client
 * gave up, and `abandoned` one that went on to its end all the same.
 */
function outcomeOf({ errorType, errorCode, resultType }: ObservedEnd): string {
  if (errorCode === 'CANCELLED') return 'cancelled';
  if (resultType === 'abandoned') return resultType;
  if (errorType === 'tool_error') return errorType;
  if (errorType !== undefined) return 'error';
  return resultType === undefined || resultType === 'complete' ? 'ok' : resultType;
}
