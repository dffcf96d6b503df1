import { afterEach, expect, test } from '@jest/globals';
import {
  Action,
  Destructive,
  InMemoryTaskStore,
  InMemoryWorkQueue,
  McpApplication,
  Module,
  ToolGroup,
} from 'toolwright';
import { InMemoryAuditStore, verifyAudit, type AuditRecord } from 'toolwright/audit';
import { client2026, connectHttp } from '../support/client-of-2026.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { TaskRequests } from '../support/task-requests.ts';

@ToolGroup({ name: 'files' })
class Files {
  @Action({ description: 'Wipes', task: 'required' })
  @Destructive()
  wipe() {
    return 'wiped';
  }

  @Action({ description: 'Shreds', task: { queue: 'shredders' } })
  @Destructive()
  shred() {
    return 'shredded';
  }
}

@Module({ controllers: [Files] })
class FilesModule {}

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close();
});

test('a call that becomes a task leaves one attempt, and the outcome of the task', async () => {
  const store = new InMemoryAuditStore();
  const app = await McpApplication.create(FilesModule, { logger: new MemoryLogger(), audit: { store } });
  closing.push(app);
  const { url } = await app.listen({ port: 0, signals: false });
  const client = await connectHttp(
    client2026({ capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } }),
    url,
  );
  closing.push(client);
  await client.callTool({ name: 'files', arguments: { action: 'wipe' } }).catch(() => undefined);
  await app.close();
  const records = store.lines.map((line) => JSON.parse(line) as AuditRecord);
  const ofCalls = records.filter(({ action }) => action === 'wipe');
  expect(ofCalls.map(({ type, outcome }) => outcome ?? type)).toEqual(['attempt', 'done']);
  expect(await verifyAudit(store)).toMatchObject({ isSound: true });
});

test('a call that a worker runs is queued in one audit, and has its attempt and its end in the other', async () => {
  const logger = new MemoryLogger();
  const backplane = { tasks: new InMemoryTaskStore(), queue: new InMemoryWorkQueue(logger) };
  const tasks = { pollInterval: 20 };
  const start = async () => {
    const store = new InMemoryAuditStore();
    const options = { name: 'files', logger, tasks, backplane, secrets: ['x'.repeat(32)], audit: { store } };
    const app = await McpApplication.create(FilesModule, options);
    closing.push(app);
    const seen = () =>
      store.lines
        .map((line) => JSON.parse(line) as AuditRecord)
        .flatMap(({ action, type, outcome }) => (action === 'shred' ? [outcome ?? type] : []));
    return { app, seen };
  };
  const [front, worker] = [await start(), await start()];
  await worker.app.work();
  const client = new TaskRequests(front.app.fetch);
  await client.end(await client.begin('files', { action: 'shred' }));
  await eventually(() => worker.seen().length === 2);
  expect([front.seen(), worker.seen()]).toEqual([['queued'], ['attempt', 'done']]);
});
