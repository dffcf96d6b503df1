import { describe, expect, test, afterAll, beforeAll } from '@jest/globals';
import fc from 'fast-check';
import { OwnerShares, type Owner, Heap } from '../../../src/shared/owners/owner-shares.ts';
import { Executions } from '../../support/executions.ts';

interface Thing {
  readonly owner: Owner;
  isDone: boolean;
}

/** Things of which the done ones make room, as a store would keep them. */
function storeOf(total: number, perOwner: number) {
  const shares = new OwnerShares<Thing>();
  const things: Thing[] = [];
  const drop = (thing: Thing): void => {
    things.splice(things.indexOf(thing), 1);
    shares.withdraw(thing.owner, thing);
    shares.remove(thing.owner, 1);
  };
  const put = (owner: Owner): Thing | undefined => {
    const hasRoom = shares.makeRoom(owner, 1, { total, perOwner }, drop);
    if (!hasRoom) return undefined;
    const thing = { owner, isDone: false };
    things.push(thing);
    shares.add(owner, 1);
    return thing;
  };
  const finish = (thing: Thing | undefined): void => {
    if (thing === undefined || thing.isDone || !things.includes(thing)) return;
    thing.isDone = true;
    shares.offer(thing.owner, thing);
  };
  return {
    shares,
    things,
    put,
    finish,
    drop,
    of: (owner: Owner) => things.filter((one) => one.owner === owner),
  };
}

describe('what is kept for owners', () => {
  test('is bounded for each of them, and what is done makes room', () => {
    const { put, finish, of } = storeOf(10, 2);
    const first = put('bob');
    const second = put('bob');
    expect(put('bob')).toBeUndefined();
    finish(second);
    expect(put('bob')).toBeDefined();
    expect(of('bob')).toContain(first);
    expect(of('bob')).not.toContain(second);
  });

  test('is taken from the owner with the most first', () => {
    const { put, finish, of } = storeOf(6, 4);
    for (const owner of ['ann', 'bob', 'bob', 'bob', undefined, undefined]) finish(put(owner));
    expect(put('eve')).toBeDefined();
    expect([of('ann'), of('bob'), of(undefined), of('eve')].map(({ length }) => length)).toEqual([
      1, 2, 2, 1,
    ]);
  });

  test('is never taken from who has less for who has more', () => {
    const { put, finish, of } = storeOf(4, 4);
    finish(put('ann'));
    for (let count = 0; count < 3; count += 1) put('bob');
    expect(put('bob')).toBeUndefined();
    expect(of('ann')).toHaveLength(1);
  });

  test('goes by what could be done without for longest where owners have the same', () => {
    const { put, finish, of } = storeOf(2, 2);
    const [ann, bob] = [put('ann'), put('bob')];
    finish(bob);
    finish(ann);
    put('eve');
    expect([of('ann').length, of('bob').length]).toEqual([1, 0]);
  });

  test('counts as offered last when it is offered again', () => {
    const shares = new OwnerShares<string>();
    for (const owner of ['ann', 'bob']) {
      shares.add(owner, 1);
      shares.offer(owner, owner);
    }
    shares.offer('ann', 'ann');
    const given: string[] = [];
    shares.makeRoom('eve', 1, { total: 2, perOwner: 2 }, (item) => {
      given.push(item);
      shares.withdraw(item, item);
      shares.remove(item, 1);
    });
    expect(given).toEqual(['bob']);
  });
});

interface Modelled {
  readonly name: string;
  readonly owner: string;
  readonly size: number;
  readonly lead: number;
  readonly since: number;
}

/** The same by looking at everything. */
function victimOf(all: readonly Modelled[], owner: string, size: number, isBeyondShare: boolean) {
  const sizeOf = (whose: string): number =>
    all.reduce((sum, one) => sum + (one.owner === whose ? one.size : 0), 0);
  const wanted = sizeOf(owner) + size;
  const byRank = (one: Modelled, other: Modelled): number =>
    sizeOf(other.owner) - sizeOf(one.owner) || one.lead - other.lead || one.since - other.since;
  const offered = all.filter(({ since }) => since > 0);
  const own = offered.filter((one) => one.owner === owner && one.lead <= 0).sort(byRank)[0];
  if (isBeyondShare) return own;
  return offered.filter((one) => sizeOf(one.owner) - wanted >= one.lead).sort(byRank)[0] ?? own;
}

