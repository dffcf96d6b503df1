import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsString } from 'class-validator';
import {
  Action,
  Injectable,
  Input,
  Module,
  Notifier,
  Prompt,
  Resource,
  ToolGroup,
  type OnModuleInit,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { refusalOf } from '../fixtures/attached-client.ts';
import { latch } from '../fixtures/fake-surface.ts';
import { hearing } from '../fixtures/hearing.ts';

class Page {
  @IsString() slug!: string;
}

@Injectable()
class Wiki implements OnModuleInit {
  constructor(private readonly notifier: Notifier) {}

  /** Nobody is connected yet, which must not matter. */
  onModuleInit(): void {
    this.changeAll();
  }

  touch(slug: string): void {
    this.notifier.resourceUpdated(`wiki://pages/${slug}`);
  }

  changeAll(): void {
    this.notifier.toolsChanged();
    this.notifier.promptsChanged();
    this.notifier.resourcesChanged();
  }
}

@ToolGroup('wiki')
class WikiTools {
  constructor(private readonly wiki: Wiki) {}

  @Action() touch({ slug }: Page): void {
    this.wiki.touch(slug);
  }

  @Action() changeAll(): void {
    this.wiki.changeAll();
  }

  @Resource('wiki://pages/{slug}') page(@Input() { slug }: Record<string, string>): string {
    return String(slug);
  }

  @Resource('wiki://index') index(): string {
    return '';
  }

  @Prompt() ask(): string {
    return '';
  }
}

@Module({ controllers: [WikiTools], providers: [Wiki] })
class WikiModule {}

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve() {
  const app = await createTestApplication(WikiModule);
  cleanups.push(() => app.close());
  return app;
}

const touch = (client: Client, slug: string): Promise<unknown> =>
  client.callTool({ name: 'wiki', arguments: { action: 'touch', slug } });

const EVERY_LIST = ['tools/list_changed', 'prompts/list_changed', 'resources/list_changed'];

describe('a service with a Notifier', () => {
  test('tells every client that lists changed', async () => {
    const app = await serve();
    const clients = [await app.client(), await app.connect()];
    const heard = clients.map(hearing);
    app.get(Wiki).changeAll();
    for (const client of clients) await client.ping();
    expect(heard).toEqual([EVERY_LIST, EVERY_LIST]);
  });

  test('tells of a resource only those who subscribed to it, until they unsubscribe', async () => {
    const app = await serve();
    const [first, second] = [await app.client(), await app.connect()];
    const heard = [hearing(first), hearing(second)];
    await first.subscribeResource({ uri: 'wiki://pages/home' });
    await second.subscribeResource({ uri: 'wiki://pages/news' });
    await touch(first, 'home');
    await touch(first, 'news');
    await first.unsubscribeResource({ uri: 'wiki://pages/home' });
    await touch(second, 'home');
    for (const client of [first, second]) await client.ping();
    expect(heard).toEqual([['resources/updated wiki://pages/home'], ['resources/updated wiki://pages/news']]);
  });

  test('reaches clients that came after others left', async () => {
    const app = await serve();
    const early = await app.connect();
    await early.subscribeResource({ uri: 'wiki://index' });
    await early.close();
    const late = await app.client();
    const heard = hearing(late);
    await late.subscribeResource({ uri: 'wiki://pages/home' });
    app.get(Wiki).touch('home');
    app.get(Wiki).touch('index');
    await late.ping();
    expect(heard).toEqual(['resources/updated wiki://pages/home']);
  });

  test('reaches clients over HTTP, each by its own session', async () => {
    const app = await serve();
    const { url } = await app.app.listen({ port: 0, signals: false });
    const hasStream = latch();
    const client = new Client({ name: 'http', version: '1.0.0' });
    const heard = latch<string>();
    client.fallbackNotificationHandler = async ({ method, params }) => {
      heard.open(`${method} ${String((params as { uri?: string }).uri)}`);
    };
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (init?.method === 'GET') hasStream.open();
        return response;
      },
    });
    await client.connect(transport);
    cleanups.push(() => client.close());
    await hasStream.promise;
    await client.subscribeResource({ uri: 'wiki://pages/home' });
    app.get(Wiki).touch('home');
    expect(await heard.promise).toBe('notifications/resources/updated wiki://pages/home');
  });

  test('may go on when the application is closed', async () => {
    const app = await serve();
    const wiki = app.get(Wiki);
    await app.client();
    await app.close();
    wiki.changeAll();
    wiki.touch('home');
  });
});

test('the capabilities declare that lists change and that resources can be subscribed to', async () => {
  const client = await (await serve()).client();
  expect(client.getServerCapabilities()).toEqual({
    logging: {},
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
  });
});

test('a subscription to what does not exist is refused, and the connection goes on', async () => {
  const client = await (await serve()).client();
  for (const uri of ['wiki://pages/a/b', 'other://index']) {
    expect(await refusalOf(client, 'resources/subscribe', { uri })).toMatchObject({
      code: -32602,
      message: `Resource not found: ${uri}`,
      data: { uri },
    });
  }
  await client.subscribeResource({ uri: 'wiki://index' });
});
