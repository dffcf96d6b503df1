import { describe, expect, test } from '@jest/globals';
import { Consents } from '../../../src/features/consent/consents.ts';
import { RequestStates } from '../../../src/kernel/call/replay/request-states.ts';
import { StoreClock } from '../../../src/runtime/store/store-clock.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

const HOUR = 3_600_000;
const SECRETS = ['a secret of thirty-two bytes or more'];

/** The clock of one process, which is ahead of the store, or behind it. */
function clockOf(store: ManualClock, ahead: number, answer = async (): Promise<number> => store.now()) {
  const logger = new MemoryLogger();
  const own = { now: () => store.now() + skew.by, after: store.after.bind(store) };
  const skew = { by: ahead };
  return { clock: new StoreClock({ now: answer }, logger, own), logger, skew };
}

describe('the clock of a store', () => {
  test.each([-HOUR, -1, 0, 6000, HOUR])('counts for a process that is %d ms ahead', async (ahead) => {
    const store = new ManualClock();
    const { clock } = clockOf(store, ahead);
    expect(clock.now()).toBe(store.now() + ahead);
    await clock.known();
    expect(clock.now()).toBe(store.now());
    await store.advance(1000);
    expect([clock.now(), await clock.ask()]).toEqual([store.now(), store.now()]);
  });

  test('is logged once where the own one is more than 5 seconds away, and again when that comes back', async () => {
    const { clock, logger, skew } = clockOf(new ManualClock(), 5000);
    await clock.ask();
    expect(logger.records).toEqual([]);
    skew.by = -6000;
    await clock.ask();
    await clock.ask();
    const record = { level: 'warning', event: 'backplane.clock-skew' };
    expect(logger.records).toMatchObject([{ ...record, message: expect.stringContaining('6 s behind') }]);
    skew.by = 0;
    await clock.ask();
    skew.by = HOUR;
    await clock.ask();
    expect(logger.records).toMatchObject([record, { message: expect.stringContaining('3600 s ahead of') }]);
  });

  test('is asked again after a minute, and when the own one jumps', async () => {
    const store = new ManualClock();
    const { clock, skew } = clockOf(store, 0);
    await clock.known();
    for (const jump of [HOUR, -HOUR]) {
      skew.by = jump;
      clock.now();
      await settle();
      expect(clock.now()).toBe(store.now());
    }
  });

  test('that does not answer leaves what was known, and keeps nobody waiting who need not', async () => {
    const store = new ManualClock();
    let isAway = false;
    const { clock, skew } = clockOf(store, HOUR, () =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve(store.now()),
    );
    await clock.known();
    isAway = true;
    await clock.refresh();
    await clock.known();
    expect(clock.now()).toBe(store.now());
    await expect(clock.ask()).rejects.toThrow('away');
    skew.by = 2 * HOUR;
    expect(clock.now()).toBe(store.now() + HOUR);
  });

  test('is the own one for a store without a clock', async () => {
    const own = new ManualClock();
    for (const store of [undefined, {}]) {
      const clock = new StoreClock(store, undefined, own);
      await clock.known();
      expect([clock.now(), await clock.ask()]).toEqual([own.now(), own.now()]);
    }
  });
});

describe('what one process seals, another one opens whose clock is an hour away', () => {
  const pairs = [
    ['ahead', 0, HOUR],
    ['behind', HOUR, 0],
  ] as const;

  async function clocks(first: number, second: number) {
    const store = new ManualClock();
    const both = [clockOf(store, first).clock, clockOf(store, second).clock] as const;
    for (const clock of both) await clock.known();
    return { store, both };
  }

  test.each(pairs)('the state of a question, %s', async (_which, first, second) => {
    const { store, both } = await clocks(first, second);
    const [one, other] = both.map(
      (clock) =>
        new RequestStates({
          ...{ server: 'a', secrets: SECRETS, lifetime: 1000, logger: undefined, now: () => clock.now() },
        }),
    );
    const sealed = one?.seal('origin', 1, { journal: [], open: [] }) ?? '';
    expect(other?.open(sealed, 'origin')).toMatchObject({ round: 1 });
    await store.advance(1000);
    expect(() => other?.open(sealed, 'origin')).toThrow('the time to answer is over');
  });

  test.each(pairs)('a confirmation, %s', async (_which, first, second) => {
    const { store, both } = await clocks(first, second);
    const logger = new MemoryLogger();
    const [one, other] = both.map((clock) => new Consents({ server: 'a', secrets: SECRETS, logger, clock }));
    const [used, late] = [one?.confirmationOf('it') ?? '', one?.confirmationOf('it') ?? ''];
    expect(await other?.take(used, 'it', undefined)).toBe('taken');
    await store.advance(5 * 60_000);
    expect(await other?.take(late, 'it', undefined)).toBe('unfit');
  });
});
