import type { PlainObject } from '../shared/json.ts';
import { connectionClosed } from './client-errors.ts';

/** A JSON-RPC message as a client sends it. */
export interface ClientMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: PlainObject;
  readonly result?: PlainObject;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a message needs that only HTTP has. */
export interface SendOptions {
  /** Headers of this message alone: `Mcp-Method`, `Mcp-Param-…`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives the message up, and with it the response that it waits for. */
  readonly signal?: AbortSignal | undefined;
}

/** Takes what comes from the server. */
export interface Receiver {
  message(message: unknown): void;
  /** Something came that is not a message, or something broke that belongs to no request. */
  failed(error: Error): void;
  /** The server is gone; nothing else will come. */
  closed(cause?: Error): void;
}

/** Carries the messages of one client to its server and back. */
export interface ClientTransport {
  /** Where the server is, for error messages. */
  readonly place: string;
  /** True where a response belongs to its request, so that giving one up needs no message of its own. */
  readonly hasResponses: boolean;
  start(receiver: Receiver): Promise<void>;
  /**
   * @throws ToolwrightError TW_CLIENT_CONNECTION for a message that did not arrive, and for a request whose response
   * ended without an answer
   */
  send(message: ClientMessage, options?: SendOptions): Promise<void>;
  /**
   * The handshake of a 2025 revision is over: from now on the server may send what belongs to no request. Resolves
   * when it can.
   */
  openSession?(revision: string): Promise<void>;
  close(): Promise<void>;
}

/** The server's half of a connection within the process, as `app.connect` takes it. */
interface ServerHalf {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/**
 * Two halves of a connection within one process. Messages are copied as JSON would, and arrive in a later turn, as
 * they do over any other transport.
 */
export function linkInMemory(): { readonly client: ClientTransport; readonly server: ServerHalf } {
  let receiver: Receiver | undefined;
  let isClosed = false;
  const server: ServerHalf = {
    start: () => Promise.resolve(),
    send: (message) => {
      const copy: unknown = JSON.parse(JSON.stringify(message));
      queueMicrotask(() => {
        if (!isClosed) receiver?.message(copy);
      });
      return Promise.resolve();
    },
    close: () => {
      close();
      return Promise.resolve();
    },
  };
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    server.onclose?.();
    receiver?.closed();
  };
  const client: ClientTransport = {
    place: 'the server in this process',
    hasResponses: false,
    start: (given) => {
      receiver = given;
      return Promise.resolve();
    },
    send: (message: ClientMessage) => {
      if (isClosed) return Promise.reject(connectionClosed(client.place));
      const copy: unknown = JSON.parse(JSON.stringify(message));
      queueMicrotask(() => {
        if (!isClosed) server.onmessage?.(copy);
      });
      return Promise.resolve();
    },
    close: () => {
      close();
      return Promise.resolve();
    },
  };
  return { client, server };
}
