import { jsonRpcCodes, jsonRpcError, type ReplyId } from '../../engine/json-rpc/json-rpc-error.ts';

/** An answer that is complete before it is sent. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text in pieces, where it was written before. */
  readonly bytes?: readonly Uint8Array[];
}

/** What an HTTP request is answered with: a text, or a response of fetch, whose body may be a stream. */
export type HttpAnswer = PlainAnswer | Response;

export const JSON_TYPE = 'application/json';
const JSON_HEADERS: PlainAnswer['headers'] = Object.freeze({ 'content-type': JSON_TYPE });

export function jsonAnswer(
  text: string,
  status = 200,
  headers?: Readonly<Record<string, string>>,
): PlainAnswer {
  return { status, headers: jsonHeaders(headers), text };
}

/** @param others those that a response has beside its type */
export function jsonHeaders(others?: PlainAnswer['headers']): PlainAnswer['headers'] {
  return others === undefined ? JSON_HEADERS : { 'content-type': JSON_TYPE, ...others };
}

export function isPlainAnswer(answer: HttpAnswer): answer is PlainAnswer {
  return !('body' in answer);
}

export function toResponse(answer: HttpAnswer): Response {
  if (!isPlainAnswer(answer)) return answer;
  const { text, status, headers } = answer;
  return new Response(text, { status, headers });
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
    return jsonAnswer(text, this.status, headers);
  }

  toResponse(): Response {
    return toResponse(this.toAnswer());
  }
}

/** Answers what ran in a session when that ended. */
export function sessionEnded(id: ReplyId = null): HttpRefusal {
  return new HttpRefusal(404, 'The session ended before the answer', {
    id,
    code: jsonRpcCodes.sessionNotFound,
  });
}

/** Refuses what comes too late; the client has to connect anew, to whatever runs then. */
export function isStopping(id: ReplyId = null): HttpRefusal {
  return new HttpRefusal(503, 'The server is shutting down', { id, headers: { connection: 'close' } });
}
