import { afterEach, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { LineProcess, WITH_PACKAGE } from '../support/line-process.ts';
import { INITIALIZE } from '../support/raw-http.ts';

const PROGRAM = fileURLToPath(new URL('../transports/processes/lasting-stdio.ts', import.meta.url));
const processes: LineProcess[] = [];

afterEach(async () => {
  for (const each of processes.splice(0)) {
    each.kill('SIGKILL');
    await each.ended;
  }
});

/** A server with an open timer, whose client has had an answer and is gone. */
async function leave(...args: readonly string[]): Promise<LineProcess> {
  const server = new LineProcess({ args: [...WITH_PACKAGE, PROGRAM, ...args] });
  processes.push(server);
  server.write(INITIALIZE);
  expect(await server.answer(1)).toHaveProperty('result');
  server.end();
  return server;
}

test('the process ends with its client, after the shutdown hooks, though a timer is open', async () => {
  const server = await leave();
  expect(await server.ended).toBe(0);
  expect(server.stderr).toEqual(expect.arrayContaining(['hook has run', 'goes on after its client']));
});

test('it ends with 1 where a shutdown hook has failed', async () => {
  const server = await leave('--failing-hook');
  expect(await server.ended).toBe(1);
});

test.each([
  ['with `exit: false`', '--goes-on'],
  ['where another application serves in it', '--serves-too'],
])('it goes on %s', async (_, flag) => {
  const server = await leave(flag);
  await server.line('stderr', 'hook has run');
  await server.line('stderr', 'goes on after its client');
  // Longer than what the process gets for work of its own
  await new Promise((resolve) => setTimeout(resolve, 1000));
  server.kill('SIGUSR2');
  await server.line('stderr', 'still there');
  expect(await server.ended).toBe(7);
});
