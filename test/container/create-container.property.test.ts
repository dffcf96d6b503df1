import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createContainer } from '../../src/container/create-container.ts';
import type { Scope } from '../../src/metadata/module-options.ts';
import type { ProviderKey } from '../../src/scanner/providers/scanned-provider.ts';
import { contextStub, ProviderGraph } from '../support/provider-graph.ts';

/** A node needs earlier nodes only, so that every list of nodes is a DAG in dependency order. */
interface Node {
  readonly needs: readonly number[];
  readonly isAsync: boolean;
  readonly scope: Scope;
}

interface Made {
  readonly node: number;
  readonly dependencies: readonly Made[];
  readonly dispose: () => void;
}

const dag = (scopes: readonly Scope[]): fc.Arbitrary<readonly Node[]> =>
  fc
    .array(
      fc.record({ needs: fc.array(fc.nat()), isAsync: fc.boolean(), scope: fc.constantFrom(...scopes) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((nodes) =>
      nodes.map(({ needs, isAsync, scope }, index) => ({
        needs: index === 0 ? [] : [...new Set(needs.map((need) => need % index))],
        isAsync: isAsync && scope !== 'transient',
        scope,
      })),
    );

describe('random dependency graphs', () => {
  test('have each singleton created once, after its dependencies, and disposed once in reverse', async () => {
    await fc.assert(
      fc.asyncProperty(dag(['singleton']), async (nodes) => {
        const { created, disposed, graph, keys } = record(nodes);
        const container = await createContainer(graph.application());
        keys.forEach((key, node) => {
          expect((container.get(key) as Made).node).toBe(node);
        });
        await container.shutdown();
        expect(created.map(({ node }) => node)).toEqual(nodes.map((_, node) => node));
        expectDependenciesFirst(created, nodes);
        expect(disposed).toEqual([...created].reverse());
      }),
    );
  });

  test('have each instance of a call created after its dependencies and disposed once in reverse', async () => {
    await fc.assert(
      fc.asyncProperty(dag(['request', 'transient']), fc.nat(), async (nodes, wanted) => {
        const all = nodes.map((node, index) => (index === 0 ? { ...node, scope: 'request' as const } : node));
        const { created, disposed, graph, keys } = record(all);
        const container = await createContainer(graph.application());
        created.length = 0;
        const key = keys[wanted % keys.length] as ProviderKey;
        const scope = await container.open([key], contextStub());
        scope.get(key);
        await scope.close();
        expectDependenciesFirst(created, all);
        const requestScoped = created.filter(({ node }) => all[node]?.scope === 'request');
        expect(new Set(requestScoped.map(({ node }) => node)).size).toBe(requestScoped.length);
        expect(disposed).toEqual([...created].reverse());
        expect(new Set(created.map(({ node }) => node))).toEqual(reach(all, wanted % keys.length));
      }),
    );
  });

  test('leave nothing behind when any provider of them fails', async () => {
    await fc.assert(
      fc.asyncProperty(dag(['singleton', 'request']), fc.nat(), async (nodes, failing) => {
        const { created, disposed, graph, keys } = record(withoutCapture(nodes), failing % nodes.length);
        const container = await createContainer(graph.application()).catch(() => undefined);
        if (container !== undefined) {
          const perCall = keys.filter((key) => container.isPerCall(key));
          await expect(container.open(perCall, contextStub())).rejects.toMatchObject({
            code: 'TW_CONTAINER_PROVIDER_FAILED',
          });
          await container.shutdown();
        }
        expect(disposed).toEqual([...created].reverse());
      }),
    );
  });
});

test('ten thousand scopes that are open at once do not cross', async () => {
  const graph = new ProviderGraph();
  const context = graph.context();
  const user = graph.factory(
    async ({ requestId }: { requestId: number }) => {
      await new Promise(setImmediate);
      return { requestId, disposals: 0 };
    },
    { scope: 'request', needs: [context] },
  );
  const session = graph.factory(
    (owner: { requestId: number; disposals: number }) => ({ owner, dispose: () => (owner.disposals += 1) }),
    { scope: 'request', needs: [user] },
  );
  const container = await createContainer(graph.application());
  const keys = [session];
  const ids = Array.from({ length: 10_000 }, (_, id) => id);
  const scopes = await Promise.all(ids.map((id) => container.open(keys, contextStub(id))));
  const owners = scopes.map((scope) => (scope.get(session) as { owner: { requestId: number } }).owner);
  expect(owners.map(({ requestId }) => requestId)).toEqual(ids);
  await Promise.all(scopes.map((scope) => scope.close()));
  expect(new Set(owners).size).toBe(ids.length);
  expect(owners.every((owner) => (owner as unknown as { disposals: number }).disposals === 1)).toBe(true);
});

function record(nodes: readonly Node[], failing = -1) {
  const created: Made[] = [];
  const disposed: Made[] = [];
  const graph = new ProviderGraph();
  const keys: ProviderKey[] = [];
  nodes.forEach(({ needs, isAsync, scope }, node) => {
    const make = (...dependencies: readonly Made[]): Made => {
      if (node === failing) throw new Error('planned');
      const made: Made = { node, dependencies, dispose: () => disposed.push(made) };
      created.push(made);
      return made;
    };
    const makeLater = async (...dependencies: readonly Made[]): Promise<Made> => {
      await Promise.resolve();
      return make(...dependencies);
    };
    keys.push(
      graph.factory(isAsync ? makeLater : make, {
        scope,
        needs: needs.map((need) => keys[need] as ProviderKey),
      }),
    );
  });
  return { created, disposed, graph, keys };
}

function expectDependenciesFirst(created: readonly Made[], nodes: readonly Node[]): void {
  created.forEach(({ node, dependencies }, index) => {
    expect(dependencies.map((dependency) => dependency.node)).toEqual(nodes[node]?.needs);
    for (const dependency of dependencies) {
      expect(created.indexOf(dependency)).toBeGreaterThanOrEqual(0);
      expect(created.indexOf(dependency)).toBeLessThan(index);
    }
  });
}

/** What reaches a request-scoped node becomes one: a singleton may not capture the instances of a call. */
function withoutCapture(nodes: readonly Node[]): readonly Node[] {
  const result: Node[] = [];
  for (const node of nodes) {
    const reachesCall = node.needs.some((need) => result[need]?.scope === 'request');
    result.push(reachesCall ? { ...node, scope: 'request' } : node);
  }
  return result;
}

function reach(nodes: readonly Node[], from: number): ReadonlySet<number> {
  const needs = nodes[from]?.needs ?? [];
  return new Set([from, ...needs.flatMap((need) => [...reach(nodes, need)])]);
}
