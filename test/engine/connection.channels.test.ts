import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpApplication } from 'toolwright';
import { DirectModule, waiting } from '../support/direct-app.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { eventually } from '../support/eventually.ts';
import { comparable } from '../support/oracle/comparable.ts';
import { connectOracle } from '../support/oracle/oracle-2026.ts';
import { META, sample2026, REQUESTS } from '../support/oracle/corpus.ts';

const SECRETS = ['a secret of at least thirty-two characters'];
const IDENTITY = { name: 'direct', version: '1.0.0' };
const OPTIONS = { ...IDENTITY, instructions: false as const, logger: new MemoryLogger(), secrets: SECRETS };

let app: McpApplication;
beforeEach(async () => {
  waiting.reasons.length = 0;
  app = await McpApplication.create(DirectModule, OPTIONS);
});
afterEach(() => app.close());

/** Without what differs each time. */
function steady(text: string): string {
  return text
    .replaceAll(/"requestState":"[^"]*"/g, '"requestState":"…"')
    .replaceAll(/"[0-9a-f]{8}-\d+"/g, '"its own id"');
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

/** A client by hand; what it receives is kept as JSON, so that the order of members counts as well. */
async function connect(serve = (transport: object): Promise<unknown> => app.connect(transport)) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const heard: string[] = [];
  near.onmessage = (message) => {
    heard.push(steady(JSON.stringify(message)));
    const { id, method } = message as Message;
    if (method !== 'elicitation/create' || id === undefined) return;
    const result = { action: 'accept', content: { name: 'Ann' } };
    void near.send({ jsonrpc: '2.0', id, result });
  };
  await serve(far);
  await near.start();
  const post = (message: object): Promise<void> => near.send({ jsonrpc: '2.0', ...message } as never);
  const answered = (id: number): Promise<unknown> =>
    eventually(() =>
      heard.some((text) => {
        const message = JSON.parse(text) as Message;
        return message.id === id && message.method === undefined;
      }),
    );
  return { heard, post, answered };
}

async function initialized(capabilities: object) {
  const client = await connect();
  const clientInfo = { name: 'tester', version: '1.0.0' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  await client.post({ id: 1000, method: 'initialize', params });
  await client.answered(1000);
  await client.post({ method: 'notifications/initialized' });
  return client;
}

/** All requests one after the other; what the client receives in the meantime. */
async function conversation(
  open: () => ReturnType<typeof connect>,
  requests: readonly (readonly [string, unknown])[],
): Promise<readonly string[]> {
  const client = await open();
  for (const [index, [method, params]] of requests.entries()) {
    const id = index + 1;
    await client.post({ id, method, ...(params === undefined ? {} : { params }) });
    await client.answered(id);
  }
  return client.heard;
}

describe('a connection', () => {
  test('answers a client of 2026 as the SDK does', async () => {
    const requests = REQUESTS.map(([method, params]) => {
      const { params: given } = JSON.parse(sample2026(method, params).body) as { params: unknown };
      return [method, given] as const;
    });
    const oracle = async (far: object): Promise<void> => connectOracle(app, IDENTITY, far);
    const plain = await conversation(() => connect(oracle), requests);
    const heard = await conversation(() => connect(), requests);
    expect(heard.map(comparable)).toEqual(plain.map(comparable));
    expect(heard.length).toBeGreaterThan(REQUESTS.length);
  });

  test.each([
    ['2025', {}],
    ['2026', { _meta: META }],
  ])('cancels what a client of %s does not want any more', async (era, meta) => {
    const client = await (era === '2025' ? initialized({}) : connect());
    await client.post({ id: 1, method: 'tools/list', params: meta });
    await client.answered(1);
    const running = new Promise<void>((resolve) => {
      waiting.started = resolve;
    });
    const params = { name: 'desk', arguments: { action: 'wait' }, ...meta };
    await client.post({ id: 2, method: 'tools/call', params });
    await running;
    await client.post({
      method: 'notifications/cancelled',
      params: { requestId: 2, reason: 'enough', ...meta },
    });
    await client.post({ id: 3, method: 'tools/list', params: meta });
    await client.answered(3);
    expect(waiting.reasons).toEqual(['enough']);
    expect(client.heard.filter((text) => text.includes('"id":2'))).toEqual([]);
  });

  test('aborts what runs when the client is gone', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await app.connect(far);
    await near.start();
    const running = new Promise<void>((resolve) => {
      waiting.started = resolve;
    });
    const post = (message: object) => near.send({ jsonrpc: '2.0', ...message } as never);
    await post({ id: 1, method: 'tools/list', params: { _meta: META } });
    const params = { name: 'desk', arguments: { action: 'wait' }, _meta: META };
    await post({ id: 2, method: 'tools/call', params });
    await running;
    await near.close();
    await eventually(() => waiting.reasons.length === 1);
    expect(waiting.reasons).toHaveLength(1);
  });
});
