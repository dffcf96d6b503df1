import { afterEach, describe, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { EventReader } from '../support/event-reader.ts';
import { gate, openTill, type OpenTill } from '../support/payments.ts';
import { envelope, headers2026, message2026 } from '../support/client-of-2026.ts';
import { JSON_HEADERS, message } from '../support/raw-http.ts';
import { resumingSession } from '../transports/resuming-session.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(): Promise<OpenTill> {
  const opened = await openTill();
  closing.push(() => opened.app.close());
  return opened;
}

describe.each(CONNECTIONS.map((route) => [route.name, route] as const))('%s', (_name, route) => {
  test('gives a repeated call the stored result', async () => {
    const { app, till } = await start();
    const client = await route.connect(app.app, {});
    closing.push(() => client.close());
    const params = { name: 'till', arguments: { action: 'pay', amount: 5, idempotencyKey: 'a' } };
    await client.send('tools/call', params);
    expect(await client.send('tools/call', params)).toMatchObject({
      content: [{ text: 'paid 5' }],
      _meta: { 'toolwright/idempotency': { replayed: true } },
    });
    expect(till.effects).toHaveLength(1);
  });
});

describe.each(
  CONNECTIONS.filter(({ canBeAsked }) => canBeAsked).map((route) => [route.name, route] as const),
)('a call that asks, %s', (_name, route) => {
  test('runs once, and is not asked again', async () => {
    const { app, till } = await start();
    let asked = 0;
    const client = await route.connect(app.app, {
      onElicitation: () => {
        asked += 1;
        return { action: 'accept', content: { reason: 'yes' } };
      },
    });
    closing.push(() => client.close());
    const params = { name: 'till', arguments: { action: 'asking', amount: 5, idempotencyKey: 'a' } };
    const first = await client.send('tools/call', params);
    expect(first).toMatchObject({ content: [{ text: 'paid 5' }] });
    expect(await client.send('tools/call', params)).toMatchObject({
      content: [{ text: 'paid 5' }],
      _meta: { 'toolwright/idempotency': { replayed: true } },
    });
    expect(till.effects).toHaveLength(1);
    expect(asked).toBe(1);
  });
});

test('a stream that is lost in the handler and resumed brings the result, and so does the key', async () => {
  const { app, till } = await start();
  const held = gate();
  till.before = () => held.passed;
  const { url, close } = await app.app.listen({ port: 0 });
  closing.push(() => close());
  const { headers, resume } = await resumingSession(url);
  const post = (id: number, signal?: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...headers },
      body: message(
        'tools/call',
        { name: 'till', arguments: { action: 'pay', amount: 5, idempotencyKey: 'a' } },
        id,
      ),
      signal: signal ?? null,
    });
  const leaving = new AbortController();
  const lost = await new EventReader(await post(1, leaving.signal)).next();
  leaving.abort();
  held.open();
  const events = await (await resume(lost?.id ?? '')).rest();
  expect(events.at(-1)?.message).toMatchObject({ id: 1, result: { content: [{ text: 'paid 5' }] } });
  expect(await (await post(2)).json()).toMatchObject({
    id: 2,
    result: { content: [{ text: 'paid 5' }], _meta: { 'toolwright/idempotency': { replayed: true } } },
  });
  expect(till.effects).toHaveLength(1);
});

test('calls whose connections are cut at random moments run once each', async () => {
  const { app, till } = await start();
  till.before = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
  const { url, close } = await app.app.listen({ port: 0, sessions: false });
  closing.push(() => close());
  const send = (key: string, cutAfter: number): Promise<string | undefined> =>
    new Promise((resolve) => {
      const message = message2026('tools/call', {
        name: 'till',
        arguments: { action: 'pay', amount: 5, idempotencyKey: key },
        _meta: envelope(),
      });
      const post = request(url, {
        method: 'POST',
        headers: {
          ...headers2026('tools/call', 'till'),
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
      });
      const timer = setTimeout(() => post.destroy(), cutAfter);
      post.on('error', () => resolve(undefined));
      post.on('response', (response) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part.toString()));
        response.on('close', () => resolve(undefined));
        response.on('end', () => {
          clearTimeout(timer);
          resolve(text);
        });
      });
      post.end(JSON.stringify(message));
    });
  const repeat = async (key: string): Promise<string> => {
    for (let tries = 0; ; tries += 1) {
      const answer = await send(key, tries < 8 ? Math.random() * 25 : 5000);
      if (answer !== undefined && !answer.includes('IN_PROGRESS')) return answer;
    }
  };
  const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => repeat(String(index))));
  const wrong = answers.filter((answer) => !answer.includes('paid 5'));
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(till.effects).toHaveLength(200);
});
