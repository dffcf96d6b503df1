import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { InMemoryStore } from 'toolwright';
import { codeOf, FailingStore, gate, isClaim, openTill, replayOf } from '../support/payments.ts';

const LEASE = 30_000;
const OPERATIONS = ['get', 'claim', 'replace'] as const;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] }));
afterEach(() => void jest.useRealTimers());

/** A call that runs in one process, and another process; nobody reaches the store for longer than a lease. */
async function outlivedLease(action: 'pay' | 'rerun') {
  const store = new InMemoryStore();
  const ways = [new FailingStore(store), new FailingStore(store)] as const;
  const [one, other] = [await openTill(ways[0]), await openTill(ways[1])];
  const [entered, go] = [gate(), gate()];
  one.till.before = () => {
    entered.open();
    return go.passed;
  };
  const given = { amount: 5, idempotencyKey: 'a' };
  const first = one.call(action, given);
  await entered.passed;
  for (const { failing } of ways) for (const operation of OPERATIONS) failing.add(operation);
  await jest.advanceTimersByTimeAsync(2 * LEASE);
  for (const { failing } of ways) failing.clear();
  const again = async () => {
    const second = other.call(action, given);
    await jest.advanceTimersByTimeAsync(10_000);
    return second;
  };
  const close = async () => {
    jest.useRealTimers();
    await one.app.close();
    await other.app.close();
  };
  /** Answers of the first process's claims wait. */
  const slow = (wait: () => Promise<void>): void => {
    const put = ways[0].put.bind(ways[0]);
    jest.spyOn(ways[0], 'put').mockImplementation(async (...given) => {
      const written = await put(...given);
      if (isClaim(given[2])) await wait();
      return written;
    });
  };
  return { first, again, go, one, other, close, slow };
}

test.each(['pay', 'rerun'] as const)(
  'a call of %s whose lease ended while the store was away holds it again when the store is back',
  async (action) => {
    const { first, again, go, one, other, close } = await outlivedLease(action);
    await jest.advanceTimersByTimeAsync(1000);
    expect(codeOf(await again())).toBe('IDEMPOTENCY_IN_PROGRESS');
    await jest.advanceTimersByTimeAsync(2 * LEASE);
    expect(codeOf(await again())).toBe('IDEMPOTENCY_IN_PROGRESS');
    go.open();
    expect(await first).toMatchObject({ content: [{ text: 'paid 5' }] });
    expect(replayOf(await again())).toMatchObject({ replayed: true });
    expect([one.till.effects.length, other.till.effects.length]).toEqual([1, 0]);
    expect(one.logger.records.map(({ event }) => event)).not.toContain('idempotency.lease-lost');
    await close();
  },
);

test('its result is kept also where the call ends while it takes its lease again', async () => {
  const { first, again, go, one, close, slow } = await outlivedLease('pay');
  const [asked, answer] = [gate(), gate()];
  slow(() => {
    asked.open();
    return answer.passed;
  });
  await jest.advanceTimersByTimeAsync(1000);
  await asked.passed;
  go.open();
  await jest.advanceTimersByTimeAsync(1);
  answer.open();
  expect(await first).toMatchObject({ content: [{ text: 'paid 5' }] });
  expect(replayOf(await again())).toMatchObject({ replayed: true });
  expect(one.logger.records.map(({ event }) => event)).not.toContain('idempotency.lease-lost');
  await close();
});

test('it does not take it back from a call that has taken it over', async () => {
  const { first, again, go, one, other, close } = await outlivedLease('rerun');
  other.till.after = () => 'the second run';
  expect(await again()).toMatchObject({ content: [{ text: 'the second run' }] });
  await jest.advanceTimersByTimeAsync(LEASE);
  go.open();
  await first;
  expect(one.logger.records.map(({ event }) => event)).toContain('idempotency.lease-lost');
  expect(await again()).toMatchObject({ content: [{ text: 'the second run' }] });
  await close();
});
