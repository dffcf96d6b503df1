import type { AnsweredCall } from '../../engine/revision.ts';
import { KnownReply, knownText, replyBytes, replyText, type Reply } from '../../engine/json-rpc/message.ts';
import { jsonRpcCodes, jsonRpcError, type ReplyId } from '../../engine/json-rpc/json-rpc-error.ts';

/** An answer that is complete before it is sent. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text in pieces, where it was written before. */
  readonly bytes?: readonly Uint8Array[] | undefined;
}

/** What an HTTP request is answered with: a text, or a response of fetch, whose body may be a stream. */
export type HttpAnswer = PlainAnswer | Response;

export const JSON_HEADERS: PlainAnswer['headers'] = Object.freeze({ 'content-type': 'application/json' });

/** The answer to what expects none. */
export const ACCEPTED: PlainAnswer = Object.freeze({ status: 202, headers: Object.freeze({}), text: '' });

export function isPlainAnswer(answer: HttpAnswer): answer is PlainAnswer {
  return !('body' in answer);
}

export function toResponse(answer: HttpAnswer): Response {
  if (!isPlainAnswer(answer)) return answer;
  const { text, status, headers } = answer;
  return new Response(text === '' ? null : text, { status, headers });
}

/** The response to a request whose answer is there already. */
export function answerOf(
  { id, reply, status }: AnsweredCall,
  report: (error: Error) => void,
  headers = JSON_HEADERS,
): PlainAnswer {
  if (reply instanceof KnownReply) return new KnownAnswer(reply, id, headers);
  return { status, headers, text: replyText(reply, id, report) };
}

/** Spec 2026-07-28: basic, Error Codes: this one goes with a status of its own. */
export function statusOf(reply: Reply): number {
  return 'error' in reply && reply.error.code === jsonRpcCodes.missingCapability ? 400 : 200;
}

/** The answer to a request whose reply was written before. It is copied for those only who need a text. */
class KnownAnswer implements PlainAnswer {
  readonly status = 200;
  readonly headers: PlainAnswer['headers'];
  readonly #reply: KnownReply;
  readonly #id: string | number;

  constructor(reply: KnownReply, id: string | number, headers: PlainAnswer['headers']) {
    this.headers = headers;
    this.#reply = reply;
    this.#id = id;
  }

  get text(): string {
    return knownText(this.#reply, this.#id);
  }

  get bytes(): readonly Uint8Array[] {
    return replyBytes(this.#reply, this.#id);
  }
}

export interface RefusalOptions {
  /** Default: the code for refusals of the transport. */
  readonly code?: number;
  readonly id?: ReplyId;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
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

  toAnswer(): PlainAnswer {
    const { code = jsonRpcCodes.serverError, id = null, data, headers } = this.options;
    const text = jsonRpcError({ code, message: this.message, ...(data && { data }) }, id);
    return { status: this.status, headers: { ...JSON_HEADERS, ...headers }, text };
  }
}

/** Answers what ran in a session when that ended. */
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
