import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judge, leftBy, type CallRecord } from '../../../src/features/idempotency/call-record.ts';

const args = fc.constantFrom('x', 'y');
const run = fc.constantFrom('1', '2');
const record: fc.Arbitrary<CallRecord> = fc.oneof(
  fc.record({ is: fc.constant('claimed' as const), args, run }),
  fc.record({ is: fc.constant('waiting' as const), args, run, isClean: fc.boolean() }),
  fc.record({ is: fc.constant('unknown' as const), args }),
  fc.record({
    is: fc.constant('done' as const),
    args,
    at: fc.constant('now'),
    outcome: fc.constant({ bytes: 1 }),
  }),
);
const holdLeft = fc.constantFrom(0, 1);
const again = fc.record({
  args,
  run: fc.option(run, { nil: undefined }),
  onUnknown: fc.constant('fail' as const),
});

describe('a further call of a key', () => {
  test('runs only if the first one has had no effect, or is the same conversation', () => {
    fc.assert(
      fc.property(record, holdLeft, again, (known, left, call) => {
        if (judge({ record: known, holdLeft: left }, call).is !== 'free') return;
        expect(known).toMatchObject({ is: 'waiting', args: call.args });
        const waiting = known as Extract<CallRecord, { is: 'waiting' }>;
        expect(waiting.run === call.run || (left === 0 && waiting.isClean)).toBe(true);
      }),
    );
  });

  test('with other arguments is always a conflict, and gets no result', () => {
    fc.assert(
      fc.property(record, holdLeft, again, (known, left, call) => {
        const { is } = judge({ record: known, holdLeft: left }, call);
        expect(is === 'conflict').toBe(known.args !== call.args);
      }),
    );
  });

  test('of a record that cannot be read is never run', () => {
    const call = { args: 'x', run: undefined, onUnknown: 'fail' } as const;
    expect(judge({ record: undefined, holdLeft: 1 }, call)).toEqual({ is: 'busy' });
    expect(judge({ record: undefined, holdLeft: 0 }, call)).toEqual({ is: 'unknown' });
    expect(judge(undefined, call)).toEqual({ is: 'free' });
  });
});

const END = {
  hasBegun: true,
  isSuspended: false,
  isFailure: false,
  isRetryable: false,
  isCut: false,
  isDiverged: false,
};

test.each([
  [END, 'done'],
  [{ ...END, isCut: true }, 'done'],
  [{ ...END, isFailure: true }, 'done'],
  [{ ...END, isFailure: true, isRetryable: true }, 'released'],
  [{ ...END, isFailure: true, isRetryable: true, isCut: true }, 'unknown'],
  [{ ...END, isFailure: true, hasBegun: false }, 'released'],
  [{ ...END, isSuspended: true }, 'waiting'],
  [{ ...END, isSuspended: true, isDiverged: true }, 'unknown'],
])('A run that ended with %j leaves "%s"', (end, left) => {
  expect(leftBy(end)).toBe(left);
});
