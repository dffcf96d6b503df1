import { hasBrand } from '../shared/has-brand.ts';

const BRAND = Symbol.for('toolwright:protocol-error');

/** The JSON-RPC error codes that the framework answers with (JSON-RPC 2.0, section 5.1). */
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/**
 * A failure that is answered as a JSON-RPC error, because the method has no error result of its own:
 * prompts, resources and completions. Its message and data reach the client.
 */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  protected readonly [BRAND] = true;

  constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.data = data;
  }

  static is(value: unknown): value is ProtocolError {
    return hasBrand(value, BRAND);
  }
}
