import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CreateTaskResultSchema, ListTasksResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { IsString } from 'class-validator';
import {
  Action,
  Complete,
  createTool,
  Destructive,
  Injectable,
  Module,
  Prompt,
  ReadOnly,
  Resource,
  ToolGroup,
  type ListedResource,
  McpApplication,
} from 'toolwright';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { awaitNews } from '../support/connections/news.ts';
import { refusedSubscription } from '../support/connections/refused-subscription.ts';
import { textOf, factsOf } from '../support/text-of.ts';
import { connectedClient } from '../support/attached-client.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { Gates, JobsController, JobsModule } from '../support/jobs-module.ts';

class Translate {
  @IsString() language!: string;
}

@ToolGroup('books')
class BookTools {
  @Action() @ReadOnly() find(): string {
    return 'found';
  }
  @Action() @Destructive() burn(): string {
    return 'burnt';
  }
}

@Injectable()
class BookOffers {
  @Prompt() review(): string { return 'Review it'; } // oxfmt-ignore
  @Prompt() translate({ language }: Translate): string { return language; } // oxfmt-ignore
  @Complete('translate', 'language') languages(): readonly string[] { return ['de', 'en']; } // oxfmt-ignore
  @Resource('books://index') index(): string { return 'index'; } // oxfmt-ignore
  @Resource('books://{id}', { list: 'all' }) book(): string { return 'book'; } // oxfmt-ignore

  all(): readonly ListedResource[] {
    return [{ uri: 'books://1', name: 'first' }];
  }
}

@Module({ controllers: [BookTools, BookOffers] })
class BookModule {}

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeEach(async () => {
    app = await createConnectedApplication(kind, BookModule);
    client = await app.client();
    await client.listen();
  });
  afterEach(() => app.close());

  const call = async (name: string, action: string): Promise<string> =>
    textOf((await client.callTool({ name, arguments: { action } })) as { content: unknown });

  /** The client receives all of it, or nothing where there is no way of telling. */
  async function expectNews(of: FeatureClient, expected: readonly string[]): Promise<void> {
    const heard = kind.hearsChanges === 'never' ? [] : expected;
    expect(await awaitNews(of, heard.length)).toEqual(heard);
  }

  async function toolNames(): Promise<readonly string[]> {
    return (await client.listTools()).tools.map(({ name }) => name);
  }

  describe('app.registry', () => {
    test('replaces a tool while clients are connected, and notifies them', async () => {
      const before = app.app.definitions;
      app.app.registry.replace(
        createTool('books').action({ name: 'lend', readOnly: true, handler: () => 'lent' }),
      );
      await expectNews(client, ['tools/list_changed']);
      expect(await call('books', 'lend')).toBe('lent');
      expect(await call('books', 'find')).toMatch(/^Unknown action "find"/);
      expect(Object.isFrozen(before) && Object.isFrozen(before[0]?.inputSchema)).toBe(true);
      expect(before[0]?.inputSchema.properties?.['action']?.enum).toEqual(['find', 'burn']);
    });

    test('adds a tool and takes one away', async () => {
      app.app.registry.register(createTool('rooms').action({ name: 'list', handler: () => 'rooms' }));
      expect(await toolNames()).toEqual(['books', 'rooms']);
      expect(await call('rooms', 'list')).toBe('rooms');
      app.app.registry.unregister('books');
      expect(await toolNames()).toEqual(['rooms']);
      await expectNews(client, ['tools/list_changed', 'tools/list_changed']);
    });

    test('disables an action: schema, hints and calls know nothing of it until it is enabled', async () => {
      const [whole] = (await client.listTools()).tools;
      app.app.registry.disable('books', 'burn');
      const [tool] = (await client.listTools()).tools;
      expect(tool?.inputSchema.properties?.['action']).toMatchObject({ enum: ['find'] });
      expect([whole, tool].map((each) => each?.annotations?.readOnlyHint)).toEqual([false, true]);
      expect(await call('books', 'burn')).toMatch(/^Unknown action "burn"/);
      app.app.registry.enable('books', 'burn');
      expect((await client.listTools()).tools).toEqual([whole]);
      expect(await call('books', 'burn')).toBe('burnt');
      await expectNews(client, ['tools/list_changed', 'tools/list_changed']);
    });

    test('disables a whole tool', async () => {
      app.app.registry.disable('books');
      expect(await toolNames()).toEqual([]);
      expect(await call('books', 'find')).toMatch(/^Unknown tool "books"/);
      expect(await client.listPrompts()).toMatchObject({
        prompts: [{ name: 'review' }, { name: 'translate' }],
      });
    });

    test('leaves the model of the start as it was', async () => {
      app.app.registry.replace(createTool('books').action({ name: 'lend', handler: () => 'lent' }));
      app.app.prompts.disable('review');
      expect(app.app.model.groups[0]?.childTools.map(({ name }) => name)).toEqual(['find', 'burn']);
      expect(app.app.model.prompts).toHaveLength(2);
    });
  });

  describe('app.prompts', () => {
    test('disables a prompt: it is neither listed, got nor completed until it is enabled', async () => {
      const ref = { type: 'ref/prompt', name: 'translate' } as const;
      const argument = { name: 'language', value: '' };
      app.app.prompts.disable('translate');
      await expectNews(client, ['prompts/list_changed']);
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['review']);
      for (const name of ['translate', 'absent']) {
        expect(await client.refusal('prompts/get', { name })).toMatchObject({
          code: -32602,
          message: `Unknown prompt "${name}". Available: review`,
        });
      }
      expect(await client.refusal('completion/complete', { ref, argument })).toMatchObject({ code: -32602 });
      app.app.prompts.enable('translate');
      await expectNews(client, ['prompts/list_changed']);
      expect((await client.complete({ ref, argument })).completion.values).toEqual(['de', 'en']);
      expect(app.app.prompts.names).toEqual(['review', 'translate']);
    });

    test('names the nearest when there is none of that name', () => {
      expect(() => app.app.prompts.disable('reviw')).toThrow(
        /TW_PRIMITIVE_UNKNOWN.*[^]*did you mean "review"\?/,
      );
      expect(app.app.prompts.names).toEqual(['review', 'translate']);
    });
  });

  describe('app.resources', () => {
    test('disables a resource and a template: neither listed, read nor subscribed to', async () => {
      app.app.resources.disable('index').disable('book');
      await expectNews(client, ['resources/list_changed', 'resources/list_changed']);
      expect((await client.listResources()).resources).toEqual([]);
      expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
      for (const uri of ['books://index', 'books://1', 'books://absent/x']) {
        const refusal = { code: -32602, message: `Resource not found: ${uri}`, data: { uri } };
        expect(await client.refusal('resources/read', { uri })).toEqual(refusal);
        expect(await client.refusal('resources/subscribe', { uri })).toEqual(refusedSubscription(kind, uri));
      }
      app.app.resources.enable('book');
      expect((await client.listResources()).resources.map(({ name }) => name)).toEqual(['first']);
      expect(await client.readResource({ uri: 'books://index' })).toMatchObject({
        contents: [{ text: 'book' }],
      });
    });
  });

  test('every connected client is notified of every change, and one that left makes no trouble', async () => {
    const other = await app.connect();
    await other.listen();
    const leaving = await app.connect();
    await leaving.listen();
    await leaving.close();
    app.app.prompts.disable('review');
    app.app.registry.disable('books', 'burn');
    for (const one of [other, client]) await expectNews(one, ['prompts/list_changed', 'tools/list_changed']);
  });
});

