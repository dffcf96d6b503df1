import { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, jest, test } from '@jest/globals';
import { echo, fakeApplication } from '../../../support/fake-application.ts';
import { INITIALIZE, initialize, message, send } from '../../../support/raw-http.ts';
import { expectServing, rawSession, serve, waitingTool } from '../../../support/http-server.ts';

test('a session that runs its limit of requests is refused one more, until one is cancelled', async () => {
  const waiting = waitingTool();
  const serving = await serve({ sessions: { maxCalls: 2 } }, { wait: waiting.wait, echo });
  const session = await rawSession(serving.url);
  const calls = [session.call('wait', 1), session.call('wait', 2)];
  await Promise.all(calls);
  const refused = await session.call('echo', 3);
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    {
      id: 3,
      error: { message: 'This session runs its limit of 2 requests; wait for an answer and try again' },
    },
  ]);
  // Notifications are no requests, and other sessions have room of their own.
  expect((await session.cancel(1)).status).toBe(202);
  expect((await session.call('echo', 4)).status).toBe(200);
  await expectServing(serving);
});

test('a batch counts every request of it', async () => {
  const { url } = await serve({ sessions: { maxCalls: 2 } });
  const session = await rawSession(url);
  const batch = (ids: readonly number[]) => `[${ids.map((id) => message('ping', undefined, id)).join()}]`;
  expect((await session.post(batch([1, 2, 3]))).status).toBe(503);
  expect((await session.post(batch([4, 5]))).status).toBe(200);
});

test.each(['GET', 'DELETE'])(
  '%s of a client of 2026-07-28 is not allowed without a session',
  async (method) => {
    const { url } = await serve();
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    const response = await send(url, { method, headers });
    expect([response.status, response.headers['allow']]).toEqual([405, 'POST']);
    const session = await initialize(url);
    const named = await send(url, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': session } });
    expect(named.status).not.toBe(405);
  },
);

test('a target with a user name or a password is refused as a mistake of the client', async () => {
  const application = fakeApplication({ echo });
  const serving = await serve({ allowedHosts: ['ann:secret@localhost'] }, {}, application);
  const socket = connect(serving.port, '127.0.0.1');
  socket.write(
    'GET http://ann:secret@localhost/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*must not contain a user name or a password/s);
  expect(application.logger.records).toEqual([]);
});

test('a failure that every request causes is logged as an error once', async () => {
  const application = fakeApplication({ echo });
  const failing = () => {
    throw new Error('no owner');
  };
  const authenticate = () => ({ token: 't', clientId: 'c', scopes: [] });
  const { url } = await serve({ authenticate, sessionOwner: failing }, {}, application);
  for (let n = 0; n < 3; n += 1) expect((await send(url, { body: INITIALIZE })).status).toBe(500);
  const levels = application.logger.records.map(({ level, event }) => [level, event]);
  expect(levels).toEqual(['error', 'debug', 'debug'].map((level) => [level, 'http.failed']));
});

test('a response that cannot be sent to a client that waits is reported', async () => {
  const application = fakeApplication({ echo });
  const serving = await serve({}, {}, application);
  const cause = new Error('broken');
  jest.spyOn(ServerResponse.prototype, 'writeHead').mockImplementationOnce(() => {
    throw cause;
  });
  await expect(send(serving.url, { body: INITIALIZE })).rejects.toThrow();
  expect(application.logger.records).toMatchObject([{ level: 'warning', event: 'http.unsent', cause }]);
  await initialize(serving.url);
});
