import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { serveStdio } from '../../src/server/stdio/serve-stdio.ts';
import { StdioTransport } from '../../src/server/stdio/stdio-transport.ts';
import { fakeSurface, latch } from '../fixtures/fake-surface.ts';
import { message } from '../fixtures/raw-http.ts';

function transport() {
  const written: string[] = [];
  const errors: Error[] = [];
  const stdio = new StdioTransport({
    input: new PassThrough(),
    write: async (text) => void written.push(text),
    limit: 1000,
    isMessage: () => true,
  });
  stdio.onerror = (error) => void errors.push(error);
  return { stdio, written, errors };
}

test('drops and reports a notification that JSON cannot carry', async () => {
  const { stdio, written, errors } = transport();
  const params = { level: 'info', data: 7n };
  await stdio.send({ jsonrpc: '2.0', method: 'notifications/message', params }).catch(() => undefined);
  expect([written, errors.length]).toEqual([[], 1]);
});

test('fails to send a request that JSON cannot carry', async () => {
  const { stdio, written } = transport();
  await expect(stdio.send({ jsonrpc: '2.0', id: 1, method: 'x', params: { n: 7n } })).rejects.toThrow();
  expect(written).toEqual([]);
});

test('answers by an error where JSON cannot carry the result', async () => {
  const { stdio, written } = transport();
  await stdio.send({ jsonrpc: '2.0', id: 1, result: { n: 7n } });
  expect(written.map((text) => JSON.parse(text) as unknown)).toMatchObject([
    { id: 1, error: { code: -32603 } },
  ]);
});

test('waits once for a call that ignores the end', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const started = latch();
  const never = latch();
  const deaf = () => {
    started.open();
    return never.promise;
  };
  const serving = await serveStdio(fakeSurface({ deaf }), { stdin, stdout, stderr, drainTimeout: 1 });
  stdin.write(`${message('tools/call', { name: 'deaf' })}\n`);
  await started.promise;
  stdin.end();
  await serving.closed;
  await serving.stop();
});

test.each([
  { messageLimit: 0 },
  { messageLimt: 5 },
  { drainTimeout: '5' },
  { drainTimeout: NaN },
  { stdin: 7 },
])('refuses %j and leaves stdout alone', async (options) => {
  const stdout = new PassThrough();
  await expect(serveStdio(fakeSurface({}), { stdout, ...options } as never)).rejects.toMatchObject({
    code: 'TW_SERVER_OPTION',
  });
  stdout.write('free');
  expect(String((await once(stdout, 'data'))[0])).toBe('free');
});
