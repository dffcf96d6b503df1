import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, test } from '@jest/globals';
import { serveTransport } from '../../src/transports/serve-transport.ts';
import type { RequestContext } from '../../src/call/request-context.ts';
import { fakeApplication, latch, type FakeTool } from '../support/fake-application.ts';
import { eventually } from '../support/eventually.ts';
import { headers2026, message2026 } from '../support/client-of-2026.ts';
import { initialize, INITIALIZE, JSON_HEADERS, message } from '../support/raw-http.ts';
import { serve } from '../support/http-server.ts';

/** Reports progress, so that its answer comes on a stream, and never ends. */
function endless(): { readonly wait: FakeTool; readonly started: Promise<void> } {
  const started = latch();
  const wait: FakeTool = async (_args: unknown, exchange: RequestContext) => {
    await exchange.notify('notifications/progress', { progressToken: 'p', progress: 1 });
    started.open();
    return new Promise(() => undefined);
  };
  return { wait, started: started.promise };
}

const CALL = { name: 'wait', _meta: { progressToken: 'p' } };

describe('what still runs when the server closes has an answer', () => {
  test.each<[string, Record<string, string>, string, boolean]>([
    ['in a session', {}, message('tools/call', CALL, 7), true],
    ['without sessions', {}, message('tools/call', CALL, 7), false],
    [
      'of 2026-07-28',
      headers2026('tools/call', 'wait'),
      JSON.stringify(message2026('tools/call', { name: 'wait' }, 7)),
      false,
    ],
  ])('on its stream, %s', async (_name, headers, body, sessions) => {
    const { wait, started } = endless();
    const serving = await serve({ sessions }, { wait });
    const session = sessions ? { 'mcp-session-id': await initialize(serving.url) } : {};
    const response = fetch(serving.url, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...session, ...headers },
      body,
    });
    await started;
    const text = response.then((given) => given.text());
    await new Promise((resolve) => setTimeout(resolve, 50));
    await serving.close();
    expect(await text).toMatch(/"id":7/);
    expect(await text).toMatch(/"error":\{"code":-3200[01],"message":"The (server|session) /);
  });

  test('over a transport in the process', async () => {
    const { wait, started } = endless();
    const [near, far] = InMemoryTransport.createLinkedPair();
    const heard: Record<string, unknown>[] = [];
    near.onmessage = (given) => void heard.push(given);
    await near.start();
    const serving = await serveTransport(fakeApplication({ wait }), far);
    await near.send(JSON.parse(INITIALIZE) as never);
    await eventually(() => heard.length === 1);
    await near.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await near.send(JSON.parse(message('tools/call', CALL, 7)) as never);
    await started;
    await serving.close();
    expect(heard.filter(({ id }) => id === 7)).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32000, message: 'The server is shutting down' } },
    ]);
  });
});
