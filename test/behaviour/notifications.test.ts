import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { awaitNews } from '../support/connections/news.ts';
import { refusedSubscription } from '../support/connections/refused-subscription.ts';

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

const touch = (client: FeatureClient, slug: string): Promise<unknown> =>
  client.callTool({ name: 'wiki', arguments: { action: 'touch', slug } });

const EVERY_LIST = ['tools/list_changed', 'prompts/list_changed', 'resources/list_changed'];

describe.each(CONNECTIONS)('$name', (kind) => {
  const isDeaf = kind.hearsChanges === 'never';
  let app: ConnectedApplication;

  beforeEach(async () => {
    app = await createConnectedApplication(kind, WikiModule);
  });
  afterEach(() => app.close());

  /** A client that is notified of changes where that is possible. */
  async function listening(...uris: readonly string[]) {
    const client = await app.connect();
    const canSubscribe = kind.era === '2026' || !isDeaf;
    const end = await client.listen(...(canSubscribe ? uris : []));
    return { client, end };
  }

  async function expectNews(client: FeatureClient, expected: readonly string[]): Promise<void> {
    const heard = isDeaf ? [] : expected;
    expect(await awaitNews(client, heard.length)).toEqual(heard);
  }

  describe('a service with a Notifier', () => {
    test('notifies every client that lists changed', async () => {
      const clients = [await listening(), await listening()];
      app.get(Wiki).changeAll();
      for (const { client } of clients) await expectNews(client, EVERY_LIST);
    });

    test('notifies only clients that subscribed to a resource, until they unsubscribe', async () => {
      const first = await listening('wiki://pages/home');
      const second = await listening('wiki://pages/news');
      await touch(first.client, 'home');
      await touch(first.client, 'news');
      await expectNews(first.client, ['resources/updated wiki://pages/home']);
      await first.end();
      await touch(second.client, 'home');
      await expectNews(first.client, []);
      await expectNews(second.client, ['resources/updated wiki://pages/news']);
    });

    test('reaches clients that came after others left', async () => {
      const { client: early } = await listening('wiki://index');
      await early.close();
      const { client: late } = await listening('wiki://pages/home');
      app.get(Wiki).touch('home');
      app.get(Wiki).touch('index');
      await expectNews(late, ['resources/updated wiki://pages/home']);
    });

    test('may go on when the application is closed', async () => {
      const wiki = app.get(Wiki);
      await app.client();
      await app.close();
      expect(() => {
        wiki.changeAll();
        wiki.touch('home');
      }).not.toThrow();
    });
  });

  test('the capabilities declare that lists change and that resources can be subscribed to', async () => {
    const lists = kind.promisesChanges ? { listChanged: true } : {};
    expect((await app.client()).getServerCapabilities()).toEqual({
      logging: {},
      tools: lists,
      prompts: lists,
      resources: { ...(kind.promisesChanges ? { subscribe: true } : {}), ...lists },
    });
  });

  test('a subscription to what does not exist is refused, and the connection goes on', async () => {
    const client = await app.client();
    for (const uri of ['wiki://pages/a/b', 'other://index']) {
      expect(await client.refusal('resources/subscribe', { uri })).toEqual(refusedSubscription(kind, uri));
    }
    await touch((await listening('wiki://index')).client, 'home');
    await expectNews(client, []);
  });
});
