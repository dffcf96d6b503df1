import { describe, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  Action,
  createTool,
  Logger,
  McpApplication,
  Module,
  Prompt,
  Resource,
  ToolContext,
  ToolGroup,
  ToolRegistry,
  type CallToolResult,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { connectedClient } from '../support/attached-client.ts';
import { factsOf, textOf } from '../support/text-of.ts';

const started: (() => void)[] = [];
const hooks: string[] = [];

@ToolGroup('work')
class WorkTools {
  @Action()
  quick(): string {
    return 'done';
  }

  @Action()
  async endless(ctx: ToolContext): Promise<string> {
    started.splice(0).forEach((resolve) => resolve());
    await new Promise((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error));
    });
    return 'never';
  }

  @Action()
  failing(): never {
    throw new Error('disk full');
  }
}

@Module({ controllers: [WorkTools] })
class WorkModule {
  onApplicationShutdown(): void {
    hooks.push('shutdown');
  }
}

function whenStarted(): Promise<void> {
  return new Promise((resolve) => started.push(resolve));
}

test('close() waits for a listen() that is still opening, and leaves nothing that serves', async () => {
  const app = await McpApplication.create(WorkModule);
  const opening = app.listen({ port: 0, signals: false });
  await app.close();
  const { url, closed } = await opening;
  await closed;
  await expect(fetch(url, { method: 'POST', body: '{}' })).rejects.toThrow();
});

test('what outlives the drain is aborted before the shutdown hooks run', async () => {
  hooks.length = 0;
  const app = await McpApplication.create(WorkModule, { drainTimeout: 50 });
  const running = whenStarted();
  const result = app.call('work', { action: 'endless' }).then((answer: CallToolResult) => {
    hooks.push('answered');
    return answer;
  });
  await running;
  await app.close();
  expect(factsOf(await result)).toMatchObject({ code: 'CANCELLED' });
  expect(hooks).toContain('shutdown');
});

describe('a handler that listens to nothing', () => {
  @ToolGroup('stuck')
  class StuckTools {
    @Action() run(): Promise<never> {
      started.splice(0).forEach((resolve) => resolve());
      return new Promise(() => undefined);
    }
    @Prompt() prompt(): Promise<never> {
      return this.run();
    }
    @Resource('stuck://state') state(): Promise<never> {
      return this.run();
    }
  }
  @Module({ controllers: [StuckTools] })
  class StuckModule {}

  test('lets app.call() end when the application does', async () => {
    const app = await McpApplication.create(StuckModule, { drainTimeout: 0 });
    const running = whenStarted();
    const result = app.call('stuck', { action: 'run' });
    await running;
    await app.close();
    expect(textOf(await result)).toBe('[stuck] The server was shut down\nCode: CANCELLED');
  });

  test('lets the clients of an attached server have an answer', async () => {
    const app = await McpApplication.create(StuckModule, { drainTimeout: 0 });
    const server = new McpServer({ name: 'own', version: '1.0.0' });
    app.attach(server);
    const client = await connectedClient(server);
    const calls: [() => Promise<unknown>, unknown][] = [
      [() => client.callTool({ name: 'stuck', arguments: { action: 'run' } }), { isError: true }],
      [() => client.getPrompt({ name: 'prompt' }), { data: { code: 'CANCELLED' } }],
      [() => client.readResource({ uri: 'stuck://state' }), { data: { code: 'CANCELLED' } }],
    ];
    const answers = [];
    for (const [call] of calls) {
      const running = whenStarted();
      answers.push(call().catch((error: unknown) => error));
      await running;
    }
    await app.close();
    for (const [index, answer] of answers.entries())
      expect(await answer).toMatchObject(calls[index]?.[1] as object);
    await client.close();
  });
});

test('attaches to nothing after close()', async () => {
  const app = await McpApplication.create(WorkModule);
  await app.close();
  expect(() => app.attach(new McpServer({ name: 'own', version: '1.0.0' }))).toThrow(/TW_APPLICATION_CLOSED/);
});

test('fetch() answers 503 after close()', async () => {
  const app = await McpApplication.create(WorkModule);
  await app.close();
  const response = await app.fetch(new Request('http://localhost/mcp', { method: 'POST', body: '{}' }));
  expect(response.status).toBe(503);
});

test.each([-1, Number.NaN, 'soon'])('refuses %p as a drain time-out', async (drainTimeout) => {
  const created = McpApplication.create(WorkModule, { drainTimeout: drainTimeout as number });
  await expect(created).rejects.toThrow(/TW_APPLICATION_OPTION/);
});

test('a logger that throws disturbs neither a call nor its answer', async () => {
  class BrokenLogger extends Logger {
    log(): void {
      throw new Error('the log is full');
    }
  }
  const app = await createTestApplication(WorkModule, { logger: new BrokenLogger() });
  const result = await app.call('work', { action: 'failing' });
  expect(textOf(result)).toMatch(/^\[work\/failing\] disk full\n/);
  expect(textOf(await app.call('work', { action: 'quick' }))).toBe('done');
  await app.close();
});

test('the registry of an application filters and gives contexts as the application does', async () => {
  const app = await McpApplication.create(WorkModule, { exclude: ['hidden'] });
  app.registry.register(
    createTool('extra')
      .tags('hidden')
      .action({ name: 'run', handler: () => 'ran' }),
  );
  expect(textOf(await app.registry.routeCall('extra', { action: 'run' }))).toMatch(/^Unknown tool "extra"/);
  expect(app.registry.getAllTools().map(({ name }) => name)).toEqual(['work']);
  await app.close();
});

test.each([[undefined], [7], [Symbol('s')]])(
  'routing to %p is an error result, and no rejection',
  async (name) => {
    const result = await new ToolRegistry().routeCall(name as unknown as string, {});
    expect(factsOf(result)).toMatchObject({ code: 'UNKNOWN_TOOL' });
  },
);

test('a thrown value whose message cannot be read is an error result, and no rejection', async () => {
  const hostile = Object.defineProperty({}, 'message', {
    get: () => {
      throw new Error('inner');
    },
  });
  const tool = createTool('t').action({ name: 'a', handler: () => Promise.reject(hostile as Error) });
  expect(textOf(await tool.execute({ action: 'a' }))).toMatch(/^\[t\/a\] unknown error\n/);
});
