import { afterEach, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { EXAMPLES } from '../support/example-process.ts';
import { LineProcess } from '../support/line-process.ts';
import { INITIALIZE, message } from '../support/raw-http.ts';

const file = fileURLToPath(new URL('../support/chatty-app.ts', import.meta.url));
let server: LineProcess;

afterEach(async () => {
  server.kill('SIGKILL');
  await server.ended;
});

test('stdout carries messages and nothing else, whatever user code prints and wherever', async () => {
  server = new LineProcess({ args: ['--import', '@oxc-node/core/register', file], cwd: EXAMPLES });
  const call = (id: number, action: string) =>
    message('tools/call', { name: 'chat', arguments: { action } }, id);
  server.write(INITIALIZE, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  server.write(message('tools/list', {}, 2), call(3, 'talk'), call(4, 'fail'), 'not JSON');
  await Promise.all([server.answer(3), server.answer(4)]);
  server.end(call(5, 'talk'));
  expect(await server.ended).toBe(0);

  const messages = server.stdout.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, null].sort());
  expect(await server.answer(3)).toMatchObject({ result: { content: [{ text: 'talked' }] } });
  expect(await server.answer(4)).toMatchObject({ result: { isError: true } });
  for (const where of [
    'main file',
    'request scope',
    'middleware',
    'handler',
    'failure',
    'disposal',
    'shutdown',
  ]) {
    expect(server.stderr).toContain(`${where}: console.log`);
    expect(server.stderr).toContain(`${where}: console.info`);
    expect(server.output()).toContain(`${where}: console.table`);
    expect(server.stderr).toContain(`${where}: text ${where}: bytes`);
  }
});

const EARLY = fileURLToPath(new URL('../support/early-chatter.ts', import.meta.url));
const PRINTED = ['module scope', 'before anything serves', 'constructor', 'onModuleInit'];

test('with the guard imported first, stdout is clean from the first line', async () => {
  const args = ['--import', '@oxc-node/core/register', EARLY, '--stdio'];
  server = new LineProcess({ args, cwd: EXAMPLES });
  server.write(INITIALIZE, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  server.write(message('tools/call', { name: 'chat', arguments: { action: 'talk' } }, 2));
  expect(await server.answer(2)).toMatchObject({ result: { content: [{ text: 'talked' }] } });
  server.end();
  expect(await server.ended).toBe(0);
  const ids = server.stdout.map((line) => (JSON.parse(line) as { readonly id?: unknown }).id);
  expect(ids).toEqual([1, 2]);
  expect(server.stderr).toEqual([...PRINTED, 'main file', 'handler']);
});

test('the guard stays where nothing is served over stdio', async () => {
  server = new LineProcess({ args: ['--import', '@oxc-node/core/register', EARLY], cwd: EXAMPLES });
  expect(await server.ended).toBe(0);
  expect([server.stdout, server.stderr]).toEqual([[], [...PRINTED, 'main file']]);
});
