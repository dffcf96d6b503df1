import { afterEach, expect, test } from '@jest/globals';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { originOf } from '../../src/engine/wire-transport.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryLogger } from '../support/fake-application.ts';

@ToolGroup({ name: 'desk', description: 'A desk' })
class Desk {
  @Action('Greets') greet(): string {
    return 'hello';
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

interface Sent {
  readonly id?: number;
}

/** A transport as somebody may write it, who has a channel that knows nothing of promises. */
class OwnTransport {
  onmessage?: (message: unknown) => void;
  onclose?: () => void;
  readonly sent: Sent[] = [];

  start(): Promise<void> {
    return Promise.resolve();
  }
  send(message: Sent): unknown {
    this.sent.push(message);
    return undefined;
  }
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

class ThrowingTransport extends OwnTransport {
  override send(message: Sent): unknown {
    this.sent.push(message);
    if (message.id === 1) return Promise.resolve();
    throw new Error('the channel is full');
  }
}

let app: McpApplication | undefined;
afterEach(() => app?.close());

test.each([
  ['gives no promise', OwnTransport],
  ['throws at once', ThrowingTransport],
])('a transport whose send %s is answered on, and ends nothing', async (_name, Own) => {
  app = await McpApplication.create(DeskModule, { name: 'own', logger: new MemoryLogger() });
  const transport = new Own();
  await app.connect(transport);
  const receive = (message: object): void => transport.onmessage?.({ jsonrpc: '2.0', ...message });
  const clientInfo = { name: 'tester', version: '1.0.0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  receive({ id: 1, method: 'initialize', params });
  await eventually(() => transport.sent.length === 1);
  receive({ method: 'notifications/initialized' });
  receive({ id: 2, method: 'tools/call', params: { name: 'desk', arguments: { action: 'greet' } } });
  receive({ id: 3, method: 'tools/list', params: {} });
  receive({ id: 4, method: 'ping' });
  await eventually(() => transport.sent.length === 4);
  expect(transport.sent.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
  receive({ id: 5, method: 'ping' });
  await eventually(() => transport.sent.length === 5);
  expect(transport.sent.at(-1)).toMatchObject({ id: 5 });
});

test('headers that a transport reports are texts, and lists of texts are joined', () => {
  const headers = { 'x-one': 'a', 'x-many': ['b', 'c'], 'x-number': 5 };
  expect([...(originOf({ requestInfo: { headers } }).http?.headers ?? [])]).toEqual([
    ['x-many', 'b, c'],
    ['x-one', 'a'],
  ]);
  expect(originOf({}).http).toBeUndefined();
});
