import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Clients may pipeline requests. When such a client disconnects, Node does not close the responses that still wait for
 * their turn; this closes them with the first one. Other responses cost nothing.
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
