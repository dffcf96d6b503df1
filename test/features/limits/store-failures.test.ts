import { afterEach, describe, expect, test } from '@jest/globals';
import {
  Action,
  Concurrency,
  InMemoryLimitStore,
  InMemorySlotStore,
  McpApplication,
  Module,
  RateLimit,
  ToolGroup,
  type LimitOptions,
  type LimitStore,
  type SlotStore,
} from 'toolwright';
import { post2026 } from '../../support/client-of-2026.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { factsOf, textOf } from '../../support/text-of.ts';

@ToolGroup('work')
class WorkTools {
  @Action() @RateLimit({ limit: 2, per: 'hour', by: 'all' }) run(): string {
    return 'done';
  }
  @Action() @Concurrency({ limit: 1, by: 'all' }) async alone(): Promise<string> {
    await gate;
    return 'alone';
  }
  @Action()
  @Concurrency({ limit: 1, by: 'all', queue: { size: 1, timeout: 60_000 } })
  async queued(): Promise<string> {
    await gate;
    return 'queued';
  }
}
@Module({ controllers: [WorkTools] })
class WorkModule {}

let gate: Promise<void> | undefined;
const closing: McpApplication[] = [];
afterEach(async () => {
  gate = undefined;
  for (const app of closing.splice(0)) await app.close();
});

/** What a store does when it is asked. */
type State = 'answers' | 'throws' | 'rejects' | 'hangs';

async function started(options: LimitOptions = {}, ports: { readonly slots?: SlotStore } = {}) {
  const logger = new MemoryLogger();
  let state: State = 'answers';
  const real = { store: new InMemoryLimitStore(), slotStore: new InMemorySlotStore() };
  const late: (() => void)[] = [];
  function ask<Answer>(answer: () => Answer): Answer | Promise<Answer> {
    if (state === 'answers') return answer();
    if (state === 'throws') throw new Error('broken');
    if (state === 'rejects') return Promise.reject(new Error('broken'));
    return new Promise((resolve) => late.push(() => resolve(answer())));
  }
  const store: LimitStore = { charge: (charges) => ask(() => real.store.charge(charges)) };
  const slotStore: SlotStore = {
    take: (wanted, signal) => ask(() => real.slotStore.take(wanted, signal) as () => void),
  };
  const backplane = { counter: store, slots: slotStore, ...ports };
  const app = await McpApplication.create(WorkModule, { logger, limits: options, backplane });
  closing.push(app);
  return {
    app,
    real,
    call: (action: string) => app.call('work', { action }),
    become: (next: State) => (state = next),
    answerLate: () => late.splice(0).forEach((answer) => answer()),
    logged: () =>
      logger.records.flatMap(({ event, level }) => (event === 'limits.store-failed' ? [level] : [])),
  };
}

describe('while the store of limits does not answer', () => {
  test.each(['throws', 'rejects', 'hangs'] as const)(
    'each process counts by itself, and the log has it once: a store that %s',
    async (state) => {
      const { call, become, logged } = await started();
      expect(textOf(await call('run'))).toBe('done');
      become(state);
      for (let times = 0; times < 2; times += 1) expect(textOf(await call('run'))).toBe('done');
      expect(factsOf(await call('run'))).toMatchObject({ code: 'RATE_LIMITED' });
      expect(logged()).toEqual(['error']);
      become('answers');
      // One that took too long is asked again after a second
      if (state === 'hangs') await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(textOf(await call('run'))).toBe('done');
      expect(factsOf(await call('run'))).toMatchObject({ code: 'RATE_LIMITED' });
      expect(logged()).toEqual(['error', 'notice']);
    },
  );

  test('`open` lets every call pass', async () => {
    const { call, become } = await started({ onStoreFailure: 'open' });
    become('rejects');
    for (let times = 0; times < 3; times += 1) expect(textOf(await call('run'))).toBe('done');
    expect(textOf(await call('alone'))).toBe('alone');
  });

  test('`closed` lets none pass: 503 over HTTP, and TRY_AGAIN_LATER elsewhere', async () => {
    const { app, call, become } = await started({ onStoreFailure: 'closed' });
    become('rejects');
    for (const action of ['run', 'alone']) {
      expect(factsOf(await call(action))).toMatchObject({ code: 'TRY_AGAIN_LATER', retryAfter: 1 });
    }
    const { url } = await app.listen(0);
    const answer = await post2026(url, 'tools/call', { name: 'work', arguments: { action: 'run' } });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    become('answers');
    expect(textOf(await call('run'))).toBe('done');
  });
});

describe('while the store of slots does not answer', () => {
  test('each process counts by itself', async () => {
    const { call, become, logged } = await started();
    become('throws');
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const first = call('alone');
    expect(factsOf(await call('alone'))).toMatchObject({ code: 'CONCURRENCY_LIMITED' });
    open();
    expect(textOf(await first)).toBe('alone');
    expect(textOf(await call('alone'))).toBe('alone');
    expect(logged()).toEqual(['error']);
  });

  test('a slot that comes too late is given back', async () => {
    const { call, become, answerLate, real } = await started();
    become('hangs');
    expect(textOf(await call('alone'))).toBe('alone');
    answerLate();
    await new Promise((resolve) => setImmediate(resolve));
    expect(real.slotStore.size).toBe(0);
  });

  test('a slot that cannot be given back does not change what the call came to', async () => {
    const slotStore: SlotStore = {
      take: () => () => {
        throw new Error('broken');
      },
    };
    const { call, logged } = await started({}, { slots: slotStore });
    expect(textOf(await call('alone'))).toBe('alone');
    expect(logged()).toEqual(['error']);
  });

  test('the store has not failed where a call is cancelled while it waits for its turn', async () => {
    const { app, logged } = await started({}, { slots: new InMemorySlotStore() });
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    void app.call('work', { action: 'queued' });
    const leaving = new AbortController();
    const waiting = app.call('work', { action: 'queued' }, { signal: leaving.signal });
    leaving.abort(new Error('gone'));
    expect((await waiting).isError).toBe(true);
    open();
    expect(logged()).toEqual([]);
  });
});
