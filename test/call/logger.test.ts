import type { LogEvent } from '../../src/call/log-events.ts';
import { expect, jest, test } from '@jest/globals';
import { SafeLogger, StderrLogger, DedupingLogger } from '../../src/call/logger.ts';
import { MemoryLogger } from '../support/fake-application.ts';

const fail = (): never => {
  throw new Error('a getter');
};

test.each([
  ['an error whose getters throw', Object.defineProperty(new Error('x'), 'name', { get: fail })],
  ['a revoked proxy', revoked()],
])('what cannot be shown disturbs nobody: %s', (_name, cause) => {
  const written: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    new SafeLogger(new StderrLogger()).log({
      level: 'error',
      event: 'call.failed',
      message: 'It broke',
      cause,
    });
  } finally {
    write.mockRestore();
  }
  expect(written).toEqual([expect.stringMatching(/^error call\.failed: It broke cause=/)]);
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function filtering() {
  const logger = new MemoryLogger();
  let now = 0;
  const filter = new DedupingLogger(logger, () => now);
  const log = (event: LogEvent, message: string, cause?: unknown) =>
    filter.log({ level: 'error', event, message, cause });
  const told = () => logger.records.filter(({ level }) => level === 'error').map(({ message }) => message);
  return { log, told, pass: (milliseconds: number) => (now += milliseconds), logger };
}

test('an event that clients fill with messages of their own silences no other event', () => {
  const { log, told } = filtering();
  for (let n = 0; n < 1000; n += 1) log('http.authenticate', `message ${String(n)}`, new Error(String(n)));
  log('http.failed', 'served nothing');
  log('http.unsent', 'sent nothing');
  expect(told()).toEqual(['message 0', 'served nothing', 'sent nothing']);
});

test('two places of one event are both logged, whatever their messages say', () => {
  const { log, told } = filtering();
  const here = (message: string) => new Error(message);
  const there = (message: string) => new TypeError(message);
  for (const round of ['1', '2']) {
    log('http.failed', `here ${round}`, here(`${round}\n    at forged:${round}`));
    log('http.failed', `there ${round}`, there(round));
  }
  expect(told()).toEqual(['here 1', 'there 1']);
});

test('each minute they are reported again, and debugging has all of them', () => {
  const { log, told, pass, logger } = filtering();
  log('list.unkept', 'first');
  log('list.unkept', 'second');
  pass(60_000);
  log('list.unkept', 'third');
  expect(told()).toEqual(['first', 'third']);
  expect(logger.records.map(({ level }) => level)).toEqual(['error', 'debug', 'error']);
});
