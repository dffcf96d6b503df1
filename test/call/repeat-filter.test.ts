import { expect, test } from '@jest/globals';
import { RepeatFilter } from '../../src/call/repeat-filter.ts';
import { MemoryLogger } from '../fixtures/fake-surface.ts';

function filtering() {
  const logger = new MemoryLogger();
  let now = 0;
  const filter = new RepeatFilter(logger, () => now);
  const log = (event: string, message: string, cause?: unknown) =>
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

test('two places of one event are both told, whatever their messages say', () => {
  const { log, told } = filtering();
  const here = (message: string) => new Error(message);
  const there = (message: string) => new TypeError(message);
  for (const round of ['1', '2']) {
    log('http.failed', `here ${round}`, here(`${round}\n    at forged:${round}`));
    log('http.failed', `there ${round}`, there(round));
  }
  expect(told()).toEqual(['here 1', 'there 1']);
});

test('each minute they are told again, and debugging has all of them', () => {
  const { log, told, pass, logger } = filtering();
  log('a', 'first');
  log('a', 'second');
  pass(60_000);
  log('a', 'third');
  expect(told()).toEqual(['first', 'third']);
  expect(logger.records.map(({ level }) => level)).toEqual(['error', 'debug', 'error']);
});
