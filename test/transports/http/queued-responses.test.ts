import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { InFlight } from '../../../src/runtime/admission.ts';
import { LaneRequest, type LaneReader } from '../../../src/transports/http/lane-request.ts';
import { QueuedResponses } from '../../../src/transports/http/queued-responses.ts';
import { Backlog } from '../../../src/transports/http/streams/unread-events.ts';
import { Roster } from '../../../src/transports/roster.ts';

/** A response that waits for its turn; those of Node say nothing when they are destroyed then. */
class Waiting extends EventEmitter {
  readonly socket = null;
  readonly writableFinished = false;
  readonly #saysClose: boolean;

  constructor(saysClose: boolean) {
    super();
    this.#saysClose = saysClose;
  }

  destroy(): this {
    if (this.#saysClose) this.emit('close');
    return this;
  }
}

const parts = (saysClose: boolean) => {
  const socket = new EventEmitter();
  const incoming = Object.assign(new EventEmitter(), { socket, headers: {} });
  const outgoing = new Waiting(saysClose);
  return {
    socket,
    incoming: incoming as never as IncomingMessage,
    outgoing: outgoing as never as ServerResponse,
  };
};

test.each([false, true])('a response that waits is closed once with its connection (%s)', (saysClose) => {
  const { socket, incoming, outgoing } = parts(saysClose);
  let closed = 0;
  outgoing.on('close', () => (closed += 1));
  new QueuedResponses().watch(incoming, outgoing);
  socket.emit('close');
  expect(closed).toBe(1);
});

test('a request of a lane that is closed twice is counted once', async () => {
  const { incoming, outgoing } = parts(false);
  const counts = [new InFlight(), new InFlight()];
  const reader: LaneReader = {
    bodyLimit: 100,
    backlog: new Backlog(100, () => undefined),
    reading: new Roster<LaneRequest>(),
    onRead: (request) => request.countIn(...counts),
    send: () => undefined,
  };
  new LaneRequest(incoming, outgoing, '2026', reader).start();
  incoming.emit('end');
  expect(counts.map(({ count }) => count)).toEqual([1, 1]);
  outgoing.emit('close');
  outgoing.emit('close');
  expect(counts.map(({ count }) => count)).toEqual([0, 0]);
});
