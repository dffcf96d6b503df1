import { setTimeout as sleep } from 'node:timers/promises';
import { InMemorySlotStore, type SlotRequest, type SlotStore } from 'toolwright';
import { slotStoreConformance } from 'toolwright/testing';
import { testKit, turn, type Broken } from '../../support/kit.ts';

const wanting =
  (change: (slot: SlotRequest) => Partial<SlotRequest>): Broken<SlotStore> =>
  (store) => ({
    take: (wanted, signal) =>
      store.take(
        wanted.map((slot) => ({ ...slot, ...change(slot) })),
        signal,
      ),
  });

/** A store that counts by itself, and looks again every few milliseconds where a call may wait. */
interface Polling {
  readonly running: Map<string, number>;
  readonly isFree: (wanted: readonly SlotRequest[]) => boolean;
  readonly occupy: (wanted: readonly SlotRequest[]) => () => void;
}

function polling(): Polling {
  const running = new Map<string, number>();
  const add = (wanted: readonly SlotRequest[], count: number): void => {
    for (const { key } of wanted) running.set(key, (running.get(key) ?? 0) + count);
  };
  return {
    running,
    isFree: (wanted) => wanted.every(({ key, limit }) => (running.get(key) ?? 0) < limit),
    occupy: (wanted) => {
      add(wanted, 1);
      return () => {
        add(wanted, -1);
      };
    },
  };
}

const mayWait = (wanted: readonly SlotRequest[]): boolean => wanted.some(({ queueSize }) => queueSize > 0);

/** Calls that wait leave a place behind when they are refused. */
const leakingPlaces =
  (isLeft: (error: unknown) => boolean): Broken<SlotStore> =>
  (store) => {
    let left = 0;
    return {
      take: async (wanted, signal) => {
        if (
          left > 0 &&
          (await store.take(
            wanted.map((slot) => ({ ...slot, queueSize: 0 })),
            signal,
          )) === undefined
        )
          return undefined;
        try {
          const release = await store.take(wanted, signal);
          if (release === undefined && isLeft(undefined)) left += 1;
          return release;
        } catch (error) {
          if (isLeft(error)) left += 1;
          throw error;
        }
      },
    };
  };

testKit<SlotStore>({
  cases: slotStoreConformance,
  make: () => new InMemorySlotStore(),
  broken: {
    'lets as many run as the limit says, and one more when one has ended': {
      'lets one more run': wanting(({ limit }) => ({ limit: limit + 1 })),
      'has one slot': wanting(() => ({ limit: 1 })),
      'takes nothing back': (store) => ({
        take: async (wanted, signal) => (await store.take(wanted, signal)) && (() => undefined),
      }),
    },
    'takes a slot back once, however often it is given back': {
      'takes it back twice': () => {
        const { isFree, occupy } = polling();
        return { take: (wanted) => (isFree(wanted) ? occupy(wanted) : undefined) };
      },
    },
    'takes all slots or none': {
      'keeps those it has taken': (store) => ({
        take: async (wanted, signal) => {
          const releases: (() => void)[] = [];
          for (const slot of wanted) {
            const release = await store.take([slot], signal);
            if (release === undefined) return undefined;
            releases.push(release);
          }
          return () => {
            for (const release of releases) release();
          };
        },
      }),
      'takes the first one alone': (store) => ({
        take: (wanted, signal) => store.take(wanted.slice(0, 1), signal),
      }),
      'gives the first one back alone': () => {
        const { isFree, occupy, running } = polling();
        return {
          take: (wanted) => {
            if (!isFree(wanted)) return undefined;
            occupy(wanted);
            return () => running.set(wanted[0]?.key ?? '', 0);
          },
        };
      },
    },
    'lets no more run when many come at once': {
      'looks and takes in two steps': () => {
        const { isFree, occupy } = polling();
        return {
          take: async (wanted) => {
            const areFree = isFree(wanted);
            await turn();
            return areFree ? occupy(wanted) : undefined;
          },
        };
      },
    },
    'lets calls run in the order in which they came': {
      'lets the last one run first': () => {
        const { isFree, occupy } = polling();
        const waiting: (() => void)[] = [];
        const take: SlotStore['take'] = (wanted) => {
          const run = (): (() => void) => {
            const release = occupy(wanted);
            return () => {
              release();
              waiting.pop()?.();
            };
          };
          if (isFree(wanted)) return run();
          return new Promise((resolve) => {
            waiting.push(() => {
              resolve(run());
            });
          });
        };
        return { take };
      },
      'forgets who waits': (store) => ({
        take: (wanted, signal) => {
          const answer = store.take(wanted, signal);
          return answer instanceof Promise ? new Promise(() => undefined) : answer;
        },
      }),
    },
    'lets a call run that waits at another instance': {
      'does not wake it': (store) => {
        let calls = 0;
        return {
          take: (wanted, signal) => {
            calls += 1;
            return calls === 2 ? sleep(60_000, undefined, { ref: false }) : store.take(wanted, signal);
          },
        };
      },
    },
    'refuses calls beyond the size of a queue': {
      'has no size': wanting(() => ({ queueSize: 1000 })),
      'has no queues': wanting(() => ({ queueSize: 0 })),
    },
    'refuses a call that has waited for too long, which then keeps no place': {
      'lets it wait': wanting(() => ({ queueTimeout: 60_000 })),
      'refuses it at once': wanting(() => ({ queueTimeout: 0 })),
      'keeps its place': leakingPlaces((error) => error === undefined),
    },
    'rejects for a call that is cancelled while it waits, which then keeps no place': {
      'does not look at the signal': (store) => ({ take: (wanted) => store.take(wanted, () => undefined) }),
      'rejects with an error of its own': (store) => ({
        take: async (wanted, signal) => {
          const answer = await Promise.resolve(store.take(wanted, signal)).catch(() => 'cancelled');
          if (typeof answer === 'string') throw new Error(`it was ${answer}`, { cause: answer });
          return answer;
        },
      }),
      'keeps its place': leakingPlaces((error) => error !== undefined),
    },
    'holds no slot of one limit while a call waits for that of another': {
      'holds the first one': (store) => ({
        take: async (wanted, signal) => {
          const releases: (() => void)[] = [];
          for (const slot of wanted) releases.push((await store.take([slot], signal)) ?? (() => undefined));
          return () => {
            for (const release of releases) release();
          };
        },
      }),
      'waits for one of two': () => {
        const { isFree, occupy } = polling();
        return {
          take: async (wanted) => {
            const last = wanted.slice(-1);
            while (mayWait(wanted) && !isFree(last)) await sleep(2);
            return isFree(last) ? occupy(wanted) : undefined;
          },
        };
      },
    },
    'keeps keys apart': {
      'does not look at the letter case': wanting(({ key }) => ({ key: key.toLowerCase() })),
      'cuts long keys': wanting(({ key }) => ({ key: key.slice(0, 512) })),
    },
  },
});
