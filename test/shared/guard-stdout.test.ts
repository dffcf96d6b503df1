import { expect, test } from '@jest/globals';
import { PassThrough, Writable } from 'node:stream';
import { guardStdout as guardUnlessTaken } from '../../src/shared/guard-stdout.ts';
import { serveStdio } from '../../src/transports/stdio/serve-stdio.ts';
import { echo, fakeApplication } from '../support/fake-application.ts';
import { message } from '../support/raw-http.ts';

function textOf(stream: PassThrough): string {
  return String(stream.read() ?? '');
}

function guardStdout(...streams: Parameters<typeof guardUnlessTaken>) {
  const guard = guardUnlessTaken(...streams);
  if (guard === undefined) throw new Error('The stream is guarded already');
  return guard;
}

function streams() {
  return { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
}

test('sends what others write to stderr and lets only the guard write', async () => {
  const { stdout, stderr } = streams();
  const guard = guardStdout(stdout, stderr);
  expect(stdout.write('theirs')).toBe(true);
  await guard.write('ours');
  expect([textOf(stdout), textOf(stderr)]).toEqual(['ours', 'theirs']);
  guard.restore();
  stdout.write('free');
  expect(textOf(stdout)).toBe('free');
  expect(Object.hasOwn(stdout, 'write')).toBe(false);
});

test('leaves a guard alone that is in use, and takes over from one that is not', () => {
  const { stdout, stderr } = streams();
  const first = guardStdout(stdout, stderr);
  expect(guardUnlessTaken(stdout, stderr)).toBeUndefined();
  first.retire();
  const second = guardStdout(stdout, stderr);
  second.restore();
  stdout.write('free');
  expect([textOf(stdout), textOf(stderr)]).toEqual(['free', '']);
});

test('waits until a slow reader has taken the text', async () => {
  const taken: (() => void)[] = [];
  const stdout = new Writable({ write: (_chunk, _encoding, callback) => void taken.push(callback) });
  const guard = guardStdout(stdout, new PassThrough());
  let isWritten = false;
  const written = guard.write('text').then(() => (isWritten = true));
  await new Promise(setImmediate);
  expect(isWritten).toBe(false);
  taken[0]?.();
  await written;
});

test('lets a pipe into the guarded stream run to its end', async () => {
  const { stdout } = streams();
  const stderr = new PassThrough({ highWaterMark: 1 });
  guardStdout(stdout, stderr);
  const source = new PassThrough();
  source.pipe(stdout, { end: false });
  const ended = new Promise((resolve) => source.once('end', resolve));
  source.end('x'.repeat(100_000));
  stderr.resume();
  await ended;
});

test('leaves the wrapping by other code in place', () => {
  const { stdout, stderr } = streams();
  const guard = guardStdout(stdout, stderr);
  const wrapped = () => true;
  stdout.write = wrapped;
  guard.restore();
  expect(stdout.write).toBe(wrapped);
});

test('is not ended by others', async () => {
  const { stdout, stderr } = streams();
  const guard = guardStdout(stdout, stderr);
  const ended = new Promise<void>((resolve) => stdout.end('their last words', resolve));
  await ended;
  await guard.write('ours');
  expect([textOf(stdout), textOf(stderr)]).toEqual(['ours', 'their last words']);
  stdout.end();
  guard.restore();
  expect(Object.hasOwn(stdout, 'end')).toBe(false);
  stdout.end('free');
  expect(textOf(stdout)).toBe('free');
});

test('is kept after the end of serving until it is released', async () => {
  const { stdin, stdout, stderr } = streams();
  const serving = await serveStdio(fakeApplication({ echo }), { stdin, stdout, stderr });
  await serving.close();
  stdout.write('from a shutdown hook');
  expect([textOf(stdout), textOf(stderr)]).toEqual(['', 'from a shutdown hook']);
  serving.release();
  serving.release();
  stdout.write('free');
  expect(textOf(stdout)).toBe('free');
});

test('is not released while it serves', async () => {
  const { stdin, stdout, stderr } = streams();
  const serving = await serveStdio(fakeApplication({ echo }), { stdin, stdout, stderr });
  serving.release();
  stdout.write('guarded');
  expect(textOf(stderr)).toBe('guarded');
  await serving.close();
  serving.release();
});

test('is kept for a client that ended the connection, which may read on', async () => {
  const { stdin, stdout, stderr } = streams();
  const serving = await serveStdio(fakeApplication({ echo }), { stdin, stdout, stderr });
  stdin.end();
  await serving.closed;
  serving.release();
  stdout.write('after the end');
  expect([textOf(stdout), textOf(stderr)]).toEqual(['', 'after the end']);
});

test('is taken over by the next serving, whose release gives back what there was at first', async () => {
  const { stdout, stderr } = streams();
  const first = await serveStdio(fakeApplication({ echo }), { stdin: new PassThrough(), stdout, stderr });
  await first.close();
  const second = await serveStdio(fakeApplication({ echo }), { stdin: new PassThrough(), stdout, stderr });
  first.release();
  stdout.write('guarded');
  expect(textOf(stderr)).toBe('guarded');
  await second.close();
  second.release();
  expect(Object.hasOwn(stdout, 'write')).toBe(false);
});

test('serves once at a time, and again after the end', async () => {
  const options = streams();
  const serving = await serveStdio(fakeApplication({ echo }), options);
  await expect(serveStdio(fakeApplication({ echo }), options)).rejects.toMatchObject({
    code: 'TW_SERVER_STDIO_TAKEN',
  });
  await serving.close();
  await serving.close();
  await serving.closed;
  const again = await serveStdio(fakeApplication({ echo }), options);
  await again.close();
});

test('refuses new requests while it stops', async () => {
  const { stdin, stdout, stderr } = streams();
  const serving = await serveStdio(fakeApplication({ echo }), { stdin, stdout, stderr });
  await serving.stop();
  stdin.write(`${message('tools/list')}\n`);
  const chunk = await new Promise<Buffer>((resolve) => stdout.once('data', resolve));
  expect(JSON.parse(chunk.toString())).toMatchObject({ id: 1, error: { code: -32000 } });
  await serving.close();
});

test('ends at once when stdin has already ended', async () => {
  const { stdin, stdout, stderr } = streams();
  stdin.end();
  stdin.resume();
  await new Promise((resolve) => stdin.once('close', resolve));
  const serving = await serveStdio(fakeApplication({ echo }), { stdin, stdout, stderr });
  await serving.closed;
});
