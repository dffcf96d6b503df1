import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Roster, type Rostered } from '../../src/transports/roster.ts';

interface Guest extends Rostered {
  readonly name: number;
}

const guestsOf = (count: number): readonly Guest[] =>
  Array.from({ length: count }, (_, name) => ({ name, place: undefined }));
const byName = (guests: Iterable<Guest>): readonly number[] =>
  [...guests].map(({ name }) => name).sort((a, b) => a - b);

test('has what a set would have, whatever comes and goes in whatever order', () => {
  const step = fc.record({ guest: fc.nat({ max: 7 }), comes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const guests = guestsOf(8);
      const roster = new Roster<Guest>();
      const set = new Set<Guest>();
      for (const { guest, comes } of steps) {
        const member = guests[guest] as Guest;
        // Each is in it once at most
        if (comes && !set.has(member)) {
          roster.add(member);
          set.add(member);
        } else if (!comes) expect(roster.delete(member)).toBe(set.delete(member));
        expect(roster.size).toBe(set.size);
        expect(byName(roster.all())).toEqual(byName(set));
      }
      for (const member of guests) expect(member.place === undefined).toBe(!set.has(member));
    }),
  );
});

test('leaves what is in another one where it is', () => {
  const [one, other] = [new Roster<Guest>(), new Roster<Guest>()];
  const [here, there, stranger] = guestsOf(3) as [Guest, Guest, Guest];
  one.add(here);
  other.add(there);
  expect(one.delete(there)).toBe(false);
  expect(one.delete(stranger)).toBe(false);
  expect([one.all(), other.all()]).toEqual([[here], [there]]);
  expect(other.delete(there)).toBe(true);
  expect([one.size, other.size]).toEqual([1, 0]);
});

test('takes back what was in it, or in another one, before', () => {
  const [one, other] = [new Roster<Guest>(), new Roster<Guest>()];
  const guests = guestsOf(3);
  for (const guest of guests) one.add(guest);
  for (const guest of guests) {
    one.delete(guest);
    other.add(guest);
  }
  expect([one.size, byName(other.all())]).toEqual([0, [0, 1, 2]]);
  for (const guest of guests) {
    expect(other.delete(guest)).toBe(true);
    one.add(guest);
  }
  expect([byName(one.all()), other.size]).toEqual([[0, 1, 2], 0]);
});

test('tells all that are in it now, which may leave it meanwhile', () => {
  const roster = new Roster<Guest>();
  const guests = guestsOf(5);
  for (const guest of guests) roster.add(guest);
  const left: Guest[] = [];
  for (const guest of roster.all()) {
    roster.delete(guest);
    left.push(guest);
  }
  expect(left).toEqual(guests);
  expect(roster.size).toBe(0);
});
