import { InMemoryLimitStore, type LimitCharge, type LimitRefusal, type LimitStore } from 'toolwright';
import { limitArithmeticConformance, limitStoreConformance } from 'toolwright/testing';
import { testKit, turn, type Broken } from '../../support/kit.ts';

const charging =
  (change: (charge: LimitCharge) => Partial<LimitCharge>): Broken<LimitStore> =>
  (store) => ({
    charge: (charges) => store.charge(charges.map((charge) => ({ ...charge, ...change(charge) }))),
  });
const refusing =
  (change: (refusal: LimitRefusal) => Partial<LimitRefusal>): Broken<LimitStore> =>
  (store) => ({
    charge: async (charges) => {
      const refusal = await store.charge(charges);
      return refusal && { ...refusal, ...change(refusal) };
    },
  });

/** Whether all would pass is looked at first, and charged later. */
const inTwoSteps: Broken<LimitStore> = (_store, clock) => {
  const store = new InMemoryLimitStore(clock);
  const used = new Map<string, number>();
  return {
    charge: async (charges) => {
      const index = charges.findIndex(({ key, cost, burst }) => (used.get(key) ?? 0) + cost > burst);
      await turn();
      if (index >= 0) return { index, retryAfter: 1 };
      for (const { key, cost } of charges) used.set(key, (used.get(key) ?? 0) + cost);
      return store.charge([]);
    },
  };
};

/** One charge after the other; those before the one that is refused stay. */
const oneByOne: Broken<LimitStore> = (store) => ({
  charge: async (charges) => {
    for (const [index, charge] of charges.entries()) {
      const refusal = await store.charge([charge]);
      if (refusal !== undefined) return { ...refusal, index };
    }
    return undefined;
  },
});

/** Rows are locked in the order of the charges. */
const deadlocking: Broken<LimitStore> = (store) => {
  const locked = new Set<string>();
  return {
    charge: async (charges) => {
      const mine: string[] = [];
      try {
        for (const { key } of charges) {
          for (let wait = 0; locked.has(key); wait += 1) {
            if (wait > 50) throw new Error('deadlock detected');
            await turn();
          }
          locked.add(key);
          mine.push(key);
          await turn();
        }
        return await store.charge(charges);
      } finally {
        for (const key of mine) locked.delete(key);
      }
    },
  };
};

const lengths = { hour: 3_600_000, day: 86_400_000, month: 30 * 86_400_000 };
/** Windows begin with the first call. */
const slidingWindows: Broken<LimitStore> = (store) => ({
  charge: (charges) =>
    store.charge(
      charges.map((charge) =>
        typeof charge.per === 'number' ? charge : { ...charge, per: lengths[charge.per] },
      ),
    ),
});

