import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findCycles } from '../../src/schema/links.ts';
import { tries } from '../support/thorough.ts';

/** By trying every way. */
function reachesItself(graph: ReadonlyMap<string, readonly string[]>, start: string): boolean {
  const reached = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return true;
      if (!reached.has(next)) open.push(next);
      reached.add(next);
    }
  }
  return false;
}

test('the nodes in circles are those that can reach themselves', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const edges = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), {
    selector: (edge) => edge.join(),
    maxLength: 12,
  });
  fc.assert(
    fc.property(edges, (list) => {
      const graph = new Map(
        names.map((name) => [name, list.filter(([from]) => from === name).map(([, to]) => to)]),
      );
      const expected = names.filter((name) => reachesItself(graph, name));
      expect([...findCycles(graph)]).toEqual(expected);
    }),
    { numRuns: tries(200, 2000) },
  );
});

test('a chain of a hundred thousand nodes does not exhaust the stack', () => {
  const last = 100_000;
  const graph = new Map(Array.from({ length: last }, (_, index) => [String(index), [String(index + 1)]]));
  expect(findCycles(graph).size).toBe(0);
  graph.set(String(last), ['0']);
  expect(findCycles(graph).size).toBe(last + 1);
});
