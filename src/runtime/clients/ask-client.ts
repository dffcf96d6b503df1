import { ToolError } from '../../errors/tool-error.ts';
import type { ClientDescription } from '../../call/request-context.ts';
import { membersOf } from '../../shared/json.ts';

// People answer elicitations, and they take their time.
const PATIENCE = 10 * 60_000;

/** The request options that both SDK lines accept. */
export interface AskOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly resetTimeoutOnProgress: true;
  /** Without it, the SDKs request no progress, and the time-out is never reset. */
  readonly onprogress: () => void;
}

/**
 * Waits for the answer of the client to a request that belongs to a call.
 * What the SDKs reject with has a code and data that could pass for the server's own, so they stay in the cause.
 */
export async function askClient(
  method: string,
  call: AbortSignal,
  send: (options: AskOptions) => unknown,
): Promise<unknown> {
  // SDK v1 never removes its listener, and would cancel an answered request when the call is aborted later.
  const waiting = new AbortController();
  const abort = (): void => {
    waiting.abort(call.reason);
  };
  call.addEventListener('abort', abort, { once: true });
  try {
    const { signal } = waiting;
    if (call.aborted) abort();
    return await send({
      signal,
      timeout: PATIENCE,
      resetTimeoutOnProgress: true,
      onprogress: () => undefined,
    });
  } catch (cause) {
    const why = call.aborted ? 'the call was cancelled' : messageOf(cause);
    throw new Error(`The client gave no answer to ${method}: ${why}`, { cause });
  } finally {
    call.removeEventListener('abort', abort);
  }
}

export function clientUnreachable(
  method: string,
  suggestion = 'connect over stdio, or over Streamable HTTP with a session and streams',
): ToolError {
  const message = `The client cannot be asked (${method}), because this connection carries no requests to it`;
  return new ToolError('CLIENT_UNREACHABLE', message, { suggestion });
}

function messageOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  return message === '' ? 'it gave no reason' : message.replace(/^MCP error -?\d+: /, '');
}

/** The client's description, from its implementation and its capabilities. */
export function describeClient(info: unknown, capabilities: unknown): ClientDescription {
  const { name, version, title } = membersOf(info);
  const described: { name?: string; version?: string; title?: string } = {};
  if (typeof name === 'string') described.name = name;
  if (typeof version === 'string') described.version = version;
  if (typeof title === 'string') described.title = title;
  return { ...described, capabilities: membersOf(capabilities) };
}

/** Sends a message to the client and ignores a failure: a disconnected client must not fail its handler. */
export async function sendQuietly(send: () => unknown): Promise<void> {
  try {
    await send();
  } catch {
    // The client is gone.
  }
}
