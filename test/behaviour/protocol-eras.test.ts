import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Action, Ctx, McpApplication, Module, Notifier, ToolContext, ToolGroup } from 'toolwright';
import {
  connectFetch,
  connectHttp,
  connectInMemory,
  client2025,
  client2026,
} from '../support/client-of-2026.ts';
import { hearingChanges } from '../support/hearing-2026.ts';
import { textOf } from '../support/text-of.ts';

@ToolGroup('notes')
class NotesTools {
  constructor(private readonly notifier: Notifier) {}

  @Action()
  list(): readonly string[] {
    return ['one', 'two'];
  }

  @Action()
  change(): string {
    this.notifier.toolsChanged();
    return 'changed';
  }

  @Action()
  async wait(@Ctx() context: ToolContext): Promise<string> {
    started();
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
    aborted();
    return 'too late';
  }
}

@Module({ controllers: [NotesTools] })
class NotesModule {}

let started = (): void => undefined;
let aborted = (): void => undefined;
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function application(): Promise<McpApplication> {
  const app = await McpApplication.create(NotesModule, { name: 'notes', version: '3.0.0' });
  cleanups.push(() => app.close());
  return app;
}

type Connected = { readonly close: () => Promise<void> };
function closing<Kind extends Connected>(client: Kind): Kind {
  cleanups.push(() => client.close());
  return client;
}

async function version1(connect: (client: Client) => Promise<unknown>): Promise<Client> {
  const client = closing(new Client({ name: 'earlier', version: '1' }));
  await connect(client);
  return client;
}

const LIST = { name: 'notes', arguments: { action: 'list' } };
const RESULT = { content: [{ text: expect.stringContaining('"two"') }] };

