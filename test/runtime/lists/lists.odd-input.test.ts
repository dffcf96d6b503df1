import { afterEach, expect, test } from '@jest/globals';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Action, Injectable, McpApplication, Module, Resource, ToolGroup } from 'toolwright';
import { eventually } from '../../support/eventually.ts';
import { MemoryLogger } from '../../support/fake-application.ts';
import { send } from '../../support/raw-http.ts';
import { body2025 } from '../../support/oracle/corpus.ts';

@ToolGroup({ name: 'desk', description: 'A desk' })
class Desk {
  @Action('Greets') greet(): string {
    return 'hello';
  }
}

@Injectable()
class Memos {
  @Resource('memo:one', { name: 'one', meta: { huge: 1n } }) one(): string {
    return 'first memo';
  }
}

@Module({ controllers: [Desk, Memos] })
class OddModule {}

let app: McpApplication;
const create = async (): Promise<McpApplication> =>
  (app = await McpApplication.create(OddModule, { name: 'odd', logger: new MemoryLogger() }));
afterEach(() => app.close());

test('a list that JSON cannot carry is answered with an error', async () => {
  await create();
  const { url } = await app.listen({ port: 0, signals: false, sessions: false });
  const ping = await send(url, { body: body2025('ping', undefined) });
  const list = await send(url, { body: body2025('resources/list', {}) });
  expect(ping.status).toBe(200);
  expect(list.error).toEqual({ code: -32603, message: 'The answer could not be written as JSON' });
});

const CALL = { name: 'desk', arguments: { action: 'greet' } };

test.each([
  ['without params', { jsonrpc: '2.0', method: 'tools/list', params: null }],
  ['with a text as params', { jsonrpc: '2.0', method: 'tools/list', params: 'x' }],
  ['with a list as params', { jsonrpc: '2.0', method: 'tools/call', params: [1] }],
  ['of no version', { method: 'ping' }],
  ['of another version', { jsonrpc: '1.0', method: 'tools/call', params: CALL }],
  ['with a number as _meta', { jsonrpc: '2.0', method: 'tools/list', params: { _meta: 5 } }],
  ['with another member', { jsonrpc: '2.0', method: 'ping', more: true }],
])('a transport of somebody else may bring a message %s, which is ignored', async (_name, odd) => {
  await create();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const heard: unknown[] = [];
  near.onmessage = (message) => heard.push('id' in message ? message.id : undefined);
  await app.connect(far);
  await near.start();
  const clientInfo = { name: 'tester', version: '1.0.0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const post = (id: number, sent: object): Promise<void> =>
    near.send({ jsonrpc: '2.0', id, method: 'ping', ...sent } as never);
  await post(1, { method: 'initialize', params });
  await eventually(() => heard.includes(1));
  await near.send({ id: 2, ...odd } as never);
  await post(3, { params: {} });
  await eventually(() => heard.includes(3));
  expect(heard).toEqual([1, 3]);
});
