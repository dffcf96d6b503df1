import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OwnerShares, type Owner } from '../../src/shared/owner-shares.ts';

interface Thing {
  readonly owner: Owner;
  readonly age: number;
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
    const hasRoom = shares.makeRoom(
      owner,
      1,
      { total, perOwner },
      {
        spare: (offered, lead) => (lead < 0 ? undefined : [...offered][0]),
        isSooner: (one, other) => one.age < other.age,
        giveUp: drop,
      },
    );
    if (!hasRoom) return undefined;
    const thing = { owner, age: things.length, isDone: false };
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

  test('goes by age where owners have the same', () => {
    const { put, finish, of } = storeOf(2, 2);
    finish(put('ann'));
    finish(put('bob'));
    put('eve');
    expect([of('ann').length, of('bob').length]).toEqual([0, 1]);
  });
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
