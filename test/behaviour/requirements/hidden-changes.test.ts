import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpTransport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  Injectable,
  McpApplication,
  Module,
  Notifier,
  Policy,
  Resource,
  Roles,
  type Caller,
} from 'toolwright';
import {
  authInfoOf,
  createAppWithCallers,
  tokenOf,
  type AppWithCallers,
  type TestCaller,
} from '../../support/callers.ts';
import { connectedClient } from '../../support/attached-client.ts';
import { eventually } from '../../support/eventually.ts';
import { hearingChanges } from '../../support/hearing-2026.ts';

const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  team.add('ada');
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const team = new Set<string>();

@Injectable()
class Memos {
  @Resource('memo://board') @Roles('board') board(): string {
    return 'for the board';
  }
  @Resource('memo://team')
  @Policy({ list: async ({ sub }: Caller) => Promise.resolve(team.has(String(sub))) })
  team(): string {
    return 'for the team';
  }
  @Resource('memo://all') all(): string {
    return 'for all';
  }
}
@Module({ controllers: [Memos] })
class MemosModule {}

async function listening(app: AppWithCallers, caller: TestCaller) {
  const client = new Client(
    { name: 'tester', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const changes = hearingChanges(client);
  const headers = { authorization: `Bearer ${tokenOf(caller)}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(await app.url()), { requestInit: { headers } }),
  );
  closing.push(() => client.close());
  await client.listen({ resourceSubscriptions: ['memo://board', 'memo://team', 'memo://all'] });
  return changes;
}

test('who listens to resources gets no change of those that are hidden', async () => {
  const app = await createAppWithCallers(MemosModule, { policyTtl: 0 });
  closing.push(() => app.app.close());
  const chair = await listening(app, { sub: 'chair', roles: ['board'] });
  const ada = await listening(app, { sub: 'ada' });
  const notifier = app.app.get(Notifier);
  for (const name of ['board', 'team', 'all']) notifier.resourceUpdated(`memo://${name}`);
  await Promise.all([chair.count(2), ada.count(2)]);
  notifier.resourceUpdated('memo://all');
  await Promise.all([chair.count(3), ada.count(3)]);
  expect([...chair.heard].sort()).toEqual([
    'resources/updated memo://all',
    'resources/updated memo://all',
    'resources/updated memo://board',
  ]);
  expect([...ada.heard].sort()).toEqual([
    'resources/updated memo://all',
    'resources/updated memo://all',
    'resources/updated memo://team',
  ]);
});

const URIS = ['memo://team', 'memo://all'];

/** Subscribes, withdraws the right, and gives the changes that the client gets. */
async function subscribed(client: Client1, app: McpApplication): Promise<readonly string[]> {
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params.uri);
  });
  for (const uri of URIS) await client.subscribeResource({ uri });
  const notifier = app.get(Notifier);
  for (const uri of URIS) notifier.resourceUpdated(uri);
  await eventually(() => heard.length === 2);
  team.delete('ada');
  for (const uri of [...URIS, 'memo://all']) notifier.resourceUpdated(uri);
  await eventually(() => heard.length >= 4);
  return heard;
}

test('who subscribed in a session gets no change of what is hidden in the meantime', async () => {
  const { app } = await createAppWithCallers(MemosModule, { policyTtl: 0 });
  closing.push(() => app.close());
  const { url } = await app.listen(0);
  const client = new Client1({ name: 'tester', version: '1.0.0' });
  const headers = { authorization: `Bearer ${tokenOf({ sub: 'ada' })}` };
  await client.connect(new HttpTransport1(new URL(url), { requestInit: { headers } }));
  closing.push(() => client.close());
  expect((await subscribed(client, app)).slice(2)).toEqual(['memo://all', 'memo://all']);
});

test('the same on an attached server, whose transport says who calls', async () => {
  const { app } = await createAppWithCallers(MemosModule, { policyTtl: 0 });
  closing.push(() => app.close());
  const server = new McpServer({ name: 'attached', version: '1.0.0' });
  app.attach(server);
  const client = await connectedClient(server, {}, authInfoOf({ sub: 'ada' }));
  closing.push(() => client.close());
  expect((await subscribed(client, app)).slice(2)).toEqual(['memo://all', 'memo://all']);
});
