import { describe, expect, test } from '@jest/globals';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { RequestContext } from '../../src/call/request-context.ts';
import { attachService } from '../../src/attach/attach-service.ts';
import type { RequestHandler } from '../../src/attach/server-target.ts';
import { attached } from '../support/attached-server.ts';
import { echo, latch, toolsOnly } from '../support/fake-application.ts';

describe('a call', () => {
  test.each([
    ['an error with code and data', Object.assign(new Error('secret'), { code: 404, data: 'secret' })],
    ['undefined', undefined],
    ['a string', 'secret'],
  ])('that lets %s escape is answered with INTERNAL_ERROR', async (_name, thrown) => {
    const { client, logger } = await attached({
      echo,
      broken: () => {
        // oxlint-disable-next-line typescript/only-throw-error -- what the SDK never answers
        throw thrown;
      },
    });
    const result = await client.callTool({ name: 'broken' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'INTERNAL_ERROR' } },
    });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(logger.records).toMatchObject([{ event: 'call.escaped', tool: 'broken' }]);
    expect(await client.callTool({ name: 'echo' })).toMatchObject({ content: [{ text: '{}' }] });
  });

  test('sees the request, the client and the abort of the client', async () => {
    const started = latch<RequestContext>();
    const aborted = latch();
    const { client } = await attached({
      wait: (_args, exchange) => {
        exchange.signal.addEventListener('abort', () => {
          aborted.open();
        });
        started.open(exchange);
        return aborted.promise;
      },
    });
    const cancel = new AbortController();
    const call = client.callTool({ name: 'wait', _meta: { trace: 'abc' } }, undefined, {
      signal: cancel.signal,
    });
    const exchange = await started.promise;
    expect(exchange.client()).toEqual({ name: 'tester', version: '9.9.9', capabilities: { roots: {} } });
    expect(exchange.meta).toMatchObject({ trace: 'abc' });
    expect(exchange.sessionId).toBeUndefined();
    expect(exchange.header('constructor')).toBeUndefined();
    expect(exchange.raw).toHaveProperty('sendNotification');
    cancel.abort('enough');
    await expect(call).rejects.toThrow();
    await aborted.promise;
  });

  test('reports progress', async () => {
    const { client } = await attached({
      work: async (_args, exchange) => {
        const { progressToken } = exchange.meta;
        await exchange.notify('notifications/progress', { progressToken, progress: 1, total: 2 });
        return 'done';
      },
    });
    const reports: unknown[] = [];
    await client.callTool({ name: 'work' }, undefined, { onprogress: (report) => reports.push(report) });
    expect(reports).toEqual([{ progress: 1, total: 2 }]);
  });

  test('logs no lower than the client asked for', async () => {
    const { client } = await attached(
      {
        talk: async (_args, exchange) => {
          await exchange.log('debug', 'low', undefined);
          await exchange.log('error', { high: true }, 'talker');
          return 'ok';
        },
      },
      { logging: {} },
    );
    const logs: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params));
    await client.callTool({ name: 'talk' });
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'talk' });
    expect(logs).toEqual([
      { level: 'debug', data: 'low' },
      { level: 'error', data: { high: true }, logger: 'talker' },
      { level: 'error', data: { high: true }, logger: 'talker' },
    ]);
  });

  test('may log where logging was never declared, and no client gets the message', async () => {
    const { client } = await attached({
      talk: async (_args, exchange) => {
        await exchange.log('error', 'lost', undefined);
        return 'ok';
      },
    });
    let logs = 0;
    client.setNotificationHandler(LoggingMessageNotificationSchema, () => void (logs += 1));
    expect(await client.callTool({ name: 'talk' })).toMatchObject({ content: [{ text: 'ok' }] });
    expect(logs).toBe(0);
  });

  test('may notify a client that is gone', async () => {
    const started = latch<RequestContext>();
    const finished = latch();
    const { client } = await attached(
      {
        wait: async (_args, exchange) => {
          started.open(exchange);
          await finished.promise;
          return 'late';
        },
      },
      { logging: {} },
    );
    const call = client.callTool({ name: 'wait' }).catch(() => 'closed');
    const exchange = await started.promise;
    await client.close();
    await exchange.notify('notifications/progress', { progressToken: 1, progress: 1 });
    await exchange.log('error', 'nobody', undefined);
    expect(exchange.signal.aborted).toBe(true);
    finished.open();
    expect(await call).toBe('closed');
  });

  test('reads _meta from the request where an old SDK does not hand it over', async () => {
    const handlers = new Map<string, RequestHandler>();
    attachService(
      {
        setRequestHandler(schema: { shape: { method: { value: string } } }, handler: RequestHandler) {
          handlers.set(schema.shape.method.value, handler);
        },
      },
      toolsOnly({ meta: (_args, exchange) => JSON.stringify(exchange.meta) }),
    );
    const request = { params: { name: 'meta', _meta: { trace: 'abc' } } };
    expect(await handlers.get('tools/call')?.(request, { requestId: 1 })).toMatchObject({
      content: [{ text: '{"trace":"abc"}' }],
    });
  });
});
