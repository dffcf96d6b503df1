import { afterEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { LineProcess } from '../support/line-process.ts';
import { INITIALIZE, message } from '../support/raw-http.ts';
import type { TestApplication } from 'toolwright/testing';
import { call, createPit, expectServing, httpClient, ROOT, RUN_SERVER } from './bad-input/doors.ts';
import { Waiting } from './bad-input/pit.module.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(): Promise<TestApplication> {
  const pit = await createPit();
  cleanups.push(() => pit.close());
  return pit;
}

/** Ends the client while its call runs; the call itself has nobody to answer any more. */
async function leaveInMidCall(client: Client, waiting: Waiting): Promise<void> {
  const left = call(client, { action: 'wait' }).catch(() => 'left');
  await waiting.until('started', 1);
  await client.close();
  expect(await left).toBe('left');
}

describe('a client that goes away in mid-call', () => {
  test('over HTTP without sessions aborts its call, and others go on being served', async () => {
    const pit = await start();
    const { url } = await pit.app.listen({ port: 0, signals: false, sessions: false });
    await leaveInMidCall(await httpClient(url), pit.get(Waiting));
    await pit.get(Waiting).until('aborted', 1);
    const other = await httpClient(url);
    await expectServing(other);
    await other.close();
  });

  test('over HTTP with sessions leaves its call running until the session or the server ends', async () => {
    const pit = await start();
    const { url } = await pit.app.listen({ port: 0, signals: false });
    await leaveInMidCall(await httpClient(url), pit.get(Waiting));
    const other = await httpClient(url);
    await expectServing(other);
    expect(pit.get(Waiting).aborted).toBe(0);
    await other.close();
    await pit.close();
    await pit.get(Waiting).until('aborted', 1);
  });

  test('over the in-memory transport aborts its call, and others go on being served', async () => {
    const pit = await start();
    await leaveInMidCall(await pit.connect(), pit.get(Waiting));
    await pit.get(Waiting).until('aborted', 1);
    await expectServing(await pit.connect());
  });

  test('over stdio ends the server without an error, however long the call would have run', async () => {
    const server = new LineProcess({ args: RUN_SERVER, cwd: ROOT });
    cleanups.push(() => server.ended);
    server.write(INITIALIZE, message('tools/call', { name: 'pit', arguments: { action: 'wait' } }, 2));
    await server.answer(1);
    server.end();
    expect(await server.ended).toBe(0);
  });
});

describe('a call that the client cancels', () => {
  test('is aborted and not answered, and the connection goes on', async () => {
    const pit = await start();
    const client = await pit.connect();
    const cancel = new AbortController();
    const cancelled = client.callTool({ name: 'pit', arguments: { action: 'wait' } }, undefined, {
      signal: cancel.signal,
    });
    await pit.get(Waiting).until('started', 1);
    cancel.abort('enough');
    await expect(cancelled).rejects.toThrow('enough');
    await pit.get(Waiting).until('aborted', 1);
    await expectServing(client);
  });

  test('is aborted over stdio, too', async () => {
    const server = new LineProcess({ args: RUN_SERVER, cwd: ROOT });
    cleanups.push(() => server.ended);
    const wait = message('tools/call', { name: 'pit', arguments: { action: 'wait' } }, 2);
    server.write(INITIALIZE, wait);
    await server.answer(1);
    server.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
    server.write(message('tools/call', { name: 'pit', arguments: { action: 'echo', text: 'on' } }, 3));
    expect(await server.answer(3)).toHaveProperty('result');
    server.end();
    expect(await server.ended).toBe(0);
    expect(server.stdout.some((line) => line.includes('"id":2'))).toBe(false);
  });
});

describe('closing', () => {
  test('twice is closing once, whatever serves', async () => {
    const pit = await createPit();
    const serving = await pit.app.listen({ port: 0, signals: false });
    const client = await httpClient(serving.url);
    await expectServing(client);
    const first = pit.app.close();
    expect(pit.app.close()).toBe(first);
    await first;
    await pit.app.close();
    await serving.close();
    await expect(httpClient(serving.url)).rejects.toThrow();
    await client.close();
  });

  test('one way of serving leaves the others alone', async () => {
    const pit = await start();
    const [first, second] = await Promise.all([
      pit.app.listen({ port: 0, signals: false }),
      pit.app.listen({ port: 0, signals: false }),
    ]);
    await first.close();
    await first.close();
    const client = await httpClient(second.url);
    await expectServing(client);
    await expectServing(await pit.client());
    await client.close();
  });

  test('answers a call that runs longer than the drain time-out as aborted, and then ends', async () => {
    const pit = await createPit();
    const client = await pit.connect();
    const left = call(client, { action: 'wait' }).catch((error: unknown) => error);
    await pit.get(Waiting).until('started', 1);
    const waiting = pit.get(Waiting);
    await pit.close();
    await waiting.until('aborted', 1);
    expect(await left).toBeInstanceOf(Error);
  });
});
