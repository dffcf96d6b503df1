import fc, { type Scheduler } from 'fast-check';
import { expect, test } from '@jest/globals';
import { InMemoryStore, type CallToolResult, type Store } from 'toolwright';
import { codeOf, openTill, replayOf, type Till } from '../support/payments.ts';

const LEASE = 30_000;
const RUNS = 60;
/** Calls that wait for each other look every few milliseconds. */
const TIMEOUT = 120_000;
const KEYS = ['a', 'b'] as const;

interface World {
  readonly action: 'pay' | 'rerun';
  readonly calls: readonly (typeof KEYS)[number][];
  /** Which runs take longer than a lease, in their order. */
  readonly lapses: readonly boolean[];
}

interface Played {
  readonly calls: World['calls'];
  readonly runs: Till['effects'];
  /** Of the calls. */
  readonly results: readonly CallToolResult[];
  /** Of one more call of each key. */
  readonly last: readonly CallToolResult[];
}

/** A store whose requests and answers arrive when the scheduler says so. */
function scheduled(inner: Store, scheduler: Scheduler): Store {
  const later = async <Answer>(label: string, ask: () => Promise<Answer>): Promise<Answer> => {
    await scheduler.schedule(Promise.resolve(), `${label} is asked`);
    return scheduler.schedule(ask(), `${label} answers`);
  };
  return {
    get: (...given) => later('get', () => inner.get(...given)),
    put: (...given) => later('put', () => inner.put(...given)),
    delete: (...given) => later('delete', () => inner.delete(...given)),
  };
}

/** Runs whole calls at once, in the order of the scheduler. */
async function play(scheduler: Scheduler, { action, calls, lapses }: World): Promise<Played> {
  let now = 0;
  const store = scheduled(new InMemoryStore({}, () => now), scheduler);
  const { app, till, call } = await openTill(store);
  const left = [...lapses];
  till.before = async () => {
    await scheduler.schedule(Promise.resolve(), 'handler');
    if (left.shift() === true) now += LEASE + 1;
  };
  till.after = () => `effect ${String(till.effects.length)}`;
  const pay = (key: string): Promise<CallToolResult> => call(action, { amount: 5, idempotencyKey: key });
  const results = await scheduler.waitFor(Promise.all(calls.map(pay)));
  // Whatever was lost shows here
  const last = await scheduler.waitFor(Promise.all(KEYS.map(pay)));
  await app.close();
  return { calls, runs: till.effects, results, last };
}

const call = fc.constantFrom(...KEYS);
const calls = fc.array(call, { minLength: 2, maxLength: 6 });
const textOf = ({ content }: CallToolResult): unknown => (content[0] as { readonly text?: string }).text;

/** The distinct texts of the calls of a key that succeeded. */
function textsOf(key: string, { calls: keys, results, last }: Played): readonly unknown[] {
  const own = [...results.filter((_, index) => keys[index] === key), last[KEYS.indexOf(key as 'a')]];
  const done = own.filter((result) => result !== undefined && result.isError !== true);
  return [...new Set(done.map((result) => textOf(result as CallToolResult)))];
}

test(
  'Calls of one key run once in any order of events, and all get the one result',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, async (scheduler, keys) => {
        const played = await play(scheduler, { action: 'pay', calls: keys, lapses: [] });
        expect(played.runs.map(({ key }) => key).sort()).toEqual([...KEYS]);
        for (const key of KEYS) expect(textsOf(key, played)).toHaveLength(1);
        expect(played.results.map(codeOf)).toEqual(keys.map(() => undefined));
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT,
);

test(
  'A key whose runs outlast their leases still runs at most once, and what is not known is not run again',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, fc.array(fc.boolean()), async (scheduler, keys, lapses) => {
        const played = await play(scheduler, { action: 'pay', calls: keys, lapses });
        for (const key of KEYS) {
          expect(played.runs.filter((run) => run.key === key)).toHaveLength(1);
          expect(textsOf(key, played)).toHaveLength(1);
        }
        const codes = new Set([...played.results, ...played.last].map(codeOf));
        expect([undefined, 'OUTCOME_UNKNOWN']).toEqual(expect.arrayContaining([...codes]));
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT,
);

test(
  'Where it may run again, it does so only after a lease, with a higher number, and one result stays',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, fc.array(fc.boolean()), async (scheduler, keys, lapses) => {
        const played = await play(scheduler, { action: 'rerun', calls: keys, lapses });
        const lost = lapses.slice(0, played.runs.length).filter(Boolean).length;
        for (const key of KEYS) {
          const fences = played.runs.filter((run) => run.key === key).map(({ fence }) => fence);
          expect(fences.length).toBeLessThanOrEqual(1 + lost);
          expect(new Set(fences).size).toBe(fences.length);
        }
        const codes = [...played.results, ...played.last].map(codeOf);
        expect(new Set(codes)).toEqual(new Set([undefined]));
        const stored = [...played.results, ...played.last]
          .filter((result) => replayOf(result) !== undefined)
          .map(textOf);
        expect(new Set(stored).size).toBeLessThanOrEqual(KEYS.length);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT,
);
