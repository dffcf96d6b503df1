import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Action, Module, Resource, ToolContext, ToolGroup, type LogLevel } from 'toolwright';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { takeNews } from '../support/connections/news.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryLogger } from '../support/fake-application.ts';

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

const ended: string[] = [];

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
        ended.push(String(ctx.signal.reason));
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

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const ICONS = [{ src: 'https://example.com/work.png', sizes: ['48x48'], theme: 'light' as const }];

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeEach(async () => {
    app = await createConnectedApplication(kind, WorkModule, {
      name: 'work',
      version: '2.1.0',
      title: 'Work',
      instructions: 'Work hard.',
      logger: new MemoryLogger(),
      icons: ICONS,
      drainTimeout: 1,
    });
    client = await app.client();
  });
  afterEach(() => app.close());

  const call = (action: string, _meta = {}): Promise<unknown> =>
    client.callTool({ name: 'work', arguments: { action }, _meta });

  test('the server introduces itself with title, icons and instructions', () => {
    const owner = { name: 'owner', version: '1.0.0' };
    const own = { name: 'work', version: '2.1.0', title: 'Work', icons: ICONS };
    expect(client.getServerVersion()).toEqual(kind.isAttached ? owner : own);
    expect(client.getInstructions()).toBe(kind.isAttached ? undefined : 'Work hard.');
  });

  test('the server answers a ping, and an unknown method', async () => {
    // Spec 2026-07-28 has none, which the client says itself.
    if (kind.era === '2026') {
      expect(await client.refusal('ping')).toMatchObject({
        code: 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
      });
    } else expect(await client.send('ping')).toEqual({});
    expect(await client.refusal('tools/burn', {})).toMatchObject({ code: -32601 });
  });

  describe('logging', () => {
    const keepsLevel = kind.logLevel === 'kept' || kind.logLevel === 'in the request';
    const audible = (level: LogLevel): readonly LogLevel[] =>
      keepsLevel ? LEVELS.slice(LEVELS.indexOf(level)) : LEVELS;

    /** Says what the client wants to hear, and gives the `_meta` that its requests then have. */
    async function setLevel(of: FeatureClient, level: LogLevel): Promise<Record<string, unknown>> {
      if (kind.logLevel === 'in the request') return { [LOG_LEVEL]: level };
      if (kind.logLevel === 'refused') {
        expect(await of.refusal('logging/setLevel', { level })).toEqual({
          code: -32602,
          message: 'Cannot keep a log level without a session; initialize one first',
        });
      } else await of.send('logging/setLevel', { level });
      return {};
    }

    test.each(['error', 'emergency'] as const)(
      'sends what is at or above the level %j that the client set, with the name of the logger',
      async (level) => {
        await call('speak', await setLevel(client, 'debug'));
        takeNews(client);
        await call('speak', await setLevel(client, level));
        expect(client.heard.at(-1)?.params).toMatchObject({ level: 'emergency', logger: 'import' });
        expect(takeNews(client)).toEqual([
          ...audible(level).map((each) => `message ${JSON.stringify(each)}`),
          'message {"rows":3}',
        ]);
      },
    );

    test('is set by each client for itself, and works for resources', async () => {
      const loud = await app.connect();
      const metas = [await setLevel(client, 'emergency'), await setLevel(loud, 'debug')];
      await client.readResource({ uri: 'work://slow', _meta: metas[0] });
      await loud.readResource({ uri: 'work://slow', _meta: metas[1] });
      const heard = ['message "reading"'];
      expect([takeNews(client), takeNews(loud)]).toEqual([keepsLevel ? [] : heard, heard]);
    });

    test('refuses a level that does not exist', async () => {
      const params = { name: 'work', arguments: { action: 'count' }, _meta: { [LOG_LEVEL]: 'loud' } };
      const refusal =
        kind.era === '2026'
          ? await client.refusal('tools/call', params)
          : await client.refusal('logging/setLevel', { level: 'loud' });
      // SDK v2's McpServer takes its own check for a fault of its own.
      expect(refusal.code).toBe(kind.isAttached && kind.era === '2025' ? -32603 : -32602);
      expect(await call('count')).toMatchObject({ content: [{ text: 'done' }] });
    });
  });

  describe('progress', () => {
    test('only increases, and is sent to a client that asked for it', async () => {
      const seen: unknown[] = [];
      const params = { name: 'work', arguments: { action: 'count' } };
      await client.callTool(params, undefined, { onprogress: (progress) => seen.push(progress) });
      expect(seen).toEqual([1, 3, 4].map((step) => ({ progress: step, total: 4, message: `step ${step}` })));
      takeNews(client);
      await call('count');
      expect(takeNews(client)).toEqual([]);
    });

    test('works for resources', async () => {
      const seen: unknown[] = [];
      const onprogress = (progress: unknown): unknown => seen.push(progress);
      await client.readResource({ uri: 'work://slow' }, { onprogress });
      expect(seen).toEqual([{ progress: 1, total: 2 }]);
    });
  });

  test('cancellation reaches the handler as its signal, and the connection goes on', async () => {
    const controller = new AbortController();
    const params = { name: 'work', arguments: { action: 'wait' } };
    const answer = client.callTool(params, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort('changed my mind'),
    });
    await expect(answer).rejects.toThrow('changed my mind');
    expect(await call('count')).toMatchObject({ content: [{ text: 'done' }] });
    // A server without sessions cannot learn that; its handler ends with the application.
    if (kind.givesUpBy === 'nothing') await app.close();
    await eventually(() => ended.length > 0);
    expect(ended.splice(0)).toEqual([
      kind.givesUpBy === 'message' ? 'changed my mind' : expect.stringMatching(/closed|aborted/),
    ]);
  });
});
