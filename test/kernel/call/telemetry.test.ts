import { expect, jest, test } from '@jest/globals';
import { observeLife, type Telemetry } from '../../../src/kernel/call/telemetry.ts';

test('what lasts is counted down and measured once, however often it ends', () => {
  const [add, record] = [jest.fn<Telemetry['add']>(), jest.fn<Telemetry['record']>()];
  const begin: Telemetry['begin'] = () => {
    throw new Error('No request begins here.');
  };
  const life = ['toolwright.streams.active', 'toolwright.stream.duration'] as const;
  const end = observeLife({ spans: [], begin, add, record }, ...life);
  end?.();
  end?.();
  expect(add.mock.calls).toEqual([
    ['toolwright.streams.active', 1],
    ['toolwright.streams.active', -1],
  ]);
  expect(record.mock.calls).toEqual([['toolwright.stream.duration', expect.any(Number)]]);
  expect(observeLife(undefined, ...life)).toBeUndefined();
});
