import { jsonRpcCodes, jsonRpcError, type ReplyId } from '../json-rpc/json-rpc-error.ts';

export interface RefusalOptions {
  /** Default: the code for refusals of the transport. */
  readonly code?: number;
  readonly id?: ReplyId;
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

  toResponse(): Response {
    const { code = jsonRpcCodes.serverError, id = null, headers = {} } = this.options;
    return new Response(jsonRpcError({ code, message: this.message }, id), {
      status: this.status,
      headers: { 'content-type': 'application/json', ...headers },
    });
  }
}
