import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { HttpOptions } from '../../../src/transports/http/http-options.ts';
import type { FakeTool } from '../../support/fake-application.ts';
import { eventually } from '../../support/eventually.ts';
import { initialize, message, send } from '../../support/raw-http.ts';
import { serve } from '../../support/http-server.ts';
import { idOf, resumingSession } from '../resuming-session.ts';

/** More than the system holds of a connection on its way. */
const SIZE = 24 * 1024 * 1024;
const large: FakeTool = (args) => 'x'.repeat((args as { size?: number } | undefined)?.size ?? SIZE);

/** Asks, and reads nothing of the answer. */
const ask = (port: number, body: string): Promise<Socket> => askOften(port, body, 1);

/** Asks several times in one packet. */
async function askOften(port: number, body: string, times: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  const request =
    'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
    'accept: application/json, text/event-stream\r\n' +
    `content-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;
  socket.write(request.repeat(times));
  await once(socket, 'connect');
  return socket;
}

/** Whether the other side has ended, once all is read that is still on its way. */
async function isCut(socket: Socket, length: number): Promise<boolean> {
  let size = 0;
  socket.on('data', (chunk: Buffer) => void (size += chunk.length)).resume();
  await Promise.race([once(socket, 'close'), eventually(() => size >= length)]);
  socket.destroy();
  return size < length;
}

describe('answers that are not read', () => {
  const call = message('tools/call', { name: 'large' });

  test.each<[string, Partial<HttpOptions>]>([
    ['as plain JSON', { sessions: false, json: true }],
    ['without sessions', { sessions: false }],
  ])('are cut beyond a bound for all of them, the newest last, %s', async (_name, options) => {
    const { port, url } = await serve({ ...options, maxUnreadBytes: 2 * SIZE }, { large });
    const sockets: Socket[] = [];
    for (let count = 0; count < 4; count += 1) {
      const socket = await ask(port, call);
      sockets.push(socket);
      await once(socket, 'readable');
    }
    const cut = [];
    for (const socket of sockets.reverse()) cut.push(await isCut(socket, SIZE));
    expect(cut[0]).toBe(false);
    expect(cut.filter(Boolean).length).toBeGreaterThanOrEqual(2);
    expect((await send(url, { body: call })).body.length).toBeGreaterThan(SIZE);
  });

  test('are cut beyond the bound where they are many small ones on one connection', async () => {
    const small = 60 * 1024;
    const server = createServer();
    const ended: Socket[] = [];
    server.on('connection', (socket: Socket) => socket.once('close', () => ended.push(socket)));
    const options = { server, sessions: false, json: true, maxUnreadBytes: 8 * 1024 * 1024 } as const;
    const { port, url } = await serve(options, { large });
    const body = message('tools/call', { name: 'large', arguments: { size: small } });
    const sockets = [await askOften(port, body, 160), await askOften(port, body, 160)];
    await eventually(() => ended.length > 0);
    expect(ended.length).toBeLessThan(sockets.length);
    expect((await send(url, { body })).body.length).toBeGreaterThan(small);
    for (const socket of sockets) socket.destroy();
  });

  test('are no reason to cut a client that reads them', async () => {
    const small = 60 * 1024;
    const options = { sessions: false, json: true, maxUnreadBytes: 8 * 1024 * 1024 } as const;
    const { port } = await serve(options, { large });
    const body = message('tools/call', { name: 'large', arguments: { size: small } });
    const sockets = [];
    for (let count = 0; count < 3; count += 1) {
      const socket = await askOften(port, body, 100);
      let size = 0;
      socket.on('data', (chunk: Buffer) => void (size += chunk.length)).resume();
      await eventually(() => size >= 100 * small);
      sockets.push(socket);
    }
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
    for (const socket of sockets) socket.destroy();
  });

  test('are cut when nothing of them is read for some time', async () => {
    const server = createServer();
    const ended = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    const { port } = await serve({ server, sessions: false, sendTimeout: 50 }, { large });
    const socket = await ask(port, call);
    await once(socket, 'readable');
    await ended;
    expect(await isCut(socket, SIZE)).toBe(true);
  });

  test('a client that reads slowly gets all of a long one', async () => {
    const { port } = await serve({ sessions: false, sendTimeout: 2000 }, { large });
    const socket = await ask(port, call);
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 15);
    });
    socket.resume();
    while (size <= SIZE) await once(socket, 'data');
    socket.destroy();
  });

  test('a stream on which nothing is sent outlives the time for reading', async () => {
    const { url } = await serve({ sendTimeout: 20 });
    const headers = { accept: 'text/event-stream', 'mcp-session-id': await initialize(url) };
    const response = await fetch(url, { headers });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const reading = response.body?.getReader().read();
    expect(await Promise.race([reading, Promise.resolve('open')])).toBe('open');
  });
});

test('a resumed stream cuts the response before, with all that it held', async () => {
  const { url, port } = await serve({}, { large });
  const session = await resumingSession(url);
  const first = await session.call('large', 5);
  const lastEventId = idOf(await first.next());
  await first.leave();
  const sockets: Socket[] = [];
  for (let count = 0; count < 3; count += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).pause();
    const headers = { host: 'localhost', ...session.headers, 'last-event-id': lastEventId };
    const lines = Object.entries({ ...headers, accept: 'text/event-stream' });
    socket.write(
      `GET /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
    );
    await once(socket, 'readable');
    sockets.push(socket);
  }
  const cut = await Promise.all(sockets.map((socket) => isCut(socket, SIZE)));
  expect(cut).toEqual([true, true, false]);
});