describe('one application serves clients of every revision at the same time', () => {
  test('over one HTTP endpoint', async () => {
    const app = await application();
    const { url } = await app.listen({ port: 0, signals: false });
    const clients = [
      closing(await connectHttp(client2026(), url)),
      closing(await connectHttp(client2025(), url)),
      await version1((client) => client.connect(new StreamableHTTPClientTransport(new URL(url)))),
    ];
    for (const client of clients) {
      await client.listTools();
      expect(await client.callTool(LIST)).toMatchObject(RESULT);
    }
  });

  test('through one function', async () => {
    const app = await application();
    const serve = (request: Request): Promise<Response> => app.fetch(request);
    const clients = [
      closing(await connectFetch(client2026(), serve)),
      closing(await connectFetch(client2025(), serve)),
    ];
    for (const client of clients) expect(await client.callTool(LIST)).toMatchObject(RESULT);
    const probing = closing(await connectFetch(client2026({ versionNegotiation: { mode: 'auto' } }), serve));
    expect(probing.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  });

  test('in memory', async () => {
    const app = await application();
    const clients = [
      closing(await connectInMemory(client2026(), (transport) => app.connect(transport))),
      closing(await connectInMemory(client2025(), (transport) => app.connect(transport))),
      await version1(async (client) => {
        const [near, far] = InMemoryTransport.createLinkedPair();
        await app.connect(far);
        await client.connect(near);
      }),
    ];
    for (const client of clients) expect(await client.callTool(LIST)).toMatchObject(RESULT);
  });
});

describe('what a service notifies', () => {
  test('reaches the clients that listen, whatever they are connected over', async () => {
    const app = await application();
    const { url } = await app.listen({ port: 0, signals: false });
    const clients = [
      closing(await connectHttp(client2026(), url)),
      closing(await connectFetch(client2026(), (request) => app.fetch(request))),
      closing(await connectInMemory(client2026(), (transport) => app.connect(transport))),
    ];
    const hearings = clients.map(hearingChanges);
    for (const client of clients) await client.listen({ toolsListChanged: true });
    await clients[0]!.callTool({ name: 'notes', arguments: { action: 'change' } });
    await Promise.all(hearings.map(({ count }) => count(1)));
    expect(hearings.map(({ heard }) => heard)).toEqual(Array(3).fill(['tools/list_changed']));
  });
});

describe('a client of 2026-07-28 that gives up', () => {
  test.each(['HTTP', 'fetch', 'memory'])('aborts the signal of its handler, over %s', async (way) => {
    const app = await application();
    const connect: Readonly<Record<string, () => Promise<ReturnType<typeof client2026>>>> = {
      HTTP: async () => connectHttp(client2026(), (await app.listen({ port: 0, signals: false })).url),
      fetch: () => connectFetch(client2026(), (request) => app.fetch(request)),
      memory: () => connectInMemory(client2026(), (transport) => app.connect(transport)),
    };
    const hasStarted = new Promise<void>((resolve) => (started = resolve));
    const hasAborted = new Promise<void>((resolve) => (aborted = resolve));
    const client = closing(await connect[way]!());
    const cancel = new AbortController();
    const params = { name: 'notes', arguments: { action: 'wait' } };
    const call = client.callTool(params, { signal: cancel.signal }).catch(() => 'gave up');
    await hasStarted;
    cancel.abort();
    await hasAborted;
    expect(await call).toBe('gave up');
  });
});

test('a subscription does not keep an application from closing, and is notified that it does', async () => {
  const app = await application();
  const { url } = await app.listen({ port: 0, signals: false });
  const client = closing(await connectHttp(client2026(), url));
  const subscription = await client.listen({ toolsListChanged: true });
  await app.close();
  expect(await subscription.closed).toBe('graceful');
});

describe('the revision of a client', () => {
  // As the guide on revisions has it
  @ToolGroup('diagnostics')
  class DiagnosticTools {
    @Action()
    revision(@Ctx() ctx: ToolContext): string {
      return ctx.header('mcp-protocol-version') ?? 'not served over HTTP, or older than 2025-06-18';
    }

    @Action()
    said(@Ctx() { meta }: ToolContext): object {
      return meta;
    }
  }
  @Module({ controllers: [DiagnosticTools] })
  class DiagnosticModule {}

  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  type Connect = (app: McpApplication, client: ReturnType<typeof client2026>) => Promise<unknown>;
  const entries: Readonly<Record<string, Connect>> = {
    listen: async (app, client) => connectHttp(client, (await app.listen({ port: 0, signals: false })).url),
    fetch: (app, client) => connectFetch(client, app.fetch),
    connect: (app, client) => connectInMemory(client, (transport) => app.connect(transport)),
  };

  test.each([
    ['listen', client2026, '2026-07-28'],
    ['fetch', client2026, '2026-07-28'],
    ['listen', client2025, '2025-11-25'],
    ['fetch', client2025, '2025-11-25'],
  ] as const)('over %s, %p declares its revision in each call: %s', async (entry, make, revision) => {
    const app = await McpApplication.create(DiagnosticModule);
    closing.push(() => app.close());
    const client = make();
    closing.push(() => client.close());
    await entries[entry]?.(app, client);
    const answer = await client.callTool({ name: 'diagnostics', arguments: { action: 'revision' } });
    expect(answer.content).toMatchObject([{ text: revision }]);
  });

  test.each(
    Object.keys(entries).flatMap((entry) => [[entry, client2026] as const, [entry, client2025] as const]),
  )(
    'by %s, the meta of a call is what its client added, without what names client and revision: %p',
    async (entry, make) => {
      const app = await McpApplication.create(DiagnosticModule);
      closing.push(() => app.close());
      const client = make();
      closing.push(() => client.close());
      await entries[entry]?.(app, client);
      const answer = await client.callTool({
        name: 'diagnostics',
        arguments: { action: 'said' },
        _meta: { 'example.com/trace': 'a1' },
      });
      expect(JSON.parse(textOf(answer))).toEqual({ 'example.com/trace': 'a1' });
    },
  );

  test('a mounted application leaves the signals of the process alone', async () => {
    const before = process.listenerCount('SIGTERM');
    const app = await McpApplication.create(DiagnosticModule);
    closing.push(() => app.close());
    await app.fetch(new Request('http://127.0.0.1/mcp', { method: 'DELETE' }));
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
