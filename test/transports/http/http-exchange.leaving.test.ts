import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Action, McpApplication, Module, ToolContext, ToolGroup, type HttpServing } from 'toolwright';
import { eventually } from '../../support/eventually.ts';
import { MemoryLogger } from '../../support/fake-application.ts';
import { JSON_HEADERS } from '../../support/raw-http.ts';
import { body2025, sample2026 } from '../../support/oracle/corpus.ts';

const seen = { started: 0, aborted: 0 };

@ToolGroup({ name: 'desk', description: 'Waits' })
class Desk {
  @Action('Waits for its end') async wait(ctx: ToolContext): Promise<string> {
    const aborted = new Promise<void>((resolve) => {
      ctx.signal.addEventListener('abort', () => {
        seen.aborted += 1;
        resolve();
      });
    });
    await ctx.progress(1, 3);
    seen.started += 1;
    await aborted;
    return 'too late';
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

const WAIT = {
  name: 'desk',
  arguments: { action: 'wait' },
  _meta: { progressToken: 'p' },
};

let app: McpApplication;
const create = async (): Promise<McpApplication> => {
  Object.assign(seen, { started: 0, aborted: 0 });
  const logger = new MemoryLogger();
  return (app = await McpApplication.create(DeskModule, { name: 'desk', logger, drainTimeout: 60_000 }));
};
afterEach(() => app.close());

describe('a client of app.fetch that cancels a stream', () => {
  test.each([
    ['2025', { body: body2025('tools/call', WAIT), headers: {} }],
    ['2026', sample2026('tools/call', WAIT)],
  ])('cancels the call of %s', async (_era, { body, headers }) => {
    await create();
    const request = { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body };
    const response = await app.fetch(new Request('http://localhost/mcp', request));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await response.body?.cancel();
    await eventually(() => seen.aborted === 1);
    expect(seen).toEqual({ started: 1, aborted: 1 });
  });
});

function post(body: string, length = Buffer.byteLength(body)): string {
  const fields = Object.entries({ host: 'localhost', ...JSON_HEADERS, 'content-length': String(length) });
  return `POST /mcp HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

function open({ port }: HttpServing): { readonly socket: Socket; readonly heard: () => string } {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  return { socket, heard: () => text };
}

/** A server that knows the head of the requests. */
async function serveKnown(): Promise<HttpServing> {
  await create();
  const serving = await app.listen({ port: 0, signals: false, sessions: false });
  const { socket, heard } = open(serving);
  socket.write(post(body2025('ping', undefined)));
  await eventually(() => heard().includes('"result"'));
  socket.destroy();
  return serving;
}

describe('a client that goes away', () => {
  test('takes all its requests with it, also those behind the first one', async () => {
    const serving = await serveKnown();
    const { socket } = open(serving);
    const { _meta, ...call } = WAIT;
    const body = body2025('tools/call', call);
    socket.write(post(body).repeat(20) + post(body2025('ping', undefined)));
    await eventually(() => seen.started === 20);
    socket.destroy();
    await eventually(() => seen.aborted === 20);
    await serving.stop();
    expect(seen.aborted).toBe(20);
  });
});

describe('a client that still sends when the server stops', () => {
  test('is refused, and gets an error', async () => {
    const serving = await serveKnown();
    const { socket, heard } = open(serving);
    const body = body2025('ping', undefined);
    const bodies = post(body) + post(body.slice(0, 5), body.length);
    socket.write(bodies);
    await eventually(() => heard().includes('"result"'));
    await serving.stop();
    await app.close();
    await eventually(() => heard().includes('HTTP/1.1 503'));
    expect(heard().toLowerCase()).toContain('connection: close');
    socket.destroy();
  });
});
