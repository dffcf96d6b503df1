import { afterEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Action, Module, Resource, ToolContext, ToolGroup, type LogLevel } from 'toolwright';
import { createTestApplication, type TestApplication, type TestClientOptions } from 'toolwright/testing';
import { refusalOf } from '../fixtures/attached-client.ts';
import { latch, MemoryLogger } from '../fixtures/fake-surface.ts';
import { hearing } from '../fixtures/hearing.ts';

const LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

const ended = latch<string>();

@ToolGroup('work')
class WorkTools {
  @Action() async speak(ctx: ToolContext): Promise<void> {
    for (const level of LEVELS) await ctx.log(level, level);
    await ctx.log({ rows: 3 }, 'emergency', 'import');
  }

  @Action() async count(ctx: ToolContext): Promise<string> {
    for (const progress of [1, 3, 2, 3, 4]) await ctx.progress(progress, 4, `step ${String(progress)}`);
    return 'done';
  }

  @Action() async wait(ctx: ToolContext): Promise<never> {
    const aborted = new Promise<never>((_, reject) => {
      ctx.signal.addEventListener('abort', () => {
        ended.open(String(ctx.signal.reason));
        reject(new Error('stopped'));
      });
    });
    await ctx.progress(1);
    return aborted;
  }

  @Resource('work://slow') async slow(ctx: ToolContext): Promise<string> {
    await ctx.log('reading', 'error');
    await ctx.progress(1, 2);
    return 'slow';
  }
}

@Module({ controllers: [WorkTools] })
class WorkModule {}

let app: TestApplication;

afterEach(() => app.close());

async function connect(options: TestClientOptions = {}): Promise<Client> {
  app = await createTestApplication(WorkModule, {
    name: 'work',
    version: '2.1.0',
    title: 'Work',
    instructions: 'Work hard.',
    logger: new MemoryLogger(),
    icons: [{ src: 'https://example.com/work.png', sizes: ['48x48'], theme: 'light' }],
  });
  return app.connect(options);
}

const call = (client: Client, action: string): Promise<unknown> =>
  client.callTool({ name: 'work', arguments: { action } });

test('the server introduces itself with title, icons and instructions', async () => {
  const client = await connect();
  expect(client.getServerVersion()).toEqual({
    name: 'work',
    version: '2.1.0',
    title: 'Work',
    icons: [{ src: 'https://example.com/work.png', sizes: ['48x48'], theme: 'light' }],
  });
  expect(client.getInstructions()).toBe('Work hard.');
});

test('the server answers a ping, and a method that nobody knows', async () => {
  const client = await connect();
  expect(await client.ping()).toEqual({});
  expect(await refusalOf(client, 'tools/burn', {})).toMatchObject({ code: -32601 });
});

describe('logging', () => {
  test('sends what is at or above the level that the client set, with the name of the logger', async () => {
    const client = await connect();
    const heard = hearing(client);
    await client.setLoggingLevel('error');
    await call(client, 'speak');
    const loud = LEVELS.slice(LEVELS.indexOf('error'));
    expect(heard).toEqual([...loud.map((level) => `message ${JSON.stringify(level)}`), 'message {"rows":3}']);
    heard.length = 0;
    await client.setLoggingLevel('emergency');
    await call(client, 'speak');
    expect(heard).toEqual(['message "emergency"', 'message {"rows":3}']);
  });

  test('is set by each client for itself, and works for resources', async () => {
    const quiet = await connect();
    const loud = await app.connect();
    const heard = [hearing(quiet), hearing(loud)];
    await quiet.setLoggingLevel('emergency');
    await loud.setLoggingLevel('debug');
    for (const client of [quiet, loud]) await client.readResource({ uri: 'work://slow' });
    expect(heard).toEqual([[], ['message "reading"']]);
  });

  test('refuses a level that does not exist', async () => {
    const client = await connect();
    expect(await refusalOf(client, 'logging/setLevel', { level: 'loud' })).toMatchObject({
      code: expect.any(Number),
    });
    await client.ping();
  });
});

describe('progress', () => {
  test('only increases, and is sent to a client that asked for it', async () => {
    const client = await connect();
    const seen: unknown[] = [];
    const params = { name: 'work', arguments: { action: 'count' } };
    await client.callTool(params, undefined, { onprogress: (progress) => seen.push(progress) });
    expect(seen).toEqual([1, 3, 4].map((step) => ({ progress: step, total: 4, message: `step ${step}` })));
    const heard = hearing(client);
    await call(client, 'count');
    expect(heard).toEqual([]);
  });

  test('works for resources', async () => {
    const client = await connect();
    const seen: unknown[] = [];
    const onprogress = (progress: unknown): unknown => seen.push(progress);
    await client.readResource({ uri: 'work://slow' }, { onprogress });
    expect(seen).toEqual([{ progress: 1, total: 2 }]);
  });
});

test('cancellation reaches the handler as its signal, and the connection goes on', async () => {
  const client = await connect();
  const controller = new AbortController();
  const params = { name: 'work', arguments: { action: 'wait' } };
  const answer = client.callTool(params, undefined, {
    signal: controller.signal,
    onprogress: () => controller.abort('changed my mind'),
  });
  await expect(answer).rejects.toThrow('changed my mind');
  expect(await ended.promise).toBe('changed my mind');
  expect(await call(client, 'count')).toMatchObject({ content: [{ text: 'done' }] });
});
