import type { PlainObject } from '../shared/json.ts';
import { connectionClosed } from './client-errors.ts';

/** A JSON-RPC message as a client sends it. */
export interface ClientMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: PlainObject;
  readonly result?: PlainObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: PlainObject };
}

/** Options of a message; headers and signal apply only to HTTP. */
export interface SendOptions {
  /** Headers of this message alone: `Mcp-Method`, `Mcp-Param-…`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Abandons the message and its response. */
  readonly signal?: AbortSignal | undefined;
  /** What the message is part of, as the request says it. */
  readonly partOf?: symbol;
}

/** Receives messages from the server. */
export interface Receiver {
  /** @param answering the request in whose response the message came; undefined where the transport cannot say it */
  message(message: unknown, answering?: string | number): void;
  /** Called for an invalid message, or a failure that belongs to no request. */
  failed(error: Error): void;
  /** Called when the server is gone; no further calls follow. */
  closed(cause?: Error): void;
}

/** Carries the messages of one client to its server and back. */
export interface ClientTransport {
  /** Where the server is, for error messages. */
  readonly place: string;
  /** Whether each request has its own response stream, so that ending it cancels the request. */
  readonly hasResponses: boolean;
  start(receiver: Receiver): Promise<void>;
  /**
   * @throws ToolwrightError TW_CLIENT_CONNECTION if the message cannot be delivered, or if the response ends without
   * an answer
   */
  send(message: ClientMessage, options?: SendOptions): Promise<void>;
  /**
   * Called after the handshake of a 2025 revision. Resolves when the server can send messages that belong to no
   * request.
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
