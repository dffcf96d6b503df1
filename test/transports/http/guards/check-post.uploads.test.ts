import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createFetchHandler } from '../../../../src/transports/fetch/create-fetch-handler.ts';
import { fakeApplication, latch } from '../../../support/fake-application.ts';
import { INITIALIZE, JSON_HEADERS, send } from '../../../support/raw-http.ts';
import { serve } from '../../../support/http-server.ts';

const head = (...lines: readonly string[]) =>
  [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...lines,
    '\r\n',
  ].join('\r\n');

function open(port: number): { readonly socket: Socket; readonly closed: Promise<unknown> } {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  return { socket, closed: new Promise((resolve) => socket.once('close', resolve)) };
}

describe('a client that leaves while it is authenticated', () => {
  test.each([
    ['and the answer comes later', true],
    ['and the answer never comes', false],
  ])('is not waited for, %s', async (_name, answers) => {
    const asked = latch();
    const answer = latch<undefined>();
    const serving = await serve({
      authenticate: () => {
        asked.open();
        return answer.promise;
      },
    });
    const { socket, closed } = open(serving.port);
    socket.write(head(`Content-Length: ${String(INITIALIZE.length)}`) + INITIALIZE);
    await asked.promise;
    socket.destroy();
    await closed;
    if (answers) answer.open(undefined);
    await serving.stop();
  });

  test('gets its response from a fetch handler at once', async () => {
    const leave = new AbortController();
    const handler = createFetchHandler(fakeApplication({}), {
      authenticate: () => latch<undefined>().promise,
    });
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: JSON_HEADERS,
      body: INITIALIZE,
      signal: leave.signal,
    });
    const response = handler.fetch(request);
    leave.abort();
    expect((await response).ok).toBe(false);
    await handler.stop();
  });
});

describe('a slow upload', () => {
  test('does not hold the end of serving', async () => {
    const asked = latch();
    const serving = await serve({
      authenticate: () => {
        asked.open();
        return { token: 't', clientId: 'c', scopes: [] };
      },
    });
    const { socket } = open(serving.port);
    socket.write(`${head('Content-Length: 1000')}{`);
    await asked.promise;
    const answer = once(socket, 'data') as Promise<Buffer[]>;
    await serving.stop();
    expect(String((await answer)[0])).toMatch(/^HTTP\/1.1 503/);
    socket.destroy();
  });
});

describe('an upload that is refused', () => {
  test.each([
    ['by its size', {}],
    ['before it is read', { authenticate: () => undefined }],
  ])('is not read to its end, %s', async (_name, options) => {
    const serving = await serve({ maxBodyBytes: 1000, ...options });
    const { socket, closed } = open(serving.port);
    let text = '';
    socket.on('data', (data) => (text += String(data)));
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const upload = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', upload);
    socket.write(head('Transfer-Encoding: chunked'));
    upload();
    await closed;
    expect(text).toMatch(/^HTTP\/1.1 4(13|01)/);
    expect(text.toLowerCase()).toContain('connection: close');
  });

  test('gets the reason even if it is large', async () => {
    const serving = await serve({ maxBodyBytes: 1000 });
    for (let n = 0; n < 20; n += 1) {
      const refused = await send(serving.url, { body: 'x'.repeat(300_000) });
      expect([refused.status, refused.error?.message]).toEqual([413, expect.stringContaining('1000 bytes')]);
    }
  });
});

describe('a body in many pieces', () => {
  const send = (socket: Socket, body: string, size: number): void => {
    const pieces = body.match(new RegExp(`.{1,${String(size)}}`, 'gs')) ?? [];
    const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
    socket.write(`${head('Transfer-Encoding: chunked')}${chunks.join('')}0\r\n\r\n`);
  };

  test.each([
    ['is read where they are small and few', 1990, 1, '200'],
    ['is read where they are many and of a size', 60_000, 20, '200'],
    ['is refused where they are small and many', 3000, 1, '400'],
    ['is refused before its end', 9000, 3, '400'],
  ])('%s', async (_name, length, size, status) => {
    const { port } = await serve({});
    const { socket, closed } = open(port);
    let text = '';
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (data) => {
        text += String(data);
        resolve();
      });
    });
    send(socket, INITIALIZE.padEnd(length), size);
    await answered;
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    if (status === '400') {
      await closed;
      expect(text).toContain('too many small pieces');
    }
    socket.destroy();
  });
});
