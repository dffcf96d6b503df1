import { describe, expect, test } from '@jest/globals';
import { Logger } from '../../src/call/logger.ts';
import { indexTokens, lifetimeOf, providerOf, sameProviders } from '../../src/container/provider-map.ts';
import type { ProviderKey } from '../../src/scanner/providers/scanned-provider.ts';
import { ProviderGraph } from '../support/provider-graph.ts';

class Clock {}
class Store {}
class Rows {}
const make = (): number => 1;

/** The names of what lives on, from one application to the next. */
function kept(build: (graph: ProviderGraph, isFirst: boolean) => void): readonly string[] {
  const [first, second] = [true, false].map((isFirst) => {
    const graph = new ProviderGraph();
    build(graph, isFirst);
    return graph.application().providers;
  });
  const same = sameProviders(first!, second!);
  return second!.filter(({ key }) => same.has(key)).map(({ where }) => where);
}

describe('a provider is the same as before', () => {
  test('where its class, its module, its scope and all that it needs are', () => {
    expect(
      kept((graph) => {
        const clock = graph.class(Clock);
        graph.class(Store, { needs: [clock, undefined] });
      }),
    ).toEqual(['Clock', 'Store']);
  });

  test.each([
    [
      'its class',
      (graph: ProviderGraph, isFirst: boolean) => graph.class(isFirst ? Clock : Rows, { token: 'x' }),
    ],
    [
      'its module',
      (graph: ProviderGraph, isFirst: boolean) => graph.class(Clock, { module: isFirst ? 'A' : 'B' }),
    ],
    [
      'its scope',
      (graph: ProviderGraph, isFirst: boolean) =>
        graph.class(Clock, { scope: isFirst ? 'singleton' : 'request' }),
    ],
    ['its value', (graph: ProviderGraph, isFirst: boolean) => graph.value(isFirst ? 1 : 2, { token: 'x' })],
    [
      'its factory',
      (graph: ProviderGraph, isFirst: boolean) => graph.factory(isFirst ? make : () => 1, { token: 'x' }),
    ],
    [
      'its kind',
      (graph: ProviderGraph, isFirst: boolean) =>
        isFirst ? graph.value(make, { token: 'x' }) : graph.factory(make, { token: 'x' }),
    ],
    ['its token', (graph: ProviderGraph, isFirst: boolean) => graph.value(1, { token: isFirst ? 'x' : 'y' })],
  ])('and is another one with %s', (_what, build) => {
    expect(kept(build)).toEqual([]);
  });

  test('and takes all with it that need another one, however far away', () => {
    expect(
      kept((graph, isFirst) => {
        const clock = graph.class(Clock);
        const label = graph.value(isFirst ? 'first' : 'second', { token: 'label' });
        const store = graph.class(Store, { needs: [clock, label] });
        graph.class(Rows, { needs: [store] });
      }),
    ).toEqual(['Clock']);
  });

  test('and is another one where it needs more, less, or nothing at the same place', () => {
    const needing = (first: readonly number[], second: readonly number[]): readonly string[] =>
      kept((graph, isFirst) => {
        const values = [graph.value(0, { token: 'zero' }), graph.value(1, { token: 'one' }), undefined];
        graph.class(Store, { needs: (isFirst ? first : second).map((index) => values[index]) });
      }).filter((name) => name === 'Store');
    expect(needing([0, 1], [0, 1])).toEqual(['Store']);
    expect(needing([0], [0, 1])).toEqual([]);
    expect(needing([0, 1], [0])).toEqual([]);
    expect(needing([0, 1], [1, 0])).toEqual([]);
    expect(needing([0], [2])).toEqual([]);
    expect(needing([2], [0])).toEqual([]);
  });

  test('also among several of one token', () => {
    expect(
      kept((graph, isFirst) => {
        const modules = isFirst ? ['A', 'B'] : ['B', 'C'];
        for (const module of modules) graph.value(1, { token: 'x', module, where: `x of ${module}` });
      }),
    ).toEqual(['x of B']);
  });

  test('as an alias of what is', () => {
    const aliased = (changes: boolean): readonly string[] =>
      kept((graph, isFirst) => {
        const clock = graph.value(changes && isFirst ? 1 : 2, { token: 'clock', where: 'clock' });
        graph.alias(clock, { token: 'time', where: 'time' });
      });
    expect(aliased(false)).toEqual(['clock', 'time']);
    expect(aliased(true)).toEqual([]);
  });

  test('as a logger, which is another object after each edit of its file', () => {
    expect(
      kept((graph) => {
        const logger = graph.value({}, { token: Logger, where: 'logger' });
        graph.class(Store, { needs: [logger] });
      }),
    ).toEqual(['logger', 'Store']);
  });
});

test('an alias lives as long as its target', () => {
  const graph = new ProviderGraph();
  const alias = graph.alias(graph.class(Clock, { scope: 'transient' }));
  const both = graph.alias(alias);
  const providers = new Map(graph.application().providers.map((provider) => [provider.key, provider]));
  const lifetime = (key: ProviderKey): string => lifetimeOf(providerOf(key, providers), providers);
  expect(lifetime(alias)).toBe('transient');
  expect(lifetime(both)).toBe('transient');
});

test('a token of several modules means that of the root module, else that of the first', () => {
  const graph = new ProviderGraph();
  const [inner, root, own] = [
    graph.value(1, { token: 'x' }),
    graph.value(2, { token: 'x' }),
    graph.value(3, { token: 'y' }),
  ];
  const application = graph.application([graph.module('Inner', [inner, own]), graph.module('Root', [root])]);
  const tokens = indexTokens(application);
  expect(tokens.get('x')).toBe(root);
  expect(tokens.get('y')).toBe(own);
});
