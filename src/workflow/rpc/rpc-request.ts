import { isPlainObject } from '../../shared/json.ts';

/** JSON-RPC 2.0, section 4. */
export type RpcId = string | number | null;

export interface RpcRequest {
  readonly method: string;
  readonly params: unknown;
  /** Undefined for a notification. */
  readonly id: RpcId | undefined;
}

export type RequestReading =
  | { readonly ok: true; readonly request: RpcRequest }
  | { readonly ok: false; readonly id: RpcId; readonly details: string };

/** A message as a request, or why it is none. */
export function readRequest(message: unknown): RequestReading {
  if (!isPlainObject(message)) return { ok: false, id: null, details: 'A request is an object.' };
  const id = Object.hasOwn(message, 'id') ? message.id : undefined;
  if (!isId(id)) {
    return { ok: false, id: null, details: 'The id is a text, null or a number that JSON keeps exactly.' };
  }
  const details = faultOf(message);
  if (details !== undefined) return { ok: false, id: id ?? null, details };
  const { method, params } = message as { readonly method: string; readonly params?: unknown };
  return { ok: true, request: { method, params, id } };
}

function faultOf({ jsonrpc, method, params }: Readonly<Record<string, unknown>>): string | undefined {
  if (jsonrpc !== '2.0') return 'The member jsonrpc is "2.0".';
  if (typeof method !== 'string') return 'The method is a text.';
  if (params === undefined || (typeof params === 'object' && params !== null)) return undefined;
  return 'The params are an object.';
}

/** A number that was rounded while it was read could not be given back. */
function isId(id: unknown): id is RpcId | undefined {
  if (typeof id !== 'number') return id === undefined || id === null || typeof id === 'string';
  return Number.isInteger(id) ? Number.isSafeInteger(id) : Number.isFinite(id);
}
