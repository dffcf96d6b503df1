import { describe, expect, test } from '@jest/globals';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

import { clientOf, modes, serve } from '../../support/http-server.ts';

describe.each(modes)('a client %s', (_name, options) => {
  test('lists and calls tools', async () => {
    const { url } = await serve(options);
    const { client } = await clientOf(url);
    expect(client.getServerVersion()).toEqual({ name: 'fake', version: '1.2.3', title: 'Fake' });
    expect(client.getInstructions()).toBe('Try it.');
    const { sessions, json } = options;
    expect(client.getServerCapabilities()).toEqual({
      tools: sessions === false ? {} : { listChanged: true },
      ...(json === true ? {} : { logging: {} }),
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    expect(await client.callTool({ name: 'echo', arguments: { a: 'ä€😀' } })).toMatchObject({
      content: [{ text: '{"a":"ä€😀"}' }],
    });
  });

  test('runs calls beside each other and gets each its own answer', async () => {
    const { url } = await serve(options);
    const { client } = await clientOf(url);
    const calls = Array.from({ length: 20 }, (_, n) => client.callTool({ name: 'echo', arguments: { n } }));
    const results = await Promise.all(calls);
    expect(results.map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual(
      Array.from({ length: 20 }, (_, n) => `{"n":${String(n)}}`),
    );
  });
});

describe.each(modes.slice(0, 2))('the stream of a call %s', (_name, options) => {
  test('carries its progress and log messages', async () => {
    const { url } = await serve(options, {
      work: async (_args, exchange) => {
        const { progressToken } = exchange.meta;
        await exchange.log('info', 'begun', undefined);
        await exchange.notify('notifications/progress', { progressToken, progress: 1 });
        return 'done';
      },
    });
    const { client } = await clientOf(url);
    const logs: unknown[] = [];
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void logs.push(params.data),
    );
    const reports: unknown[] = [];
    await client.callTool({ name: 'work' }, undefined, { onprogress: (report) => reports.push(report) });
    expect([logs, reports]).toEqual([['begun'], [{ progress: 1 }]]);
  });
});