testKit<LimitStore>({
  cases: limitStoreConformance,
  make: (clock) => new InMemoryLimitStore(clock),
  broken: {
    'lets a burst pass, and says how long the next call has to wait': {
      'knows no bursts': charging(() => ({ burst: 1 })),
      'lets one more pass': charging(({ burst }) => ({ burst: burst + 1 })),
      'answers in seconds': refusing(({ retryAfter }) => ({ retryAfter: retryAfter / 1000 })),
      'lets the whole burst wait': refusing(({ retryAfter }) => ({ retryAfter: retryAfter * 3 })),
    },
    'counts all charges of a call, or none of them': { 'counts one after the other': oneByOne },
    'names the charge that has to wait longest': {
      'names the first one': refusing(() => ({ index: 0 })),
      'stops at the first one': (store) => ({
        charge: async (charges) => {
          const refusals = await Promise.all(charges.map(async (charge) => store.charge([charge])));
          return refusals.find((refusal) => refusal !== undefined);
        },
      }),
    },
    'counts a call for what it costs, and nothing for what it refuses': {
      'counts each call as one': charging(() => ({ cost: 1 })),
      'counts a call that costs nothing': charging(({ cost }) => ({ cost: Math.max(1, cost) })),
      'counts what it refuses': (store) => ({
        charge: async (charges) => {
          const refusal = await store.charge(charges);
          if (refusal !== undefined) {
            await store.charge(charges.map((charge) => ({ ...charge, burst: 1000 })));
          }
          return refusal;
        },
      }),
    },
    'lets no more pass when many come at once': { 'looks and charges in two steps': inTwoSteps },
    'counts all or nothing of calls that come at once, whatever the order of their charges': {
      'looks and charges in two steps': inTwoSteps,
      'counts one after the other': oneByOne,
      'locks in the order of the charges': deadlocking,
    },
    'lets a call pass that has waited for long enough': {
      'forgets nothing': charging(({ per }) => ({ per: typeof per === 'number' ? per * 1000 : per })),
      'answers in seconds': refusing(({ retryAfter }) => ({ retryAfter: retryAfter / 1000 })),
    },
    'counts a quota in windows of the calendar, in UTC': {
      'begins windows with the first call': slidingWindows,
      'has no quotas': (store) => ({
        charge: (charges) => store.charge(charges.filter(({ per }) => typeof per === 'number')),
      }),
      'has windows of another time zone': (_store, clock) => {
        const moved = new InMemoryLimitStore({ now: () => clock.now() + 5.5 * 3_600_000 });
        return { charge: (charges) => moved.charge(charges) };
      },
    },
    'keeps keys apart': {
      'does not look at the letter case': charging(({ key }) => ({ key: key.toLowerCase() })),
      'cuts long keys': charging(({ key }) => ({ key: key.slice(0, 512) })),
      'forgets early': (_store, clock) => {
        const small = new InMemoryLimitStore({ maxKeys: 3, now: clock.now });
        return { charge: (charges) => small.charge(charges) };
      },
    },
    'forgets what belongs to one owner, and nothing else': {
      'forgets nothing': () => ({ forget: async () => 1 }),
      'forgets an owner whose name ends otherwise': (store) => ({
        forget: async (owner) => {
          await store.forget?.(`${owner.slice(0, -1)}-`);
          return (await store.forget?.(owner)) ?? 0;
        },
      }),
      'counts too much': (store) => ({ forget: async (owner) => ((await store.forget?.(owner)) ?? 0) + 1 }),
    },
  },
});

testKit<LimitStore>({
  cases: limitArithmeticConformance,
  make: (clock) => new InMemoryLimitStore(clock),
  broken: {
    'agrees with buckets that are filled evenly, whatever comes': {
      'fills a bucket all at once': (_store, clock) => {
        const counts = new Map<string, { used: number; window: number }>();
        return {
          charge: (charges) => {
            const found = charges.map(({ key, per, cost }) => {
              const window = Math.floor(clock.now() / Number(per));
              const known = counts.get(key);
              return { key, window, used: (known?.window === window ? known.used : 0) + cost };
            });
            const index = found.findIndex(({ used }, at) => used > (charges[at]?.burst ?? 0));
            if (index >= 0) return { index, retryAfter: 1 };
            for (const { key, ...count } of found) counts.set(key, count);
            return undefined;
          },
        };
      },
      'counts in whole seconds': (_store, clock) => {
        const coarse = new InMemoryLimitStore({ now: () => Math.floor(clock.now() / 1000) * 1000 });
        return { charge: (charges) => coarse.charge(charges) };
      },
      'counts one after the other': oneByOne,
    },
    'lets a call pass after exactly the time it was given, and no millisecond earlier': {
      'rounds down': refusing(({ retryAfter }) => ({ retryAfter: retryAfter - 1 })),
      'rounds up twice': refusing(({ retryAfter }) => ({ retryAfter: retryAfter + 1 })),
      'lets calls pass a little late': charging(({ per }) => ({ per: Number(per) * 1.001 })),
    },
    'begins a quota again with each window of the calendar': {
      'begins windows with the first call': slidingWindows,
      'takes each month for 30 days': (store) => ({
        charge: (charges) =>
          store.charge(
            charges.map((charge) => (charge.per === 'month' ? { ...charge, per: lengths.month } : charge)),
          ),
      }),
      'begins a millisecond late': (_store, clock) => {
        const late = new InMemoryLimitStore({ now: () => clock.now() - 1 });
        return { charge: (charges) => late.charge(charges) };
      },
    },
  },
});
