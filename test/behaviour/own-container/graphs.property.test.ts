import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  container as globalContainer,
  delay,
  inject,
  injectable,
  type DependencyContainer,
  type InjectionToken,
} from 'tsyringe';
import { Action, McpApplication, Module, ToolGroup, type Class } from 'toolwright';
import { tries } from '../../support/thorough.ts';

/** Listed in a module; registered as a singleton of tsyringe; or with a decorator of tsyringe alone. */
type Home = 'module' | 'singleton' | 'injectable';

interface Need {
  readonly node: number;
  readonly by: 'type' | 'inject' | 'delay';
}

/** A node needs earlier nodes only. */
interface Node {
  readonly home: Home;
  /** A singleton of tsyringe that a module lists as well. */
  readonly isListed: boolean;
  readonly needs: readonly Need[];
}

class Made {
  readonly dependencies: readonly Made[];
  constructor(...dependencies: readonly Made[]) {
    this.dependencies = dependencies;
  }
}

const graphs: fc.Arbitrary<readonly Node[]> = fc
  .array(
    fc.record({
      home: fc.constantFrom<Home>('module', 'singleton', 'injectable'),
      isListed: fc.boolean(),
      needs: fc.array(fc.record({ node: fc.nat(), by: fc.constantFrom('type', 'inject', 'delay') }), {
        maxLength: 3,
      }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((nodes) =>
    nodes.map(({ home, isListed, needs }, index) => ({
      home,
      isListed: home === 'module' || (home === 'singleton' && isListed),
      needs: index === 0 ? [] : needs.map(({ node, by }) => ({ node: node % index, by })),
    })),
  );

function defineClass(name: string, needs: readonly Need[], types: readonly Class[]): Class<Made> {
  const type = { [name]: class extends Made {} }[name] as Class<Made>;
  Reflect.metadata('design:paramtypes', types.length === 0 ? [] : needs.map(({ node }) => types[node]))(type);
  for (const [index, { node, by }] of needs.entries()) {
    const token = types[node] as Class;
    if (by === 'inject') inject(token as never)(type, undefined, index);
    if (by === 'delay') inject(delay(() => token as never))(type, undefined, index);
  }
  return type;
}

function defineGraph(nodes: readonly Node[], container: DependencyContainer): readonly Class<Made>[] {
  const types: Class<Made>[] = [];
  for (const [index, { home, needs }] of nodes.entries()) {
    const type = defineClass(`N${String(index)}`, needs, types);
    if (home !== 'module') injectable()(type);
    if (home === 'singleton') container.registerSingleton(type as never);
    types.push(type);
  }
  return types;
}

/** The edges from what the container makes to what a module has. */
function crossings(nodes: readonly Node[]): readonly string[] {
  const found = new Set<string>();
  const visit = (index: number): void => {
    for (const [place, { node }] of (nodes[index]?.needs ?? []).entries()) {
      if (nodes[node]?.home === 'module')
        found.add(`N${String(index)} constructor #${String(place + 1)} needs N${String(node)} of`);
      else visit(node);
    }
  };
  for (const [index, { home }] of nodes.entries()) if (home === 'singleton') visit(index);
  return [...found];
}

/** Every instance that is reached, by its node; what is delayed is reached through what stands for it. */
function reachedFrom(root: Made): ReadonlyMap<string, readonly Made[]> {
  const reached = new Map<string, Made[]>();
  const visit = (made: Made): void => {
    const { name } = made.constructor;
    reached.set(name, [...(reached.get(name) ?? []), made]);
    made.dependencies.forEach(visit);
  };
  root.dependencies.forEach(visit);
  return reached;
}

/** What stands for a delayed instance is another object with the same members. */
const identity = (made: Made): unknown => made.dependencies;

test('providers, half in modules and half in tsyringe, are one instance each, or the start names the edge', async () => {
  const outcomes = { started: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(graphs, async (nodes) => {
      const container = globalContainer.createChildContainer();
      const types = defineGraph(nodes, container);
      const Tools = defineClass(
        'Tools',
        nodes.map((_, node) => ({ node, by: 'type' })),
        types,
      );
      const prototype = Tools.prototype as object;
      Object.assign(prototype, { run: () => 'ran' });
      Action()(prototype, 'run', { value: () => 'ran' });
      ToolGroup('tools')(Tools);
      class Root {}
      const providers = types.filter((_, index) => nodes[index]?.isListed);
      Module({ controllers: [Tools], providers })(Root);
      const started = await McpApplication.create(Root, { container, logger: () => undefined }).catch(
        (error: unknown) => error as Error,
      );
      const expected = crossings(nodes);
      if (started instanceof Error) {
        outcomes.refused += 1;
        expect(expected).not.toEqual([]);
        for (const edge of expected) expect(started.message).toContain(edge);
        return;
      }
      outcomes.started += 1;
      expect(expected).toEqual([]);
      const reached = reachedFrom(started.get<Made>(Tools));
      for (const [index, { home }] of nodes.entries()) {
        const type = types[index] as Class<Made>;
        const instances = new Set((reached.get(type.name) ?? []).map(identity));
        if (home === 'injectable') continue;
        expect(instances.size).toBe(1);
        expect(instances.has(identity(started.get<Made>(type)))).toBe(true);
        if (home === 'singleton')
          expect(started.get<Made>(type)).toBe(container.resolve(type as InjectionToken<Made>));
        else expect(container.isRegistered(type as never, true)).toBe(false);
      }
      await started.close();
    }),
    { numRuns: tries(60, 1000) },
  );
  expect(Math.min(outcomes.started, outcomes.refused)).toBeGreaterThan(0);
});
