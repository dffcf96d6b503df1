import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CreateTaskResultSchema, ListTasksResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpApplication } from 'toolwright';
import { connectedClient } from '../support/attached-client.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { Gates, JobsController, JobsModule } from '../support/jobs-module.ts';
import { factsOf } from '../support/text-of.ts';

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
