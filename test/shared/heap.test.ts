import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Heap } from '../../src/shared/heap.ts';

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
