import { hasBrand } from '../shared/error-shape.ts';
import { JSON_RPC_CODES } from '../shared/protocol.ts';

const BRAND = Symbol.for('toolwright:protocol-error');

/** The JSON-RPC error codes that the framework answers with. */
export const {
  methodNotFound: METHOD_NOT_FOUND,
  invalidParams: INVALID_PARAMS,
  internalError: INTERNAL_ERROR,
} = JSON_RPC_CODES;

/**
 * A failure that is answered as a JSON-RPC error, because the method has no error result of its own:
 * prompts, resources and completions. Its message and data reach the client.
 */
export class ProtocolError extends Error {
  /** The JSON-RPC error code that the client gets. */
  readonly code: number;
  /** The `data` of the JSON-RPC error; undefined without any. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  protected readonly [BRAND] = true;

  /** The error that the client gets: `code` and `message` as JSON-RPC defines them, and optional `data`. */
  constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.data = data;
  }

  /** Recognizes the errors of every installed copy of the package, which `instanceof` does not. */
  static is(value: unknown): value is ProtocolError {
    return hasBrand(value, BRAND);
  }
}
