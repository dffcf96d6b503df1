import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Clients may send a request before the one ahead of it is answered. When such a client goes away, Node never says so
 * of the responses that still wait for their turn: here they are closed as the first one is. No other costs anything.
 */
export class QueuedResponses {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** Called for a response that waits, before it is used. */
  watch({ socket }: IncomingMessage, outgoing: ServerResponse): void {
    const waiting = this.#waiting.get(socket) ?? this.#begin(socket);
    waiting.add(outgoing);
    outgoing.once('close', () => waiting.delete(outgoing));
  }

  #begin(socket: Socket): Set<ServerResponse> {
    const waiting = new Set<ServerResponse>();
    this.#waiting.set(socket, waiting);
    socket.once('close', () => {
      for (const outgoing of waiting) {
        outgoing.destroy();
        // A Node that says so itself has taken it out of them.
        if (waiting.has(outgoing)) outgoing.emit('close');
      }
    });
    return waiting;
  }
}
