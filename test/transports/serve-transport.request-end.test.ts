import { describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { RequestContext } from '../../src/call/request-context.ts';
import { serveTransport } from '../../src/transports/serve-transport.ts';
import { fakeApplication, type FakeTool } from '../support/fake-application.ts';

/** What reaches the client of one tool, in order. */
async function messagesOf(work: FakeTool, afterwards: (exchange: RequestContext) => Promise<void>) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  let kept: RequestContext | undefined;
  const tools = {
    work: async (args: unknown, exchange: RequestContext) => {
      kept = exchange;
      return work(args, exchange);
    },
  };
  const serving = await serveTransport(fakeApplication(tools), far);
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(near);
  const methods: unknown[] = [];
  const deliver = near.onmessage;
  near.onmessage = (message, extra) => {
    methods.push('method' in message ? message.params : 'answer');
    deliver?.(message, extra);
  };
  await client.callTool({ name: 'work' }, undefined, { onprogress: () => undefined });
  if (kept !== undefined) await afterwards(kept);
  await client.ping();
  await client.close();
  await serving.close();
  return methods.slice(0, -1);
}

describe('what a call sends to its client', () => {
  test('ends with its answer', async () => {
    const messages = await messagesOf(
      async (_args, { log }) => {
        await log('info', 'during', undefined);
        return 'done';
      },
      async ({ log, notify }) => {
        await log('info', 'too late', undefined);
        await notify('notifications/progress', { progressToken: 1, progress: 2 });
      },
    );
    expect(messages).toEqual([{ level: 'info', data: 'during' }, 'answer']);
  });

  test('never contains a progress that is not a number', async () => {
    const messages = await messagesOf(
      async (_args, { notify, meta: { progressToken } }) => {
        for (const progress of [NaN, Infinity, '1', undefined]) {
          await notify('notifications/progress', { progressToken, progress });
        }
        await notify('notifications/progress', { progressToken, progress: 1, total: NaN });
        return 'done';
      },
      async () => undefined,
    );
    expect(messages).toEqual([{ progressToken: expect.anything(), progress: 1 }, 'answer']);
  });
});
