import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { InFlight } from '../../../src/runtime/service.ts';
import { NodeExchange } from '../../../src/transports/http/node-exchange.ts';
import { QueuedResponses } from '../../../src/transports/http/node-http.ts';
import { Backlog } from '../../../src/transports/http/streams/backpressure-counter.ts';
import { MemoryLogger } from '../../support/fake-application.ts';

/** A response that waits for its turn; those of Node say nothing when they are destroyed then. */
class Waiting extends EventEmitter {
  readonly socket = null;
  readonly closed = false;
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
  const incoming = Object.assign(new EventEmitter(), { socket, rawHeaders: [] });
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

test('a request that is closed twice is counted once', () => {
  const { incoming, outgoing } = parts(false);
  const inFlight = new InFlight();
  const exchange = new NodeExchange(incoming, outgoing, {
    failures: new MemoryLogger(),
    backlog: new Backlog(100, () => undefined),
  });
  exchange.countIn(inFlight);
  expect(inFlight.count).toBe(1);
  outgoing.emit('close');
  outgoing.emit('close');
  expect(inFlight.count).toBe(0);
});
