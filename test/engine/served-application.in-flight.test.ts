import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { McpApplication, type HttpServing } from 'toolwright';
import { DirectModule, waiting } from '../support/direct-app.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { eventually } from '../support/eventually.ts';
import { initialize, JSON_HEADERS, send } from '../support/raw-http.ts';
import { body2025, sample2026 } from '../support/oracle/corpus.ts';
import { observe } from './observe.ts';

const OPTIONS = { name: 'direct', version: '1.0.0', logger: new MemoryLogger(), drainTimeout: 200 };
const WAIT = { name: 'desk', arguments: { action: 'wait' } };

let app: McpApplication;

beforeEach(async () => {
  waiting.reasons.length = 0;
  app = await McpApplication.create(DirectModule, OPTIONS);
});
afterEach(() => app.close());

function started(): Promise<void> {
  return new Promise((resolve) => {
    waiting.started = resolve;
  });
}

const serve = (sessions: boolean): Promise<HttpServing> => app.listen({ port: 0, signals: false, sessions });

/** The second time a request may take a shorter way. */
async function twice<Seen>(run: () => Promise<Seen>): Promise<readonly [Seen, Seen]> {
  return [await run(), await run()];
}

describe('requests in flight', () => {
  test('of two clients may have one id, and each client gets its own answer', async () => {
    const { url } = await serve(true);
    const sessions = [await initialize(url), await initialize(url), await initialize(url)];
    const answers = await Promise.all(
      sessions.flatMap((session, index) =>
        [0, 1].map((is2026) => {
          const params = { name: 'desk', arguments: { action: 'add', a: index, b: 100 * is2026 } };
          const sample = is2026 === 1 ? sample2026('tools/call', params) : { body: '', headers: {} };
          const body = is2026 === 1 ? sample.body : body2025('tools/call', params, 1);
          const headers = is2026 === 1 ? sample.headers : { 'mcp-session-id': session };
          return observe(url, { body, headers: headers as Record<string, string> });
        }),
      ),
    );
    const texts = answers.map(({ messages }) => /sum \d+/.exec(messages[0] ?? '')?.[0]);
    expect(texts).toEqual(['sum 0', 'sum 100', 'sum 1', 'sum 101', 'sum 2', 'sum 102']);
  });

  test('that share an id with one that runs in the session are refused', async () => {
    const { url } = await serve(true);
    const [first, second] = await twice(async () => {
      const headers = { 'mcp-session-id': await initialize(url) };
      const running = started();
      const first = observe(url, { body: body2025('tools/call', WAIT, 5), headers });
      await running;
      const second = await observe(url, { body: body2025('tools/list', {}, 5), headers });
      await send(url, { method: 'DELETE', headers });
      return [second, (await first).messages.length] as const;
    });
    expect(second[0]).toEqual(first[0]);
    expect(second[0].status).toBe(400);
  });

  test('are cancelled by their client, which receives no answer', async () => {
    const { url } = await serve(true);
    const [first, second] = await twice(async () => {
      const headers = { 'mcp-session-id': await initialize(url) };
      const running = started();
      const call = observe(url, { body: body2025('tools/call', WAIT, 5), headers });
      await running;
      const params = { requestId: 5, reason: 'enough' };
      const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      const cancelled = await observe(url, { body, headers });
      return { call: await call, cancelled, reasons: waiting.reasons.splice(0) };
    });
    expect(second).toEqual(first);
    expect(second.reasons).toEqual(['enough']);
    expect(second.call.messages).toEqual([]);
  });

  test.each([
    ['2025', { body: body2025('tools/call', WAIT), headers: {} }],
    ['2026', sample2026('tools/call', WAIT)],
  ])('of %s end with a client that goes away, where it has no session', async (_era, { body, headers }) => {
    const { url } = await serve(false);
    // The head is known from then on.
    await observe(url, { body: body2025('ping', undefined) });
    const seen = await twice(async () => {
      const leaving = new AbortController();
      const running = started();
      const gone = fetch(url, {
        method: 'POST',
        body,
        headers: { ...JSON_HEADERS, ...headers },
        signal: leaving.signal,
      }).then(
        (response) => response.text().catch(() => 'broken'),
        () => 'broken',
      );
      await running;
      leaving.abort();
      await eventually(() => waiting.reasons.length === 1);
      waiting.reasons.length = 0;
      return gone;
    });
    expect(seen).toEqual(['broken', 'broken']);
  });

  test('get a stream when they take long, and their answer on it', async () => {
    const { url } = await serve(true);
    const headers = { 'mcp-session-id': await initialize(url), 'mcp-protocol-version': '2025-11-25' };
    const running = started();
    const call = fetch(url, {
      method: 'POST',
      body: body2025('tools/call', WAIT, 5),
      headers: { ...JSON_HEADERS, ...headers },
    });
    await running;
    const response = await call;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await send(url, { method: 'DELETE', headers });
    expect(await response.text()).toContain('id: ');
  });

  test('end when the server closes, and new ones are refused', async () => {
    const { url } = await serve(false);
    await observe(url, { body: body2025('ping', undefined) });
    const running = started();
    const call = observe(url, { body: body2025('tools/call', WAIT) }).catch(() => undefined);
    await running;
    const closing = app.close();
    const refused = await observe(url, { body: body2025('ping', undefined) });
    await closing;
    await call;
    expect(refused.status).toBe(503);
    expect(waiting.reasons).toHaveLength(1);
  });
});
