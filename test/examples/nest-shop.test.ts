import { afterEach, expect, test } from '@jest/globals';
import { addressOf, runExample } from '../support/example-process.ts';
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

test('one new file offers the 20 routes of a shop of NestJS to clients of both eras', async () => {
  const server = run('nest-shop/mcp.ts');
  const client = run('nest-shop/client.ts', [await addressOf(server)]);
  expect({ code: await client.ended, stderr: client.stderr }).toEqual({ code: 0, stderr: [] });
  expect(client.stdout).toHaveLength(10);
  server.kill('SIGTERM');
  expect([0, 'SIGTERM']).toContain(await server.ended);
  expect(server.stderr).toEqual([]);
});

test('80 requests about GitHub are found and sent as its document says, with a text for what it calls otherwise', async () => {
  const server = run('github-issues/server.ts');
  const client = run('github-issues/client.ts', [await addressOf(server)]);
  expect({ code: await client.ended, stderr: client.stderr }).toEqual({ code: 0, stderr: [] });
  expect(client.stdout).toHaveLength(7);
});
