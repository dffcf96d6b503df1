import { expect, test } from '@jest/globals';
import { openConnection } from '../../src/engine/connection.ts';
import type { WireTransport } from '../../src/engine/wire-transport.ts';
import { echo, fakeApplication, type FakeTool } from '../support/fake-application.ts';
import { eventually } from '../support/eventually.ts';
import { message2026 } from '../support/client-of-2026.ts';
import { INITIALIZE } from '../support/connections-2026.ts';
import { waitingTool } from '../support/http-server.ts';

interface TestWire extends WireTransport {
  readonly sent: { readonly id?: unknown; readonly method?: string; readonly error?: object }[];
}

function wireOf(members: Partial<WireTransport> = {}): TestWire {
  const sent: TestWire['sent'] = [];
  const wire: TestWire = {
    sent,
    start: () => Promise.resolve(),
    send: async (message) => void sent.push(message as object),
    close: async () => wire.onclose?.(),
    ...members,
  };
  return wire;
}

test('a connection has ended when it was closed, though its transport failed to close', async () => {
  const wire = wireOf({ close: () => Promise.reject(new Error('stuck')) });
  const connection = await openConnection(fakeApplication({}), wire);
  await expect(connection.close()).rejects.toThrow('stuck');
  await connection.closed;
  expect(wire.sent).toEqual([]);
});

test('a connection that is closed answers what runs in either era, once', async () => {
  const [in2026, in2025] = [waitingTool(), waitingTool()];
  const wire = wireOf();
  const connection = await openConnection(
    fakeApplication({ '2026': in2026.wait, '2025': in2025.wait }),
    wire,
  );
  wire.onmessage?.(INITIALIZE);
  wire.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '2025' } });
  wire.onmessage?.(message2026('tools/call', { name: '2026' }, 2));
  await Promise.all([in2026.started, in2025.started]);
  await connection.close();
  await Promise.all([in2026.aborted, in2025.aborted]);
  wire.onmessage?.(message2026('tools/list', {}, 3));
  await new Promise(setImmediate);
  const error = { code: -32000, message: 'The server is shutting down' };
  expect(wire.sent.slice(1)).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, error })));
});

test('a client receives nothing in an era that it does not speak', async () => {
  const wire = wireOf();
  const connection = await openConnection(fakeApplication({ echo }), wire);
  wire.onmessage?.(message2026('tools/list', {}, 1));
  connection.notify({ kind: 'tools' });
  wire.onmessage?.(INITIALIZE);
  await eventually(() => wire.sent.length === 2);
  connection.notify({ kind: 'tools' });
  await eventually(() => wire.sent.length === 3);
  expect(wire.sent.map(({ id, method }) => id ?? method)).toEqual([
    1,
    'init',
    'notifications/tools/list_changed',
  ]);
});

const callOf = {
  '2025': call2025,
  '2026': (id: number) => message2026('tools/call', { name: 'wait' }, id),
};
function call2025(id: number): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait' } };
}

test.each([
  ['2025', '2025'],
  ['2026', '2026'],
  ['2025', '2026'],
  ['2026', '2025'],
] as const)(
  'a %s call that runs keeps its id from a %s one, and can still be cancelled',
  async (one, other) => {
    const { wait, started, aborted } = waitingTool();
    const wire = wireOf();
    await openConnection(fakeApplication({ wait }), wire);
    wire.onmessage?.(callOf[one](1));
    await started;
    wire.onmessage?.(callOf[other](1));
    await eventually(() => wire.sent.length === 1);
    expect(wire.sent).toMatchObject([
      { id: 1, error: { code: -32600, message: expect.stringContaining('still running') } },
    ]);
    wire.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await aborted;
    wire.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await eventually(() => wire.sent.length === 2);
    expect(wire.sent[1]).toMatchObject({ id: 1, result: {} });
  },
);

test('a client that has not introduced itself is asked nothing', async () => {
  const wire = wireOf();
  const ask: FakeTool = (_, { request }) =>
    request('roots/list', {}).then(
      () => 'asked',
      (error: unknown) => (error as { code: string }).code,
    );
  await openConnection(fakeApplication({ ask }), wire);
  wire.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } });
  await eventually(() => wire.sent.length > 0);
  const content = [{ type: 'text', text: 'CLIENT_UNREACHABLE' }];
  expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 1, result: expect.objectContaining({ content }) }]);
});

test('what only looks like a request is not waited for', async () => {
  const wire = wireOf();
  const connection = await openConnection(fakeApplication({ echo }), wire);
  wire.onmessage?.({ id: 1, method: 'tools/list' });
  wire.onmessage?.({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: [] });
  wire.onmessage?.({ ...message2026('tools/list', {}, 3), more: true });
  await connection.close();
  expect(wire.sent).toEqual([]);
});

test('a request that stays open has one reply when the connection is closed, and nothing after it', async () => {
  const wire = wireOf();
  const connection = await openConnection(fakeApplication({ echo }), wire);
  const notifications = { toolsListChanged: true };
  wire.onmessage?.(message2026('subscriptions/listen', { notifications }, 1));
  wire.onmessage?.(message2026('subscriptions/listen', { notifications }, 2));
  const cancelled = { method: 'notifications/cancelled', params: { requestId: 2 } };
  wire.onmessage?.({ jsonrpc: '2.0', ...cancelled });
  connection.notify({ kind: 'tools' });
  connection.notify({ kind: 'prompts' });
  await connection.close();
  connection.notify({ kind: 'tools' });
  const acknowledged = 'notifications/subscriptions/acknowledged';
  const told = wire.sent.map(({ id, method }) => id ?? method);
  expect(told).toEqual([acknowledged, acknowledged, 'notifications/tools/list_changed', 1]);
});

test('a request that wants nothing is answered at once, and its id is free again', async () => {
  const wire = wireOf();
  await openConnection(fakeApplication({ echo }), wire);
  for (let turn = 0; turn < 2; turn += 1) {
    wire.onmessage?.(message2026('subscriptions/listen', { notifications: {} }, 1));
  }
  await eventually(() => wire.sent.length === 4);
  expect(wire.sent.map(({ id, method }) => id ?? method?.split('/').at(-1))).toEqual([
    'acknowledged',
    1,
    'acknowledged',
    1,
  ]);
});

test('an earlier client finds nothing to listen to', async () => {
  const wire = wireOf();
  await openConnection(fakeApplication({ echo }), wire);
  wire.onmessage?.(INITIALIZE);
  wire.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: {} } });
  await eventually(() => wire.sent.length === 2);
  expect(wire.sent.at(-1)).toMatchObject({ id: 1, error: { code: -32601 } });
});
