import { expect, test } from '@jest/globals';
import {
  newSession,
  subscribe,
  unsubscribe,
  wantsLevel,
  type SessionRecord,
} from '../../../../src/engine/revisions/2025/session-record.ts';

const RECORD: SessionRecord = {
  ...newSession('one', 'bob'),
  revision: '2025-11-25',
  client: { info: { name: 'x', version: '1' }, capabilities: { roots: {} } },
  logLevel: 'warning',
};

test('a session is plain JSON, whatever it remembers', () => {
  const record = subscribe(RECORD, 'memo:one');
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
});

test('a session is never changed, only replaced', () => {
  const record = subscribe(RECORD, 'memo:one');
  expect(RECORD.subscriptions).toEqual([]);
  expect(subscribe(record, 'memo:one')).toBe(record);
  expect(unsubscribe(record, 'memo:one').subscriptions).toEqual([]);
  expect(record.subscriptions).toEqual(['memo:one']);
});

test('a session has at most 1000 subscriptions', () => {
  let record = RECORD;
  for (let count = 0; count < 1000; count += 1) record = subscribe(record, `memo:${String(count)}`);
  expect(() => subscribe(record, 'memo:more')).toThrow('one too many');
  expect(() => subscribe(RECORD, 'x'.repeat(8193))).toThrow('longer than 8192');
});

test('the subscriptions of a session are bounded in their length together', () => {
  let record = RECORD;
  for (let count = 0; count < 8; count += 1) record = subscribe(record, String(count).repeat(8192));
  expect(subscribe(record, '0'.repeat(8192))).toBe(record);
  expect(() => subscribe(record, 'x')).toThrow('65536 characters together');
  expect(subscribe(unsubscribe(record, '0'.repeat(8192)), 'x').subscriptions).toHaveLength(8);
});

test('log messages are wanted from the level on that the client set', () => {
  expect(
    (['debug', 'notice', 'warning', 'emergency'] as const).map((level) => wantsLevel(RECORD, level)),
  ).toEqual([false, false, true, true]);
  expect(wantsLevel(newSession('two'), 'debug')).toBe(true);
});
