import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { Patience, type Waiting } from '../../../../src/transports/http/streams/patience.ts';

const TURN = 1000;

/** One that waits, and the moments at which it was told. */
function waiting() {
  const told: number[] = [];
  const member: Waiting = { since: undefined, goOn: () => void told.push(Date.now()) };
  return { member, told };
}

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

test('tells once of what takes longer, after the time and before twice of it', () => {
  const begins = fc.array(fc.integer({ min: 1, max: 5 * TURN }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(begins, (moments) => {
      const patience = new Patience(TURN);
      const all = [...moments]
        .sort((a, b) => a - b)
        .map((moment, index, sorted) => {
          jest.advanceTimersByTime(moment - (sorted[index - 1] ?? 0));
          const { member, told } = waiting();
          patience.watch(member);
          return { told, began: Date.now() };
        });
      jest.advanceTimersByTime(10 * TURN);
      for (const { told, began } of all) {
        expect(told).toHaveLength(1);
        expect(Number(told[0]) - began).toBeGreaterThanOrEqual(TURN);
        expect(Number(told[0]) - began).toBeLessThanOrEqual(2 * TURN);
      }
      patience.close();
    }),
    { numRuns: 50 },
  );
});

test('never tells of what was forgotten', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 * TURN - 1 }), (moment) => {
      const patience = new Patience(TURN);
      const [one, other] = [waiting(), waiting()];
      patience.watch(one.member);
      patience.watch(other.member);
      jest.advanceTimersByTime(moment);
      patience.forget(one.member);
      jest.advanceTimersByTime(5 * TURN);
      expect([one.told.length, other.told.length]).toEqual([0, 1]);
      expect(patience.all()).toEqual([other.member]);
      patience.close();
    }),
    { numRuns: 50 },
  );
});

test('begins anew with what is watched again', () => {
  const patience = new Patience(TURN);
  const { member, told } = waiting();
  const other = waiting();
  patience.watch(other.member);
  jest.advanceTimersByTime(3.5 * TURN);
  patience.watch(member);
  jest.advanceTimersByTime(TURN);
  patience.forget(member);
  patience.watch(member);
  jest.advanceTimersByTime(TURN);
  expect(told).toEqual([]);
  jest.advanceTimersByTime(TURN);
  expect(told).toEqual([6 * TURN]);
});

test('lets what it tells of be forgotten while it tells', () => {
  const patience = new Patience(TURN);
  const told: string[] = [];
  const leaving = (name: string): Waiting => {
    const member: Waiting = {
      since: undefined,
      goOn: () => {
        told.push(name);
        patience.forget(member);
      },
    };
    return member;
  };
  for (const name of ['a', 'b', 'c']) patience.watch(leaving(name));
  jest.advanceTimersByTime(2 * TURN);
  expect(told).toEqual(['a', 'b', 'c']);
  expect(patience.all()).toEqual([]);
});

describe('its timer', () => {
  test('is one for all, and stops when nothing waits', () => {
    const patience = new Patience(TURN);
    expect(jest.getTimerCount()).toBe(0);
    const all = [waiting(), waiting(), waiting()];
    for (const { member } of all) patience.watch(member);
    expect(jest.getTimerCount()).toBe(1);
    for (const { member } of all) patience.forget(member);
    jest.advanceTimersByTime(TURN);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('goes on while something waits, and starts again for what comes later', () => {
    const patience = new Patience(TURN);
    const [one, other] = [waiting(), waiting()];
    patience.watch(one.member);
    jest.advanceTimersByTime(5 * TURN);
    expect(jest.getTimerCount()).toBe(1);
    patience.forget(one.member);
    jest.advanceTimersByTime(TURN);
    expect(jest.getTimerCount()).toBe(0);
    patience.watch(other.member);
    jest.advanceTimersByTime(2 * TURN - 1);
    expect(other.told).toEqual([]);
    jest.advanceTimersByTime(1);
    expect([one.told, other.told]).toEqual([[2 * TURN], [8 * TURN]]);
  });

  test('does not keep the process alive', () => {
    const started = jest.spyOn(globalThis, 'setInterval');
    new Patience(TURN).watch(waiting().member);
    const timers = started.mock.results.map(({ value }) => value as NodeJS.Timeout);
    started.mockRestore();
    expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
  });

  test('never starts for a patience without end', () => {
    const patience = new Patience(Infinity);
    const { member } = waiting();
    patience.watch(member);
    expect(jest.getTimerCount()).toBe(0);
    expect(patience.all()).toEqual([member]);
  });

  test('stops when it is closed, and starts again without what waited before', () => {
    const patience = new Patience(TURN);
    const [before, after] = [waiting(), waiting()];
    patience.watch(before.member);
    patience.close();
    expect([jest.getTimerCount(), patience.all()]).toEqual([0, []]);
    patience.watch(after.member);
    jest.advanceTimersByTime(5 * TURN);
    expect([before.told.length, after.told.length]).toEqual([0, 1]);
    patience.close();
  });
});

test('tells nothing to one that another has just ended', () => {
  const patience = new Patience(TURN);
  const second = waiting();
  const first: Waiting = { since: undefined, goOn: () => patience.forget(second.member) };
  patience.watch(first);
  patience.watch(second.member);
  jest.advanceTimersByTime(5 * TURN);
  expect(second.told).toEqual([]);
  patience.close();
});
