import { jsonRpcCodes } from '../json-rpc/json-rpc-error.ts';

/** What the SDK reads of a schema of a request: its method, and what it says of a value. */
interface RequestSchema {
  readonly shape: { readonly method: { readonly value: string } };
  safeParse(request: unknown): Reading;
}

type Reading =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * The same schema, for which a request that does not fit is answered as invalid params, and with a sentence. The
 * SDK answers with an internal error, which is a dump of what its schema library found.
 */
export function readableSchema(given: unknown): unknown {
  const schema = given as RequestSchema;
  const { value } = schema.shape.method;
  const parse = (request: unknown): unknown => {
    const reading = schema.safeParse(request);
    if (reading.success) return reading.data;
    const error = new Error(refusalOf(value, reading.error.issues));
    throw Object.assign(error, { code: jsonRpcCodes.invalidParams });
  };
  return {
    // The least that the SDK accepts in place of a schema of its library.
    shape: { method: { _def: { value }, value } },
    parse,
    safeParse: (request: unknown) => ({ success: true, data: parse(request) }),
  };
}

function refusalOf(method: string, issues: readonly Issue[]): string {
  const found = issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  return `${method} was called with wrong params: ${found.join('; ')}`;
}
