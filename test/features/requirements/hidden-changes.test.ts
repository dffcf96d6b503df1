import { afterEach, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Injectable, Module, Notifier, Policy, Resource, Roles, type Caller } from 'toolwright';
import {
  createAppWithCallers,
  tokenOf,
  type AppWithCallers,
  type TestCaller,
} from '../../support/callers.ts';
import { hearingChanges } from '../../support/hearing-2026.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

@Injectable()
class Memos {
  @Resource('memo://board') @Roles('board') board(): string {
    return 'for the board';
  }
  @Resource('memo://team')
  @Policy({ list: async ({ sub }: Caller) => Promise.resolve(sub === 'ada') })
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
