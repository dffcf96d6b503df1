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
