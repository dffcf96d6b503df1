import { expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { serveTransport } from '../../src/transports/serve-transport.ts';
import { refusalOf } from '../support/attached-client.ts';
import { fakePrompts, fakeResources, fullService } from '../support/fake-service.ts';
import { latch, MemoryLogger, type FakeTool } from '../support/fake-application.ts';
import { finishingTool } from '../support/http-server.ts';

async function served(fakeTools: Readonly<Record<string, FakeTool>>) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const info = { name: 'fake', version: '1' };
  const application = { info, service: fullService({ fakeTools }), logger: new MemoryLogger() };
  const serving = await serveTransport(application, far);
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(near);
  return { serving, client };
}

test('stopping refuses what is new and waits for what runs', async () => {
  const { wait, started, finish } = finishingTool();
  const { serving, client } = await served({ wait });
  const call = client.callTool({ name: 'wait' });
  await started;
  let isStopped = false;
  const stopped = serving.stop().then(() => (isStopped = true));
  const refused = { code: -32000, message: 'The server is shutting down' };
  expect(await refusalOf(client, 'tools/call', { name: 'wait' })).toEqual(refused);
  expect(await refusalOf(client, 'prompts/get', { name: 'greet' })).toEqual(refused);
  expect(await refusalOf(client, 'resources/read', { uri: 'memo:one' })).toEqual(refused);
  expect(isStopped).toBe(false);
  finish();
  expect(await call).toMatchObject({ content: [{ text: 'done' }] });
  await stopped;
  await serving.close();
  await serving.closed;
});

test.each(['prompts', 'resources', 'completions'] as const)('stopping waits for %s as well', async (part) => {
  const [started, finish] = [latch(), latch()];
  const wait = async (): Promise<never> => {
    started.open();
    await finish.promise;
    throw new Error('late');
  };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const service = fullService({
    prompts: { ...fakePrompts({}), get: wait },
    resources: { ...fakeResources({}), fixed: () => ({ list: [], isAll: false }), list: wait, read: wait },
    completions: { complete: wait },
  });
  const info = { name: 'fake', version: '1' };
  const serving = await serveTransport({ info, service, logger: new MemoryLogger() }, far);
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(near);
  const requests = {
    prompts: () => client.getPrompt({ name: 'x' }),
    resources: () => client.listResources(),
    completions: () =>
      client.complete({ ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }),
  };
  const request = requests[part]().catch(() => 'failed');
  await started.promise;
  let isStopped = false;
  const stopped = serving.stop().then(() => (isStopped = true));
  await client.ping();
  expect(isStopped).toBe(false);
  finish.open();
  expect(await request).toBe('failed');
  await stopped;
  await serving.close();
});

test('a client that has its limit of calls is refused one more', async () => {
  const finish = latch();
  const { serving, client } = await served({ wait: () => finish.promise.then(() => 'done') });
  const calls = Array.from({ length: 1000 }, () => client.callTool({ name: 'wait' }));
  expect(await refusalOf(client, 'tools/call', { name: 'wait' })).toEqual({
    code: -32000,
    message: 'This connection runs its limit of 1000 requests; wait for an answer and try again',
  });
  finish.open();
  expect(await Promise.all(calls)).toHaveLength(1000);
  expect(await client.callTool({ name: 'wait' })).toMatchObject({ content: [{ text: 'done' }] });
  await serving.close();
});
