import { PassThrough } from 'node:stream';
import { afterEach, expect, jest, test, describe, beforeEach } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { IsString } from 'class-validator';
import { Action, McpApplication, Module, Timeout, ToolGroup, Destructive } from 'toolwright';
import { MemoryLogger, latch } from '../support/fake-application.ts';
import { headers2026, message2026 } from '../support/client-of-2026.ts';
import { initialize, INITIALIZE, JSON_HEADERS, message } from '../support/raw-http.ts';
import { textOf } from '../support/text-of.ts';

/** A limit that no other timer has. */
const LONG = 77_777;
let started = latch();

@ToolGroup({ name: 'hanging', expose: 'flat' })
class Hanging {
  @Action() @Timeout(LONG) run(): Promise<never> {
    started.open();
    return new Promise(() => undefined);
  }
}

@Module({ controllers: [Hanging] })
class HangingModule {}

const CALL = { name: 'hanging_run', arguments: {} };

function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return fetch(url, { method: 'POST', body, headers: { ...JSON_HEADERS, ...headers } })
    .then((response) => response.text())
    .catch(() => undefined);
}

const ways: [string, (app: McpApplication) => Promise<unknown>][] = [
  ['from inside the process', async (app) => void app.call('hanging_run', {})],
  [
    'in a session',
    async (app) => {
      const { url } = await app.listen({ port: 0, signals: false });
      void post(url, message('tools/call', CALL), { 'mcp-session-id': await initialize(url) });
    },
  ],
  [
    'without a session',
    async (app) => {
      const { url } = await app.listen({ port: 0, signals: false, sessions: false });
      void post(url, message('tools/call', CALL));
    },
  ],
  [
    'of 2026-07-28',
    async (app) => {
      const { url } = await app.listen({ port: 0, signals: false });
      void post(url, JSON.stringify(message2026('tools/call', CALL)), headers2026('tools/call', CALL.name));
    },
  ],
  [
    'over a transport',
    async (app) => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await app.connect(far);
      const client = new Client({ name: 'tester', version: '1.0.0' });
      await client.connect(near);
      client.callTool(CALL).catch(() => undefined);
    },
  ],
  [
    'over stdio',
    async (app) => {
      const stdin = new PassThrough();
      await app.stdio({ stdin, stdout: new PassThrough(), signals: false });
      for (const line of [INITIALIZE, message('tools/call', CALL, 2)]) stdin.write(`${line}\n`);
    },
  ],
];

const timers = jest.spyOn(globalThis, 'setTimeout');
afterEach(() => {
  timers.mockClear();
});

test.each(ways)('a call that hangs keeps no process alive that was closed, %s', async (_way, call) => {
  started = latch();
  const app = await McpApplication.create(HangingModule, { drainTimeout: 20, logger: new MemoryLogger() });
  await call(app);
  await started.promise;
  // What the call took before it had to wait is off its time
  const isLimit = (time = 0): boolean => time <= LONG && time > LONG - 10_000;
  const limits = (): readonly boolean[] =>
    timers.mock.results.flatMap(({ value }, index) =>
      isLimit(timers.mock.calls[index]?.[1]) ? [(value as NodeJS.Timeout).hasRef()] : [],
    );
  expect(limits()).toEqual([true]);
  await app.close();
  await new Promise(setImmediate);
  const kept = limits();
  for (const { value } of timers.mock.results) (value as NodeJS.Timeout).unref();
  expect(kept).toEqual([false]);
});

describe('a call that is cancelled before it begins', () => {
  const ran: string[] = [];

  class Target {
    @IsString() id!: string;
  }

  @ToolGroup('things')
  class ThingTools {
    @Action() @Destructive() wipe({ id }: Target): string {
      ran.push(id);
      return 'gone';
    }
  }

  @Module({ controllers: [ThingTools] })
  class ThingsModule {}

  let app: McpApplication;
  beforeEach(async () => {
    ran.length = 0;
    app = await McpApplication.create(ThingsModule);
  });
  afterEach(() => app.close());

  test('a call whose signal is aborted already runs nothing', async () => {
    const result = await app.call('things', { action: 'wipe', id: 'a' }, { signal: AbortSignal.abort() });
    expect(textOf(result)).toMatch(/^\[things\/wipe\] The call was cancelled\nCode: CANCELLED/);
    expect(result.isError).toBe(true);
    expect(ran).toEqual([]);
    expect(textOf(await app.call('things', { action: 'wipe', id: 'b' }))).toBe('gone');
  });

  test('a request whose sender is gone runs nothing', async () => {
    const params = { name: 'things', arguments: { action: 'wipe', id: 'c' } };
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: AbortSignal.abort(),
    });
    await app.fetch(request).catch(() => undefined);
    await app.close();
    expect(ran).toEqual([]);
  });
});
