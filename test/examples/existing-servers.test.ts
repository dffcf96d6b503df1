import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { addressOf, HOSTS, runExample } from '../support/example-process.ts';
import type { LineProcess } from '../support/line-process.ts';

const processes: LineProcess[] = [];
afterEach(async () => {
  for (const each of processes.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
});

const run = (...args: Parameters<typeof runExample>): LineProcess => {
  const started = runExample(...args);
  processes.push(started);
  return started;
};

describe.each(HOSTS)('a server of %s', (host) => {
  test('ends in order by the signal of a container, also with a client that stays connected', async () => {
    const server = run(`existing-servers/${host}.ts`);
    const client = new Client({ name: 'tester', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(await addressOf(server))));
    await client.listTools();
    server.kill('SIGTERM');
    expect([0, 'SIGTERM']).toContain(await server.ended);
    expect(server.stderr).toEqual([]);
    await client.close();
  });
});

test('the routes of a server and its tools work with the same instances of a tsyringe container', async () => {
  const server = run('existing-servers/tsyringe.ts');
  const address = await addressOf(server);
  expect(await run('existing-servers/client.ts', [address]).ended).toBe(0);
  const counted = await fetch(new URL('/stock/caf%C3%A9', address));
  expect(await counted.json()).toBe(3);
});
