import { describe, expect, test } from '@jest/globals';
import { echo } from '../support/fake-application.ts';
import { envelope, message2026 } from '../support/client-of-2026.ts';
import { hearingChanges } from '../support/hearing-2026.ts';
import { finishingTool, waitingTool } from '../support/http-server.ts';
import { INITIALIZE, connectionOf2026, rawConnection } from '../support/connections-2026.ts';

describe('a call of 2026-07-28', () => {
  test('is cancelled by a notification, whatever the other era runs', async () => {
    const in2026 = waitingTool();
    const in2025 = waitingTool();
    const { send, next, received } = await rawConnection({ in2026: in2026.wait, in2025: in2025.wait, echo });
    await send(INITIALIZE);
    await next();
    await send(message2026('tools/call', { name: 'in2026' }, 1));
    await send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'in2025' } });
    await Promise.all([in2026.started, in2025.started]);
    await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await in2026.aborted;
    // An envelope on it changes nothing.
    await send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 2, _meta: envelope() },
    });
    await in2025.aborted;
    await send(message2026('tools/call', { name: 'echo' }, 3));
    expect(await next()).toMatchObject({ id: 3 });
    expect(received).toEqual([]);
  });

  test('is aborted when the connection ends', async () => {
    const { wait, started, aborted } = waitingTool();
    const { send, close, serving } = await rawConnection({ wait });
    await send(message2026('tools/call', { name: 'wait' }));
    await started;
    await close();
    await aborted;
    await serving.closed;
  });

  test('is answered before the serving has stopped, which refuses what is new', async () => {
    const { wait, started, finish } = finishingTool();
    const { client, serving } = await connectionOf2026({ wait });
    const call = client.callTool({ name: 'wait' });
    await started;
    let isStopped = false;
    const stopped = serving.stop().then(() => (isStopped = true));
    await expect(client.callTool({ name: 'wait' })).rejects.toMatchObject({ code: -32000 });
    expect(isStopped).toBe(false);
    finish();
    expect(await call).toMatchObject({ content: [{ text: 'done' }] });
    await stopped;
  });

  test('gets progress, and the log messages that it asked for', async () => {
    const { client } = await connectionOf2026({
      work: async (_args, exchange) => {
        await exchange.log('debug', 'too little', undefined);
        await exchange.log('info', JSON.stringify(exchange.client()), undefined);
        const { progressToken } = exchange.meta;
        await exchange.notify('notifications/progress', { progressToken, progress: 1 });
        return 'done';
      },
    });
    const logs: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data));
    const reports: unknown[] = [];
    const meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    await client.callTool({ name: 'work', _meta: meta }, { onprogress: (report) => reports.push(report) });
    await client.callTool({ name: 'work' });
    expect(logs).toEqual(['{"name":"tester-2026","version":"2.0.0","capabilities":{}}']);
    expect(reports).toEqual([{ progress: 1 }]);
  });
});

describe('a subscription', () => {
  test('brings what was asked for, and ends with the serving', async () => {
    const { client, serving } = await connectionOf2026();
    const { heard, count } = hearingChanges(client);
    const subscription = await client.listen({
      promptsListChanged: true,
      resourceSubscriptions: ['memo:two'],
    });
    serving.notify({ kind: 'tools' });
    serving.notify({ kind: 'resource', uri: 'memo:one' });
    serving.notify({ kind: 'prompts' });
    serving.notify({ kind: 'resource', uri: 'memo:two' });
    await count(2);
    expect(heard).toEqual(['prompts/list_changed', 'resources/updated memo:two']);
    await serving.stop();
    await serving.close();
    expect(await subscription.closed).toBe('graceful');
  });

  test('can be given up', async () => {
    const { client, serving } = await connectionOf2026();
    const { heard } = hearingChanges(client);
    const subscription = await client.listen({ toolsListChanged: true });
    await subscription.close();
    serving.notify({ kind: 'tools' });
    await client.listTools();
    expect(heard).toEqual([]);
  });
});
