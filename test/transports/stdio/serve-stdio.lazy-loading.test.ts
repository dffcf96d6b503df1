import { afterEach, expect, test } from '@jest/globals';
import { LineProcess } from '../../support/line-process.ts';
import { message2026 } from '../../support/client-of-2026.ts';
import { message } from '../../support/raw-http.ts';
import { STDIO_SERVER } from '../../support/stdio-process.ts';
import { TRACE_MODULES } from '../../support/trace-modules.ts';

let server: LineProcess | undefined;
afterEach(async () => {
  server?.kill('SIGKILL');
  await server?.ended;
});

const VERSION_1 = '/node_modules/@modelcontextprotocol/sdk/';
const VERSION_2 = '/node_modules/@modelcontextprotocol/server/';

test.each([
  ['2025-11-25', message('tools/list')],
  ['2026-07-28', JSON.stringify(message2026('tools/list'))],
])('a message of %s loads no SDK', async (_era, text) => {
  server = new LineProcess({ args: [...TRACE_MODULES, ...STDIO_SERVER.args] });
  await server.line('stderr', 'printed right after start');
  const loads = (path: string): boolean => server?.stderr.some((line) => line.includes(path)) === true;
  expect([loads(VERSION_1), loads(VERSION_2)]).toEqual([false, false]);
  server.write(text);
  expect(await server.answer(1)).toMatchObject({ result: { tools: expect.any(Array) } });
  expect([loads(VERSION_1), loads(VERSION_2)]).toEqual([false, false]);
});