const serverOf = (): McpServer => new McpServer({ name: 'own', version: '1' });
/** The request that the official client sends for a call that becomes a task. */
const slow = (label: string) => ({
  method: 'tools/call' as const,
  params: { name: 'jobs_slow', arguments: { label }, task: {} },
});
/** Lets the messages of linked transports arrive. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

describe('a server that the registry of an application is attached to', () => {
  let app: McpApplication;
  beforeEach(async () => {
    app = await McpApplication.create(JobsModule, {
      logger: new MemoryLogger(),
      drainTimeout: 60_000,
      pageSize: 2,
    });
  });
  afterEach(() => app.close());

  test('pages its lists as the application does', async () => {
    const server = serverOf();
    app.registry.attachToServer(server);
    const client = await connectedClient(server);
    const { tools, nextCursor } = await client.listTools();
    expect([tools.length, typeof nextCursor]).toEqual([2, 'string']);
  });

  test('has its calls waited for by close(), and is refused afterwards', async () => {
    const server = serverOf();
    app.registry.attachToServer(server);
    const client = await connectedClient(server);
    const running = client.callTool({ name: 'jobs_slow', arguments: { label: 'a' } });
    await settled();
    let isClosed = false;
    const closing = app.close().then(() => (isClosed = true));
    await settled();
    expect(isClosed).toBe(false);
    app.get(Gates).open('a');
    expect(await running).toMatchObject({ content: [{ text: 'done a' }] });
    await closing;
    const late = await client.callTool({ name: 'jobs_slow', arguments: { label: 'a' } });
    expect(factsOf(late as never)).toMatchObject({ code: 'DETACHED' });
    expect(() => app.registry.attachToServer(serverOf())).toThrow(/TW_APPLICATION_CLOSED/);
  });

  test('has its tasks waited for by close()', async () => {
    const server = serverOf();
    app.registry.attachToServer(server);
    const client = await connectedClient(server);
    await client.request(slow('b'), CreateTaskResultSchema);
    let isClosed = false;
    const closing = app.close().then(() => (isClosed = true));
    await settled();
    expect(isClosed).toBe(false);
    app.get(Gates).open('b');
    await closing;
    expect(app.get(JobsController).aborted).toEqual([]);
  });

  test('shows the tasks of a person that began over any other way', async () => {
    const [first, second] = [serverOf(), serverOf()];
    app.registry.attachToServer(first);
    app.attach(second);
    const authInfo = { token: 't', clientId: 'ada', scopes: [] };
    const clients = await Promise.all([first, second].map((server) => connectedClient(server)));
    for (const { transport } of clients) {
      const send = transport?.send.bind(transport);
      if (transport !== undefined && send !== undefined) {
        transport.send = (message, options) => send(message, { ...options, authInfo } as never);
      }
    }
    const [near, far] = clients;
    const created = await near?.request(slow('c'), CreateTaskResultSchema);
    const listed = await far?.request({ method: 'tasks/list', params: {} }, ListTasksResultSchema);
    expect(listed?.tasks.map(({ taskId }) => taskId)).toEqual([created?.task.taskId]);
    app.get(Gates).open('c');
  });
});
