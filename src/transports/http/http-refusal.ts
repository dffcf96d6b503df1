import { jsonAnswer, toResponse, type PlainAnswer } from './http-answer.ts';
import { jsonRpcCodes, jsonRpcError, type ReplyId } from '../../engine/json-rpc/json-rpc-error.ts';

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
