import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createTool, InMemoryStore, ToolRegistry, type CallToolResult, type Store } from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import {
  codeOf,
  errorFacts,
  FailingStore,
  gate,
  openTill,
  replayOf,
  TillModule,
  type OpenTill,
} from '../support/payments.ts';

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

describe('the store', () => {
  test.each(['get', 'claim'] as const)('that is down in %s lets nothing run', async (operation) => {
    const store = new FailingStore();
    const { pay, till, logger } = await start(store);
    store.failing.add(operation);
    const result = await pay('a');
    expect(codeOf(result)).toBe('TRY_AGAIN_LATER');
    expect(errorFacts(result)).toMatchObject({ retryAfter: 5 });
    expect(till.effects).toEqual([]);
    expect(logger.records).toMatchObject([{ event: 'idempotency.store-failed', level: 'error' }]);
    store.failing.clear();
    expect(replayOf(await pay('a'))).toBeUndefined();
    expect(till.effects).toHaveLength(1);
  });

  test('that is down when the call ends costs the result nothing, and its repetition its answer', async () => {
    let now = 0;
    const store = new FailingStore(new InMemoryStore({}, () => now));
    const { pay, till, logger } = await start(store);
    store.failing.add('replace');
    expect(await pay('a')).toMatchObject({ content: [{ text: 'paid 5' }] });
    expect(logger.records).toMatchObject([{ event: 'idempotency.store-failed' }]);
    store.failing.clear();
    now += 31_000;
    expect(codeOf(await pay('a'))).toBe('OUTCOME_UNKNOWN');
    expect(till.effects).toHaveLength(1);
  });

  test('that is full refuses new calls, and still knows the others', async () => {
    const { pay, till } = await start(new InMemoryStore({ maxBytes: 4000 }));
    for (let count = 0; count < 20; count += 1) await pay(String(count));
    expect(till.effects.length).toBeLessThan(10);
    expect(codeOf(await pay('19'))).toBe('TRY_AGAIN_LATER');
    expect(replayOf(await pay('0'))).toEqual(REPLAYED);
  });

  test('keeps nothing in the clear where there are secrets', async () => {
    const values: string[] = [];
    const store = new FailingStore();
    const put = store.put.bind(store);
    jest.spyOn(store, 'put').mockImplementation((collection, key, write) => {
      values.push(key, write.value);
      return put(collection, key, write);
    });
    const { pay, till } = await start(store, { secrets: ['s'.repeat(32)] });
    till.after = () => 'a secret result';
    await pay('my-key');
    expect(values.join()).not.toMatch(/secret|my-key|done/);
    expect(await pay('my-key')).toMatchObject({ content: [{ text: 'a secret result' }] });
  });

  test('says that a result was too large to keep, and does not repeat the call', async () => {
    const { pay, till, logger } = await start();
    till.after = () => 'x'.repeat(2 ** 20);
    expect((await pay('a')).isError).not.toBe(true);
    expect(logger.records).toMatchObject([{ event: 'idempotency.result-not-kept', level: 'warning' }]);
    expect(codeOf(await pay('a'))).toBe('RESULT_NOT_KEPT');
    expect(till.effects).toHaveLength(1);
  });

  test('keeps results as large as any that is not over the default budget', async () => {
    const { pay, till } = await start();
    till.after = () => 'x'.repeat(1_000_000);
    const first = await pay('a');
    expect((await pay('a')).content).toEqual(first.content);
  });
});

describe('a lease that is over', () => {
  async function lost() {
    let now = 0;
    const store = new InMemoryStore({}, () => now);
    const started = await start(store);
    const [entered, go] = [gate(), gate()];
    started.till.before = () => {
      entered.open();
      return go.passed;
    };
    const begin = async (action: string): Promise<{ readonly first: Promise<CallToolResult> }> => {
      const first = started.call(action, { amount: 5, idempotencyKey: 'a' });
      await entered.passed;
      now += 31_000;
      started.till.before = () => undefined;
      return { first };
    };
    return { ...started, begin, go };
  }

  test('leaves the outcome unknown until its holder comes back with it', async () => {
    const { call, pay, begin, go, till, logger } = await lost();
    const { first } = await begin('pay');
    expect(codeOf(await pay('a'))).toBe('OUTCOME_UNKNOWN');
    go.open();
    expect(await first).toMatchObject({ content: [{ text: 'paid 5' }] });
    expect(logger.records).toEqual([]);
    expect(await call('pay', { amount: 5, idempotencyKey: 'a' })).toMatchObject({
      content: [{ text: 'paid 5' }],
      _meta: { 'toolwright/idempotency': REPLAYED },
    });
    expect(till.effects).toHaveLength(1);
  });

  test('lets the call run again where that was chosen, with a higher number', async () => {
    const { call, begin, go, till, logger } = await lost();
    const { first } = await begin('rerun');
    till.after = () => 'the second run';
    expect(await call('rerun', { amount: 5, idempotencyKey: 'a' })).toMatchObject({
      content: [{ text: 'the second run' }],
    });
    till.after = () => 'the first run';
    go.open();
    await first;
    expect(logger.records).toMatchObject([{ event: 'idempotency.lease-lost' }]);
    expect(await call('rerun', { amount: 5, idempotencyKey: 'a' })).toMatchObject({
      content: [{ text: 'the second run' }],
    });
    const [second, late] = till.effects.map(({ fence }) => fence ?? 0);
    expect(second).toBeGreaterThan(Number(late));
  });
});

describe('the plain API', () => {
  const build = (store?: Store) => {
    let runs = 0;
    const tool = createTool('till').action({
      name: 'pay',
      idempotent: { key: 'idempotencyKey', ttl: 1000 },
      handler: () => (runs += 1),
    });
    const options = store === undefined ? {} : { backplane: { store } };
    const registry = new ToolRegistry(options).register(tool);
    return () => registry.routeCall('till', { action: 'pay', idempotencyKey: 'a' });
  };

  test('has the same option', async () => {
    const pay = build();
    await pay();
    expect(await pay()).toMatchObject({
      content: [{ text: '1' }],
      _meta: { 'toolwright/idempotency': REPLAYED },
    });
  });

  test('forgets a result after its time', async () => {
    let now = 0;
    const pay = build(new InMemoryStore({}, () => now));
    await pay();
    now += 999;
    expect(await pay()).toMatchObject({ content: [{ text: '1' }] });
    now += 1;
    expect(await pay()).toMatchObject({ content: [{ text: '2' }] });
  });
});

test('A store is an object with three methods', async () => {
  const failed = createTestApplication(TillModule, { backplane: { store: { get: 1 } as never } });
  await expect(failed).rejects.toMatchObject({ problems: [{ code: 'TW_APPLICATION_OPTION' }] });
});
