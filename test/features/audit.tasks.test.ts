import { afterEach, expect, test } from '@jest/globals';
import { Action, Destructive, McpApplication, Module, ToolGroup } from 'toolwright';
import { InMemoryAuditStore, verifyAudit, type AuditRecord } from 'toolwright/audit';
import { client2026, connectHttp } from '../support/client-of-2026.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

@ToolGroup({ name: 'files' })
class Files {
  @Action({ description: 'Wipes', task: 'required' })
  @Destructive()
  wipe() {
    return 'wiped';
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
