import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { LineProcess, WITH_PACKAGE } from '../../support/line-process.ts';

const SERVER = fileURLToPath(new URL('../../support/guarded-stdio.ts', import.meta.url));
const request = (id: number, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** What a process answers to a list and to calls of both actions. */
async function answersFor(...args: readonly string[]): Promise<readonly string[]> {
  const server = new LineProcess({ args: [...WITH_PACKAGE, SERVER, ...args] });
  const call = (id: number, action: string): string =>
    request(id, 'tools/call', { name: 'desk', arguments: { action } });
  server.write(
    request(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'tester', version: '1.0.0' },
    }),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  );
  await server.line('stdout', '"id":1');
  server.write(request(2, 'tools/list'), call(3, 'about'), call(4, 'close'));
  const lines = await Promise.all([2, 3, 4].map((id) => server.line('stdout', `"id":${String(id)}`)));
  server.end();
  await server.ended;
  return lines;
}

test('over stdio, a caller whom nothing names is anonymous: it sees and calls what is public', async () => {
  const [list = '', about = '', close = ''] = await answersFor();
  expect(list).not.toContain('close');
  expect(about).toContain('a desk');
  expect(close).not.toContain('closed');
  expect(close).toContain('"isError":true');
});

test('over stdio, a caller whom the environment names may do what its token permits', async () => {
  const [list, about, close] = await answersFor('right');
  expect(list).toContain('close');
  expect(about).toContain('a desk');
  expect(close).toContain('"text":"closed"');
});

test('over stdio, a caller whose token is wrong may do nothing', async () => {
  const [list, about, close] = await answersFor('wrong');
  expect(list).toContain('UNAUTHENTICATED');
  expect(about).toContain('UNAUTHENTICATED');
  expect(close).toContain('UNAUTHENTICATED');
});
