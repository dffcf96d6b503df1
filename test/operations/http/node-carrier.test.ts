import { afterEach, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { FakeToolContext } from 'toolwright/testing';
import { nodeCarrier } from '../../../src/operations/http/node-carrier.ts';

const ends: Duplex[] = [];
afterEach(() => {
  ends.length = 0;
});

/** Answers with the address that a request is from. */
function addressServer(): Server {
  const server = createServer((request, response) => response.end(request.socket.remoteAddress));
  server.on('connection', (end: Duplex) => ends.push(end));
  return server;
}

const options = {
  signal: new AbortController().signal,
  call: { tool: 't', action: 'a', context: new FakeToolContext(), caller: undefined },
  maxAnswerBytes: 1_000,
};

test('an address that is unknown is none that a guard trusts', async () => {
  const { body } = await nodeCarrier(addressServer())({ method: 'GET', path: '/', headers: {} }, options);
  expect(Buffer.from(body).toString()).toBe('192.0.2.0');
});

test('bytes of a body arrive as they are', async () => {
  const server = createServer((request, response) => request.pipe(response));
  const sent = Buffer.from([0, 255, 13, 10, 128]);
  const { body } = await nodeCarrier(server)({ method: 'POST', path: '/', headers: {}, body: sent }, options);
  expect(Buffer.from(body).equals(sent)).toBe(true);
});

test('a header that cannot be sent leaves no connection open', async () => {
  const carry = nodeCarrier(addressServer());
  const headers = { authorization: 'Bearer €' };
  await expect(carry({ method: 'GET', path: '/', headers }, options)).rejects.toThrow('Invalid character');
  await expect(carry({ method: 'GET', path: '/€', headers: {} }, options)).rejects.toThrow('unescaped');
  expect(ends.filter(({ destroyed }) => !destroyed)).toEqual([]);
});

test('an answer that changes the protocol ends the call', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end();
  });
  const sent = nodeCarrier(server)({ method: 'POST', path: '/', headers: {} }, options);
  await expect(sent).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});
