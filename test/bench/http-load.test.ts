import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { legacyCall } from '../../bench/load/http-call.ts';
import { loadOverHttp } from '../../bench/load/http-load.ts';

const options = { calls: [legacyCall], mark: 'right', window: 10_000, enough: 50 };

const immediates = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Immediate').length;

async function load(body: string): Promise<unknown> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`);
  try {
    return await loadOverHttp(url, options);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await expect(loadOverHttp(url, options)).rejects.toThrow('ECONNREFUSED');
  }
}

test('counts the answers that are right, and tells how busy its clients were', async () => {
  const before = immediates();
  const { answers, clientShare } = (await load('the right one')) as Awaited<ReturnType<typeof loadOverHttp>>;
  expect(answers).toBeGreaterThanOrEqual(50);
  expect(clientShare).toBeGreaterThan(0);
  expect(clientShare).toBeLessThanOrEqual(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(immediates()).toBe(before);
});

test('fails for the first answer that is wrong, and lets the process sleep again', async () => {
  const before = immediates();
  await expect(load('another one')).rejects.toThrow('It answers 200: another one');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(immediates()).toBe(before);
});
