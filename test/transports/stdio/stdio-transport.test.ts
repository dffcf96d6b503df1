import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { serveStdio, type StdioOptions } from '../../../src/transports/stdio/serve-stdio.ts';
import type { StdioServing } from '../../../src/transports/serving.ts';
import { StdioTransport } from '../../../src/transports/stdio/stdio-transport.ts';
import { fakeApplication, latch } from '../../support/fake-application.ts';
import { message } from '../../support/raw-http.ts';

const untilNextTurn = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
};

function transport() {
  const written: string[] = [];
  const errors: Error[] = [];
  const stdio = new StdioTransport({
    input: new PassThrough(),
    write: async (text) => void written.push(text),
    limit: 1000,
  });
  stdio.onerror = (error) => void errors.push(error);
  return { stdio, written, errors };
}

const lines = (written: readonly string[]): readonly unknown[] =>
  written
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

const call = (id: number): string => message('tools/call', { name: 'answer' }, id);

/** Serves a tool that answers at once where it is said what, else when told to. */
async function served(options: StdioOptions, text?: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const ending = latch();
  const answer = async () => text ?? ending.promise.then(() => 'late');
  servings.push(await serveStdio(fakeApplication({ answer }), { stdin, stdout, stderr, ...options }));
  const messages: unknown[] = [];
  let rest = '';
  const answers = async (count: number): Promise<readonly unknown[]> => {
    if (stdout.listenerCount('data') === 0) {
      stdout.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        messages.push(...lines.map((line) => JSON.parse(line) as unknown));
      });
    }
    while (messages.length < count) await once(stdout, 'data');
    return messages;
  };
  return { stdin, stdout, answers, finish: ending.open };
}

const servings: StdioServing[] = [];
afterEach(async () => {
  for (const serving of servings.splice(0)) await serving.close();
});

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

test('writes what is not an answer at once, and answers that come together together', async () => {
  const { stdio, written } = transport();
  const progress = {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 1, progress: 1 },
  };
  const answers = [1, 2].map((id) => stdio.send({ jsonrpc: '2.0', id, result: {} }));
  expect(written).toEqual([]);
  const sent = stdio.send(progress);
  expect(written).toHaveLength(1);
  expect(lines(written)).toMatchObject([{ id: 1 }, { id: 2 }, progress]);
  await Promise.all([...answers, sent]);
  await Promise.all([3, 4].map((id) => stdio.send({ jsonrpc: '2.0', id, result: {} })));
  expect(written).toHaveLength(2);
  expect(lines(written).slice(3)).toMatchObject([{ id: 3 }, { id: 4 }]);
});

test('listens for the end of the process only where it serves over the output of the process', async () => {
  const before = process.listenerCount('exit');
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const serving = await serveStdio(fakeApplication({}), { stdin, stdout, stderr });
  expect(process.listenerCount('exit')).toBe(before);
  await serving.close();
});

test('waits once for a call that ignores the end', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const started = latch();
  const never = latch();
  const deaf = () => {
    started.open();
    return never.promise;
  };
  const serving = await serveStdio(fakeApplication({ deaf }), { stdin, stdout, stderr, drainTimeout: 1 });
  stdin.write(`${message('tools/call', { name: 'deaf' })}\n`);
  await started.promise;
  stdin.end();
  await serving.closed;
  await serving.stop();
  expect(serving.isEndedByClient).toBe(true);
});

test('leaves no listener on the streams that it served over', async () => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const listeners = () =>
    Object.values(streams).map((stream) =>
      stream.eventNames().map((name) => [name, stream.listenerCount(name)]),
    );
  const before = listeners();
  for (let turn = 0; turn < 3; turn += 1) {
    const serving = await serveStdio(fakeApplication({}), streams);
    expect(streams.stdout.listenerCount('error')).toBe(1);
    await serving.close();
    await untilNextTurn();
  }
  expect(listeners()).toEqual(before);
});

test('handles a write that fails after the end, which would end the process', async () => {
  const failing = latch();
  const written = latch();
  const stdout = new Writable({
    write: (_chunk, _encoding, done) => {
      written.open();
      void failing.promise.then(() => done(new Error('EPIPE')));
    },
  });
  const stdin = new PassThrough();
  const serving = await serveStdio(fakeApplication({}), { stdin, stdout, stderr: new PassThrough() });
  stdin.write('no message\n');
  await written.promise;
  await serving.close();
  await untilNextTurn();
  expect(stdout.listenerCount('error')).toBe(1);
  failing.open();
  await new Promise<void>((resolve) => stdout.once('close', resolve));
  await untilNextTurn();
  expect(stdout.listenerCount('error')).toBe(0);
});

test.each([
  { maxMessageBytes: 0 },
  { messageLimt: 5 },
  { drainTimeout: '5' },
  { drainTimeout: NaN },
  { stdin: 7 },
])('refuses %j and leaves stdout alone', async (options) => {
  const stdout = new PassThrough();
  await expect(serveStdio(fakeApplication({}), { stdout, ...options } as never)).rejects.toMatchObject({
    code: 'TW_SERVER_OPTION',
  });
  stdout.write('free');
  expect(String((await once(stdout, 'data'))[0])).toBe('free');
});

test('a client with its limit of calls is refused one more, until one is answered or cancelled', async () => {
  const { stdin, answers, finish } = await served({ maxCalls: 2 });
  stdin.write(`${call(1)}\n${call(2)}\n${call(3)}\n${message('ping', undefined, 4)}\n`);
  const text = 'This connection runs its limit of 2 requests; wait for an answer and try again';
  const refused = { code: -32000, message: text };
  expect(await answers(2)).toMatchObject([
    { id: 3, error: refused },
    { id: 4, error: refused },
  ]);
  stdin.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
  stdin.write(`${message('ping', undefined, 5)}\n`);
  expect((await answers(3)).at(-1)).toEqual({ jsonrpc: '2.0', id: 5, result: {} });
  finish();
  expect((await answers(4)).at(-1)).toMatchObject({ id: 2, result: {} });
});

test('reads no more of a client that reads nothing, and goes on when it does', async () => {
  const { stdin, stdout, answers } = await served({}, 'x'.repeat(100_000));
  let sent = 0;
  while (sent < 2000 && stdin.write(`${call((sent += 1))}\n`)) await new Promise(setImmediate);
  expect(sent).toBeLessThan(2000);
  expect(stdout.writableLength).toBeLessThan(24 * 1024 * 1024);
  expect(await answers(sent)).toHaveLength(sent);
});
