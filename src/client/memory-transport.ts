import { connectionClosed } from './client-errors.ts';
import type { ClientMessage, ClientTransport, Receiver } from './client-transport.ts';

/** The server's half of a connection within the process, as `app.connect` takes it. */
export interface ServerHalf {
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
