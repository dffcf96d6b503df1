import { afterEach, describe, expect, test } from '@jest/globals';
import { createTool, ToolError, type AuthInfo } from 'toolwright';
import { codeOf, errorFacts, gate, openTill, replayOf, type OpenTill } from '../support/payments.ts';

const open: OpenTill[] = [];

async function start(...given: Parameters<typeof openTill>): Promise<OpenTill> {
  const opened = await openTill(...given);
  open.push(opened);
  return opened;
}

afterEach(async () => {
  for (const { app } of open.splice(0)) await app.close();
});

const REPLAYED = { replayed: true, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown };

describe('a repeated call', () => {
  test('gets the stored result, and the handler does not run', async () => {
    const { pay, till } = await start();
    const first = await pay('a');
    const second = await pay('a');
    expect(second.content).toEqual(first.content);
    expect(replayOf(first)).toBeUndefined();
    expect(replayOf(second)).toEqual(REPLAYED);
    expect(till.effects).toHaveLength(1);
  });

  test('runs again with another key', async () => {
    const { pay, till } = await start();
    await pay('a');
    expect(replayOf(await pay('b'))).toBeUndefined();
    expect(till.effects.map(({ key }) => key)).toEqual(['a', 'b']);
    const [first, second] = till.effects.map(({ fence }) => fence ?? 0);
    expect(second).toBeGreaterThan(Number(first));
  });

  test('is the same call whatever the order of its arguments, and with its defaults written out', async () => {
    const { call, till } = await start();
    await call('pay', { idempotencyKey: 'a', amount: 5 });
    const second = await call('pay', { currency: 'EUR', amount: 5, idempotencyKey: 'a' });
    expect(replayOf(second)).toEqual(REPLAYED);
    expect(till.effects).toHaveLength(1);
  });

  test('is refused if it has other arguments', async () => {
    const { pay, till } = await start();
    await pay('a', 5);
    const second = await pay('a', 6);
    expect(second).toMatchObject({ isError: true });
    expect(codeOf(second)).toBe('IDEMPOTENCY_CONFLICT');
    expect(till.effects).toHaveLength(1);
  });

  test('is a call of its own for another caller', async () => {
    const { pay, till } = await start();
    const caller = (sub: string): AuthInfo => ({ token: sub, clientId: 'c', scopes: [], extra: { sub } });
    await pay('a', 5, caller('A'));
    expect(replayOf(await pay('a', 6, caller('B')))).toBeUndefined();
    expect(replayOf(await pay('a', 7))).toBeUndefined();
    expect(replayOf(await pay('a', 5, caller('A')))).toEqual(REPLAYED);
    expect(till.effects.map(({ amount }) => amount)).toEqual([5, 6, 7]);
  });

  test('is a call of its own in another action', async () => {
    const { call, pay, till } = await start();
    await pay('a');
    await call('rerun', { amount: 5, idempotencyKey: 'a' });
    expect(till.effects).toHaveLength(2);
  });

  test('is found by its arguments, where they are the key', async () => {
    const { call, till } = await start();
    await call('same', { amount: 5 });
    expect(replayOf(await call('same', { amount: 5, currency: 'EUR' }))).toEqual(REPLAYED);
    expect(replayOf(await call('same', { amount: 6 }))).toBeUndefined();
    expect(till.effects).toHaveLength(2);
  });

  test('needs its key', async () => {
    const { call, till } = await start();
    const result = await call('pay', { amount: 5 });
    expect(codeOf(result)).toBe('IDEMPOTENCY_KEY_REQUIRED');
    expect(till.effects).toEqual([]);
  });
});

describe('two calls at once', () => {
  test('are one: the other one waits for the result', async () => {
    const { pay, till } = await start();
    const [entered, go] = [gate(), gate()];
    till.before = () => {
      entered.open();
      return go.passed;
    };
    const first = pay('a');
    await entered.passed;
    const second = pay('a');
    go.open();
    const results = await Promise.all([first, second]);
    expect(results.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'paid 5' }],
      [{ type: 'text', text: 'paid 5' }],
    ]);
    expect(results.map(replayOf)).toEqual([undefined, REPLAYED]);
    expect(till.effects).toHaveLength(1);
  });

  test('wait no longer than two seconds for each other', async () => {
    const { pay, till } = await start();
    const [entered, go] = [gate(), gate()];
    till.before = () => {
      entered.open();
      return go.passed;
    };
    const first = pay('a');
    await entered.passed;
    const second = await pay('a');
    expect(codeOf(second)).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(errorFacts(second)).toMatchObject({ retryAfter: 2 });
    go.open();
    await first;
    expect(replayOf(await pay('a'))).toEqual(REPLAYED);
  });

  test('are one of many', async () => {
    const { pay, till } = await start();
    const results = await Promise.all(Array.from({ length: 50 }, () => pay('a')));
    expect(results.filter((result) => replayOf(result) === undefined)).toHaveLength(1);
    expect(till.effects).toHaveLength(1);
  });
});

describe('a failure', () => {
  test('that is final is stored', async () => {
    const { pay, till } = await start();
    till.after = () => {
      throw new ToolError('CARD_REFUSED', 'The card was refused');
    };
    const first = await pay('a');
    till.after = () => 'paid after all';
    const second = await pay('a');
    expect(second).toMatchObject({ isError: true, content: first.content });
    expect(replayOf(second)).toEqual(REPLAYED);
    expect(till.effects).toHaveLength(1);
  });

  test('that says when to try again is not', async () => {
    const { pay, till } = await start();
    till.before = () => {
      throw new ToolError('BUSY', 'The bank is busy', { retryAfter: 1 });
    };
    expect(codeOf(await pay('a'))).toBe('BUSY');
    till.before = () => undefined;
    expect(replayOf(await pay('a'))).toBeUndefined();
    expect(till.effects).toHaveLength(1);
  });

  test('of a call that was cancelled leaves the outcome unknown', async () => {
    const { app, pay, till } = await start();
    const cancel = new AbortController();
    till.before = (ctx) => {
      cancel.abort();
      ctx.signal.throwIfAborted();
    };
    const args = { action: 'pay', amount: 5, idempotencyKey: 'a' };
    expect(codeOf(await app.call('till', args, { signal: cancel.signal }))).toBe('CANCELLED');
    expect(codeOf(await pay('a'))).toBe('OUTCOME_UNKNOWN');
    expect(till.effects).toEqual([]);
  });

  test('before the handler leaves nothing behind', async () => {
    const { call, pay, till } = await start();
    expect(codeOf(await call('pay', { amount: 'x', idempotencyKey: 'a' }))).toBe('VALIDATION_FAILED');
    expect(replayOf(await pay('a'))).toBeUndefined();
    expect(till.effects).toHaveLength(1);
  });

  test('of a middleware before the handler leaves nothing behind', async () => {
    let isClosed = true;
    let runs = 0;
    const tool = createTool('till').action({
      name: 'pay',
      idempotent: { key: 'idempotencyKey' },
      middleware: [
        (_call, next) => {
          if (isClosed) throw new ToolError('CLOSED', 'Closed');
          return next();
        },
      ],
      handler: () => (runs += 1),
    });
    const pay = () => tool.execute({ action: 'pay', idempotencyKey: 'a' });
    expect(codeOf(await pay())).toBe('CLOSED');
    isClosed = false;
    expect(await pay()).toMatchObject({ content: [{ text: '1' }] });
  });
});
