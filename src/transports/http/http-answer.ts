import type { Logger } from '../../call/logger.ts';
import type { EngineReply, HttpCarrier } from '../../engine/revision.ts';
import { encodedBytes, encodedText, replyText, type ErrorReply } from '../../engine/json-rpc/message.ts';
import { METHODS_2026 } from '../../engine/protocol.ts';
import { jsonRpcCodes, jsonRpcError, type ReplyId } from '../../engine/json-rpc/json-rpc-error.ts';
import type { RefusalFacts } from '../../runtime/logging/log-records.ts';
import type { ServiceSettings } from '../../runtime/routes/route.ts';
import type { Counted, Telemetry, TelemetryAttributes } from '../../kernel/call/telemetry.ts';
import { EncodedResult, type Challenge } from '../../kernel/call/outcome.ts';

/** An answer that is complete before it is sent. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text in pieces, where it was written before. */
  readonly bytes?: readonly Uint8Array[] | undefined;
}

/** The answer to an HTTP request: a text, or a fetch response, whose body may be a stream. */
export type HttpAnswer = PlainAnswer | Response;

export const JSON_HEADERS: PlainAnswer['headers'] = Object.freeze({ 'content-type': 'application/json' });

/** The answer to a notification or a response. */
export const ACCEPTED: PlainAnswer = Object.freeze({ status: 202, headers: Object.freeze({}), text: '' });

export function isPlainAnswer(answer: HttpAnswer): answer is PlainAnswer {
  return !('body' in answer);
}

export function toResponse(answer: HttpAnswer): Response {
  if (!isPlainAnswer(answer)) return answer;
  const { text, status, headers } = answer;
  return new Response(text === '' ? null : text, { status, headers });
}

/** The response to a request that the engine answers. */
export function answerOf(
  { id, reply, status }: EngineReply,
  report: (error: Error) => void,
  headers = JSON_HEADERS,
): PlainAnswer {
  if (reply instanceof EncodedResult) return new EncodedAnswer(reply, id, headers);
  return { status, headers, text: replyText(reply, id, report) };
}

/** The response to a request that could not be answered. Anything but a refusal goes to the log. */
export function answerOfError(
  error: unknown,
  sender: Pick<HttpCarrier, 'authInfo' | 'headers' | 'address'>,
  { telemetry, observer }: Pick<ServiceSettings, 'telemetry' | 'observer'>,
  log: Logger,
): PlainAnswer {
  const refusal = error instanceof HttpRefusal ? error : failed(error, log);
  refusal.countIn(telemetry);
  observer?.refused?.(refusal.facts, sender);
  return refusal.toAnswer();
}

function failed(cause: unknown, log: Logger): HttpRefusal {
  const message = 'An HTTP request could not be served.';
  log.log({ level: 'error', event: 'http.failed', message, cause });
  return new HttpRefusal(500, 'Internal error', { code: jsonRpcCodes.internalError });
}

/**
 * A challenge that names the metadata of the surface whose path was called: clients compare its resource with the URL that
 * they called (RFC 9728, 3.3).
 */
export function challengeAt(
  challenge: string,
  checked: { readonly surfacePath: string } | undefined,
): string {
  return challenge.replace(/resource_metadata="[^"]*/, (named) => `${named}${checked?.surfacePath ?? ''}`);
}

/** How a request failed. */
interface RequestFailure {
  readonly method: string;
  readonly headers: PlainAnswer['headers'];
  /** The reply as JSON. */
  readonly text: string;
  readonly challenge: Challenge | undefined;
  /** What the guards found. */
  readonly checked: { readonly surfacePath: string } | undefined;
}

/** The response to a request that failed. */
export function errorAnswer(reply: ErrorReply, failed: RequestFailure): PlainAnswer {
  const { method, headers, text, challenge, checked } = failed;
  if (challenge === undefined) return { status: statusOf(reply, method), headers, text };
  const challenges = Object.entries(challenge.headers).map(([name, value]) => [
    name,
    challengeAt(value, checked),
  ]);
  return {
    status: challenge.status,
    headers: { ...(Object.fromEntries(challenges) as PlainAnswer['headers']), ...headers },
    text,
  };
}

/** Errors that go with a status of their own (spec 2026-07-28: basic, Error Codes), and those of what would stay open. */
function statusOf({ error }: ErrorReply, method: string): number {
  const { missingCapability, invalidParams } = jsonRpcCodes;
  if (error.code === missingCapability) return 400;
  return error.code === invalidParams && METHODS_2026.get(method)?.isStanding === true ? 400 : 200;
}

/** The answer to a request whose result is written already. It is copied for those only who need a text. */
export class EncodedAnswer implements PlainAnswer {
  readonly status = 200;
  readonly headers: PlainAnswer['headers'];
  readonly #reply: EncodedResult;
  readonly #id: string | number;

  constructor(reply: EncodedResult, id: string | number, headers: PlainAnswer['headers']) {
    this.headers = headers;
    this.#reply = reply;
    this.#id = id;
  }

  get text(): string {
    return encodedText(this.#reply, this.#id);
  }

  get bytes(): readonly Uint8Array[] {
    return encodedBytes(this.#reply, this.#id);
  }
}

export interface RefusalOptions {
  /** Default: the code for refusals of the transport. */
  readonly code?: number;
  readonly id?: ReplyId;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What telemetry counts it as. */
  readonly counted?: readonly [Counted, TelemetryAttributes];
}

/** Ends the serving of a request at any step; it becomes a response with a JSON-RPC error. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly options: RefusalOptions;

  constructor(status: number, message: string, options: RefusalOptions = {}) {
    super(message);
    this.status = status;
    this.options = options;
  }

  countIn(telemetry: Telemetry | undefined): void {
    const [name, attributes] = this.options.counted ?? [];
    if (name !== undefined) telemetry?.add(name, 1, attributes);
  }

  /** What the access log says of it. */
  get facts(): RefusalFacts {
    const { code = jsonRpcCodes.serverError, id, counted } = this.options;
    const [reason] = Object.values(counted?.[1] ?? {});
    return { httpStatus: this.status, status: code, reason, requestId: id ?? undefined };
  }

  toAnswer(): PlainAnswer {
    const { code = jsonRpcCodes.serverError, id = null, data, headers } = this.options;
    const text = jsonRpcError({ code, message: this.message, ...(data && { data }) }, id);
    return { status: this.status, headers: { ...JSON_HEADERS, ...headers }, text };
  }
}

/** The answer to requests that were running when their session ended. */
export function sessionEnded(id: ReplyId = null): HttpRefusal {
  return new HttpRefusal(404, 'The session ended before the answer', {
    id,
    code: jsonRpcCodes.sessionNotFound,
  });
}

/** Refuses a message that comes after shutdown began; the client has to connect again. */
export function isStopping(id: ReplyId = null): HttpRefusal {
  return new HttpRefusal(503, 'The server is shutting down', { id, headers: { connection: 'close' } });
}
