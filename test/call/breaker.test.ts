import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Action, breaker, Module, ProtocolError, ToolError, ToolGroup, type BreakerState } from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/memory-logger.ts';
import { factsOf, textOf } from '../support/text-of.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const states: BreakerState[] = [];
function billing() {
  states.length = 0;
  return breaker('billing', { failures: 2, resetAfter: 8500, onChange: (state) => states.push(state) });
}
const broken = (): Promise<never> => Promise.reject(new TypeError('fetch failed'));
const fails = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

async function opened() {
  const made = billing();
  for (let call = 0; call < 2; call += 1) await fails(made.run(broken));
  return made;
}

describe('a breaker', () => {
  test('hands on what the dependency gives, and its errors', async () => {
    const made = billing();
    expect(await made.run(() => 'paid')).toBe('paid');
    await expect(made.run(broken)).rejects.toThrow('fetch failed');
    expect(made.state).toBe('closed');
  });

  test('opens after failures in a row, and then calls nobody until its time is over', async () => {
    const made = await opened();
    const work = jest.fn(() => 'paid');
    expect(await fails(made.run(work))).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'billing is not available; try again in 9 s',
      facts: { retryAfter: 9 },
    });
    expect(work).not.toHaveBeenCalled();
    jest.setSystemTime(1_008_499);
    expect(await fails(made.run(work))).toMatchObject({ facts: { retryAfter: 1 } });
    expect(work).not.toHaveBeenCalled();
  });

  test('lets one call try, and closes when it succeeds', async () => {
    const made = await opened();
    jest.setSystemTime(1_008_500);
    let answer: (value: string) => void = () => undefined;
    const probe = made.run(() => new Promise<string>((resolve) => (answer = resolve)));
    expect(made.state).toBe('half-open');
    const work = jest.fn(() => 'paid');
    expect(await fails(made.run(work))).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      facts: { retryAfter: 1 },
    });
    expect(work).not.toHaveBeenCalled();
    answer('paid');
    expect(await probe).toBe('paid');
    expect(await made.run(work)).toBe('paid');
    expect(states).toEqual(['open', 'half-open', 'closed']);
  });

  test('opens again when the call that tries fails', async () => {
    const made = await opened();
    jest.setSystemTime(1_008_500);
    await fails(made.run(broken));
    expect(await fails(made.run(broken))).toMatchObject({ facts: { retryAfter: 9 } });
  });

  test('lets the next call try when the one that tried was cancelled', async () => {
    const made = await opened();
    jest.setSystemTime(1_008_500);
    await fails(made.run(() => Promise.reject(Object.assign(new Error('gone'), { name: 'AbortError' }))));
    expect(made.state).toBe('open');
    expect(await made.run(() => 'paid')).toBe('paid');
  });

  test.each([
    ['a declared error', new ToolError('NO_MONEY', 'No money')],
    ['an error of the protocol', new ProtocolError(-32602, 'no')],
    ['a cancelled call', Object.assign(new Error('gone'), { name: 'AbortError' })],
  ])('does not count %s', async (_what, error) => {
    const made = billing();
    for (let call = 0; call < 5; call += 1) await fails(made.run(() => Promise.reject(error)));
    expect(made.state).toBe('closed');
  });

  test('counts a call that ran out of time', async () => {
    const made = billing();
    for (let call = 0; call < 2; call += 1) {
      await fails(made.run(() => Promise.reject(new ToolError('TIMED_OUT', 'Timed out'))));
    }
    expect(made.state).toBe('open');
  });

  test('ignores calls that began before it opened', async () => {
    const made = billing();
    let answer: (value: string) => void = () => undefined;
    const early = made.run(() => new Promise<string>((resolve) => (answer = resolve)));
    for (let call = 0; call < 2; call += 1) await fails(made.run(broken));
    answer('paid');
    await early;
    expect(made.state).toBe('open');
  });

  test('refuses options that it does not have', () => {
    expect(() => breaker('billing', { failure: 1 } as never)).toThrow('did you mean "failures"');
  });
});

test('a client gets the time after which to try again', async () => {
  jest.useRealTimers();
  const made = breaker('billing', { failures: 1 });
  @ToolGroup('invoices')
  class Invoices {
    @Action() pay(): Promise<string> {
      return made.run(broken);
    }
  }
  @Module({ controllers: [Invoices] })
  class InvoicesModule {}
  const app = await createTestApplication(InvoicesModule, { logger: new MemoryLogger() });
  expect(factsOf(await app.call('invoices', { action: 'pay' }))).toMatchObject({ code: 'INTERNAL_ERROR' });
  const refused = await app.call('invoices', { action: 'pay' });
  expect(factsOf(refused)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: 10 });
  expect(textOf(refused)).toContain('[invoices/pay] billing is not available; try again in 10 s');
  await app.close();
});
