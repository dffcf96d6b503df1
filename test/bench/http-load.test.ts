import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { legacyCall } from '../../bench/load/http-call.ts';
import { loadOverHttp, type LoadResult } from '../../bench/load/http-load.ts';
import { eventually } from '../support/eventually.ts';

let body: string;
let server: Server;
let url: URL;

beforeEach(async () => {
  body = 'the right one';
  server = createServer((request, response) => {
    request.resume().on('end', () => response.end(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`);
});

async function stop(): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

// What keeps the clients awake would keep the process.
afterEach(async () => {
  await stop();
  await eventually(() => !process.getActiveResourcesInfo().includes('Immediate'));
});

const load = (): Promise<LoadResult> =>
  loadOverHttp(url, { calls: [legacyCall], mark: 'right', window: 60_000, enough: 50 });

test('counts the answers that are right, and reports how busy its clients were', async () => {
  const { answers, clientShare } = await load();
  expect(answers).toBeGreaterThanOrEqual(50);
  expect(clientShare).toBeGreaterThan(0);
  expect(clientShare).toBeLessThanOrEqual(1);
});

test('fails for the first answer that is wrong', async () => {
  body = 'another one';
  await expect(load()).rejects.toThrow('It answers 200: another one');
});

test('fails without an answer', async () => {
  await stop();
  await expect(load()).rejects.toThrow('ECONNREFUSED');
});

test('fails where the server goes away', async () => {
  server.on('request', () => server.closeAllConnections());
  await expect(load()).rejects.toThrow(/closed a connection|ECONNRESET/);
});
