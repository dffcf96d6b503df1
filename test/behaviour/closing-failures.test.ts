import { PassThrough } from 'node:stream';
import { afterEach, expect, jest, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Action, McpApplication, Module, ToolContext, ToolGroup } from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';

const hooks: string[] = [];
const started: (() => void)[] = [];

@ToolGroup('work')
class WorkTools {
  @Action()
  async endless(ctx: ToolContext): Promise<string> {
    started.splice(0).forEach((resolve) => resolve());
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
    return 'ended';
  }
}

@Module({ controllers: [WorkTools] })
class WorkModule {
  onApplicationShutdown(): void {
    hooks.push('shutdown');
  }
}

const logger = new MemoryLogger();

afterEach(() => {
  jest.useRealTimers();
  hooks.length = 0;
  logger.records.length = 0;
});

function transportThatCloses(close: () => Promise<void>): object {
  return { start: () => Promise.resolve(), send: () => Promise.resolve(), close };
}

const post = (body: string): Request =>
  new Request('http://localhost/mcp', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });

test('a transport that fails to close keeps nothing else from ending', async () => {
  const app = await McpApplication.create(WorkModule, { logger });
  const cause = new Error('stuck');
  await app.connect(transportThatCloses(() => Promise.reject(cause)));
  const { closed } = await app.listen({ port: 0, signals: false });
  await app.close();
  await closed;
  expect(hooks).toEqual(['shutdown']);
  expect(logger.records).toMatchObject([{ level: 'error', event: 'shutdown.failed', error: cause }]);
});

test('a transport that never closes keeps nothing else from ending', async () => {
  const app = await McpApplication.create(WorkModule, { logger });
  await app.connect(transportThatCloses(() => new Promise(() => undefined)));
  const { closed } = await app.listen({ port: 0, signals: false });
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const closing = app.close();
  await closed;
  await jest.advanceTimersByTimeAsync(60_000);
  await closing;
  expect(hooks).toEqual(['shutdown']);
  expect(logger.records).toMatchObject([{ level: 'error', event: 'shutdown.failed' }]);
});

test('the first fetch() during the drain is refused, and in the form that clients read', async () => {
  const app = await McpApplication.create(WorkModule, { logger });
  const running = new Promise<void>((resolve) => started.push(resolve));
  const leaving = new AbortController();
  const call = app.call('work', { action: 'endless' }, { signal: leaving.signal });
  await running;
  const closing = app.close();
  const response = await app.fetch(post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'));
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { message: 'The server is shutting down' } });
  leaving.abort();
  await call;
  await closing;
});

test.each([
  ['fetch() was used', (app: McpApplication) => app.fetch(post('{}'))],
  ['a server is attached', async (app: McpApplication) => app.attach(existing)],
])('the end of stdin leaves an application alone when %s', async (_name, use) => {
  const app = await McpApplication.create(WorkModule, { logger });
  await use(app);
  const stdin = new PassThrough();
  const { closed } = await app.stdio({ ...streams(stdin), signals: false });
  stdin.end();
  await closed;
  await new Promise(setImmediate);
  expect(hooks).toEqual([]);
  await app.close();
});

test('closing stdio from this side leaves the application alone', async () => {
  const app = await McpApplication.create(WorkModule, { logger });
  const serving = await app.stdio({ ...streams(new PassThrough()), signals: false });
  await serving.close();
  await new Promise(setImmediate);
  expect(hooks).toEqual([]);
  await app.close();
  expect(hooks).toEqual(['shutdown']);
});

const existing = new McpServer({ name: 'existing', version: '1.0.0' });

function streams(stdin: PassThrough) {
  return { stdin, stdout: new PassThrough(), stderr: new PassThrough() };
}