test('whatever is offered and withdrawn, what is given up is what a look at everything finds', () => {
  const owner = fc.constantFrom('ann', 'bob', 'eve');
  const act = fc.constantFrom('put', 'put', 'offer', 'withdraw', 'drop');
  const step = fc.record({
    act,
    owner,
    nth: fc.nat({ max: 12 }),
    size: fc.integer({ min: 0, max: 3 }),
    lead: fc.constantFrom(-Infinity, 0, 1),
  });
  const bounds = { total: 12, perOwner: 7 };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const shares = new OwnerShares<string>();
      let all: Modelled[] = [];
      let count = 0;
      const forget = ({ name, owner: whose, size }: Modelled): void => {
        all = all.filter((one) => one.name !== name);
        shares.withdraw(whose, name);
        shares.remove(whose, size);
      };
      for (const { act: what, owner: whose, nth, size, lead } of steps) {
        const chosen = all[nth];
        count += 1;
        if (what === 'put') {
          const hasRoom = shares.makeRoom(whose, size, bounds, (name) => {
            const isBeyondShare = shares.of(whose) + size > bounds.perOwner;
            const expected = victimOf(all, whose, size, isBeyondShare);
            expect(name).toBe(expected?.name);
            forget(expected as Modelled);
          });
          const isBeyondShare = shares.of(whose) + size > bounds.perOwner;
          if (!hasRoom) expect(victimOf(all, whose, size, isBeyondShare)).toBeUndefined();
          else {
            shares.add(whose, size);
            all.push({ name: String(count), owner: whose, size, lead, since: 0 });
          }
        } else if (chosen !== undefined && what === 'drop') forget(chosen);
        else if (chosen !== undefined) {
          const isOffered = what === 'offer';
          all[nth] = { ...chosen, lead, since: isOffered ? count : 0 };
          if (isOffered) shares.offer(chosen.owner, chosen.name, lead);
          else shares.withdraw(chosen.owner, chosen.name);
        }
      }
    }),
  );
});

test('whatever comes and goes, no bound is passed and no count is wrong', () => {
  const owner = fc.constantFrom<Owner>('ann', 'bob', 'eve', undefined);
  const step = fc.record({ act: fc.constantFrom('put', 'finish', 'drop'), owner, nth: fc.nat({ max: 8 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const store = storeOf(8, 3);
      for (const { act, owner: whose, nth } of steps) {
        const thing = store.things[nth];
        if (act === 'put') {
          const before = {
            own: store.of(whose).length,
            hasDone: store.of(whose).some(({ isDone }) => isDone),
          };
          const added = store.put(whose);
          // Who has room in its share or something done is never refused for what it has itself.
          if (added === undefined && before.own < 3) expect(before.hasDone).toBe(false);
        } else if (act === 'finish') store.finish(thing);
        else if (thing !== undefined) store.drop(thing);
        expect(store.shares.total).toBe(store.things.length);
        expect(store.things.length).toBeLessThanOrEqual(8);
        for (const one of ['ann', 'bob', 'eve', undefined]) {
          expect(store.shares.of(one)).toBe(store.of(one).length);
          expect(store.of(one).length).toBeLessThanOrEqual(3);
        }
      }
    }),
  );
});

test('its first is the one that sorting would put first, whatever is added, moved and deleted', () => {
  const step = fc.record({ nth: fc.nat({ max: 20 }), rank: fc.nat({ max: 50 }), isKept: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const ranks = new Map<number, number>();
      const rankOf = (item: number): number => (ranks.get(item) ?? 0) * 100 + item;
      const heap = new Heap<number>((one, other) => rankOf(one) < rankOf(other));
      for (const { nth, rank, isKept } of steps) {
        if (isKept) {
          ranks.set(nth, rank);
          heap.settle(nth);
        } else {
          heap.delete(nth);
          ranks.delete(nth);
        }
        expect(heap.first).toBe([...ranks.keys()].sort((one, other) => rankOf(one) - rankOf(other))[0]);
      }
    }),
  );
});

describe('the work of a full store', () => {
  const executions = new Executions('src/shared/owners/owner-shares.ts');
  beforeAll(() => executions.start());
  afterAll(() => {
    executions.stop();
  });

  /** What it takes to put something of 1,000 new owners into a store that is full with one thing of each owner. */
  function workOf(owners: number): Promise<number> {
    const shares = new OwnerShares<string>();
    const bounds = { total: owners, perOwner: 10 };
    const put = (owner: string): void => {
      shares.makeRoom(owner, 1, bounds, (item) => {
        shares.withdraw(item, item);
        shares.remove(item, 1);
      });
      shares.add(owner, 1);
      shares.offer(owner, owner);
    };
    for (let count = 0; count < owners; count += 1) put(`owner ${String(count)}`);
    return executions.during(() => {
      for (let count = 0; count < 1000; count += 1) put(`new ${String(count)}`);
    });
  }

  test('a full store makes room with nearly the same work, however many owners it has', async () => {
    const few = await workOf(1000);
    expect(few).toBeGreaterThan(10_000);
    expect(await workOf(20_000)).toBeLessThan(3 * few);
  });
});
