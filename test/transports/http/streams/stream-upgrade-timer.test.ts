import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import {
  StreamUpgradeTimer,
  type UpgradableAnswer,
} from '../../../../src/transports/http/streams/stream-upgrade-timer.ts';

const TURN = 1000;

/** One that waits, and the moments at which it was upgraded. */
function waiting() {
  const upgraded: number[] = [];
  const member: UpgradableAnswer = { since: undefined, upgrade: () => void upgraded.push(Date.now()) };
  return { member, upgraded };
}

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

test('upgrades once what takes longer, after the time and before twice of it', () => {
  const begins = fc.array(fc.integer({ min: 1, max: 5 * TURN }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(begins, (moments) => {
      const timer = new StreamUpgradeTimer(TURN);
      const all = [...moments]
        .sort((a, b) => a - b)
        .map((moment, index, sorted) => {
          jest.advanceTimersByTime(moment - (sorted[index - 1] ?? 0));
          const { member, upgraded } = waiting();
          timer.watch(member);
          return { upgraded, began: Date.now() };
        });
      jest.advanceTimersByTime(10 * TURN);
      for (const { upgraded, began } of all) {
        expect(upgraded).toHaveLength(1);
        expect(Number(upgraded[0]) - began).toBeGreaterThanOrEqual(TURN);
        expect(Number(upgraded[0]) - began).toBeLessThanOrEqual(2 * TURN);
      }
      timer.close();
    }),
    { numRuns: 50 },
  );
});

test('never upgrades what was forgotten', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 * TURN - 1 }), (moment) => {
      const timer = new StreamUpgradeTimer(TURN);
      const [one, other] = [waiting(), waiting()];
      timer.watch(one.member);
      timer.watch(other.member);
      jest.advanceTimersByTime(moment);
      timer.forget(one.member);
      jest.advanceTimersByTime(5 * TURN);
      expect([one.upgraded.length, other.upgraded.length]).toEqual([0, 1]);
      expect(timer.all()).toEqual([other.member]);
      timer.close();
    }),
    { numRuns: 50 },
  );
});

test('begins again with what is watched again', () => {
  const timer = new StreamUpgradeTimer(TURN);
  const { member, upgraded } = waiting();
  const other = waiting();
  timer.watch(other.member);
  jest.advanceTimersByTime(3.5 * TURN);
  timer.watch(member);
  jest.advanceTimersByTime(TURN);
  timer.forget(member);
  timer.watch(member);
  jest.advanceTimersByTime(TURN);
  expect(upgraded).toEqual([]);
  jest.advanceTimersByTime(TURN);
  expect(upgraded).toEqual([6 * TURN]);
});

test('lets an entry be removed while it is reported', () => {
  const timer = new StreamUpgradeTimer(TURN);
  const upgraded: string[] = [];
  const leaving = (name: string): UpgradableAnswer => {
    const member: UpgradableAnswer = {
      since: undefined,
      upgrade: () => {
        upgraded.push(name);
        timer.forget(member);
      },
    };
    return member;
  };
  for (const name of ['a', 'b', 'c']) timer.watch(leaving(name));
  jest.advanceTimersByTime(2 * TURN);
  expect(upgraded).toEqual(['a', 'b', 'c']);
  expect(timer.all()).toEqual([]);
});

describe('its timer', () => {
  test('is one for all, and stops when nothing waits', () => {
    const timer = new StreamUpgradeTimer(TURN);
    expect(jest.getTimerCount()).toBe(0);
    const all = [waiting(), waiting(), waiting()];
    for (const { member } of all) timer.watch(member);
    expect(jest.getTimerCount()).toBe(1);
    for (const { member } of all) timer.forget(member);
    jest.advanceTimersByTime(TURN);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('goes on while something waits, and starts again for what comes later', () => {
    const timer = new StreamUpgradeTimer(TURN);
    const [one, other] = [waiting(), waiting()];
    timer.watch(one.member);
    jest.advanceTimersByTime(5 * TURN);
    expect(jest.getTimerCount()).toBe(1);
    timer.forget(one.member);
    jest.advanceTimersByTime(TURN);
    expect(jest.getTimerCount()).toBe(0);
    timer.watch(other.member);
    jest.advanceTimersByTime(2 * TURN - 1);
    expect(other.upgraded).toEqual([]);
    jest.advanceTimersByTime(1);
    expect([one.upgraded, other.upgraded]).toEqual([[2 * TURN], [8 * TURN]]);
  });

  test('does not keep the process alive', () => {
    const started = jest.spyOn(globalThis, 'setInterval');
    new StreamUpgradeTimer(TURN).watch(waiting().member);
    const timers = started.mock.results.map(({ value }) => value as NodeJS.Timeout);
    started.mockRestore();
    expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
  });

  test('never starts for a time without end', () => {
    const timer = new StreamUpgradeTimer(Infinity);
    const { member } = waiting();
    timer.watch(member);
    expect(jest.getTimerCount()).toBe(0);
    expect(timer.all()).toEqual([member]);
  });

  test('stops when it is closed, and starts again without what waited before', () => {
    const timer = new StreamUpgradeTimer(TURN);
    const [before, after] = [waiting(), waiting()];
    timer.watch(before.member);
    timer.close();
    expect([jest.getTimerCount(), timer.all()]).toEqual([0, []]);
    timer.watch(after.member);
    jest.advanceTimersByTime(5 * TURN);
    expect([before.upgraded.length, after.upgraded.length]).toEqual([0, 1]);
    timer.close();
  });
});

test('reports nothing to one that another has just ended', () => {
  const timer = new StreamUpgradeTimer(TURN);
  const second = waiting();
  const first: UpgradableAnswer = { since: undefined, upgrade: () => timer.forget(second.member) };
  timer.watch(first);
  timer.watch(second.member);
  jest.advanceTimersByTime(5 * TURN);
  expect(second.upgraded).toEqual([]);
  timer.close();
});
