import { describe, expect, test } from '@jest/globals';
import { container as globalContainer } from 'tsyringe';
import { createContainer } from '../../src/container/create-container.ts';
import { ToolwrightError } from '../../src/errors/toolwright-error.ts';
import { ProviderGraph } from '../support/provider-graph.ts';
import { rejectionOf } from '../support/thrown.ts';

class Clock {}
class Store {
  constructor(
    readonly clock: Clock,
    readonly label: string | undefined,
  ) {}
}

describe('createContainer', () => {
  test('constructs a class with its dependencies in the order of the parameters', async () => {
    const graph = new ProviderGraph();
    const clock = graph.class(Clock);
    const label = graph.value('notes');
    const store = graph.class(Store, { needs: [clock, label] });
    const container = await createContainer(graph.application());
    const instance = container.get(store) as Store;
    expect(instance).toBeInstanceOf(Store);
    expect(instance.clock).toBe(container.get(clock));
    expect(instance.label).toBe('notes');
  });

  test('gives undefined for an optional dependency without a provider', async () => {
    const graph = new ProviderGraph();
    const store = graph.class(Store, { needs: [graph.class(Clock), undefined] });
    expect(((await createContainer(graph.application())).get(store) as Store).label).toBeUndefined();
  });

  test('refuses a dependency whose key is not a provider instead of injecting undefined', async () => {
    const graph = new ProviderGraph();
    graph.class(Store, { needs: [graph.class(Clock), Symbol('nobody')] });
    await expect(createContainer(graph.application())).rejects.toMatchObject({
      code: 'TW_CONTAINER_UNKNOWN_PROVIDER',
    });
  });

  test('awaits async factories before their dependents are made', async () => {
    const graph = new ProviderGraph();
    const database = graph.factory(async () => Promise.resolve({ rows: 3 }));
    const rows = graph.factory((db: { rows: number }) => db.rows, { needs: [database] });
    expect((await createContainer(graph.application())).get(rows)).toBe(3);
  });

  test('does not wait for a class instance that happens to have a then method', async () => {
    class Query {
      then(): never {
        throw new Error('the query must not run');
      }
    }
    const graph = new ProviderGraph();
    const query = graph.class(Query);
    const value = graph.value(new Query());
    const container = await createContainer(graph.application());
    expect(container.get(query) instanceof Query && container.get(value) instanceof Query).toBe(true);
  });

  test.each([undefined, null, 0, false, ''])('calls a factory that gives %p once', async (nothing) => {
    let calls = 0;
    const graph = new ProviderGraph();
    const key = graph.factory(() => {
      calls += 1;
      return nothing;
    });
    graph.factory(() => 1, { needs: [key, key] });
    const container = await createContainer(graph.application());
    expect([container.get(key), container.get(key), calls]).toEqual([nothing, nothing, 1]);
  });

  test('an alias of an alias is the very instance of its target', async () => {
    const graph = new ProviderGraph();
    const clock = graph.class(Clock);
    const alias = graph.alias(graph.alias(clock));
    const container = await createContainer(graph.application());
    expect(container.get(alias)).toBe(container.get(clock));
  });

  test('gives every injection of a transient an instance of its own', async () => {
    const graph = new ProviderGraph();
    const clock = graph.class(Clock, { scope: 'transient' });
    const first = graph.class(Store, { needs: [clock, undefined] });
    const second = graph.class(Store, { needs: [clock, undefined] });
    const container = await createContainer(graph.application());
    const clocks = [first, second].map((key) => (container.get(key) as Store).clock);
    expect(new Set([...clocks, container.get(clock), container.get(clock)]).size).toBe(4);
  });

  test('keeps two applications apart and leaves the container of the process alone', async () => {
    const graph = new ProviderGraph();
    const clock = graph.class(Clock);
    const application = graph.application();
    const [first, second] = await Promise.all([createContainer(application), createContainer(application)]);
    expect(first.get(clock)).not.toBe(second.get(clock));
    expect(globalContainer.isRegistered(clock, true)).toBe(false);
  });
});

describe('a provider that fails at start-up', () => {
  test.each([
    ['a constructor', (graph: ProviderGraph) => graph.class(Broken)],
    ['a factory', (graph: ProviderGraph) => graph.factory(fail, { where: 'Broken' })],
    ['an async factory', (graph: ProviderGraph) => graph.factory(failLater, { where: 'Broken' })],
    ['a transient of a singleton', dependOnBrokenTransient],
  ])('is named in the error when it is %s', async (_kind, add) => {
    const graph = new ProviderGraph();
    add(graph);
    const error = await failureOf(graph);
    expect(error).toMatchObject({ code: 'TW_CONTAINER_PROVIDER_FAILED', where: 'Broken' });
    expect(error.message).toContain('of module AppModule could not be created: no disk');
    expect((error.cause as Error).message).toBe('no disk');
    expect(error.fix).not.toBe('');
  });

  test('has what was created before it torn down, latest first, and nothing else made', async () => {
    const events: string[] = [];
    const graph = new ProviderGraph();
    for (const name of ['a', 'b']) {
      graph.factory(() => ({
        onModuleDestroy: () => events.push(`${name} destroyed`),
        dispose: () => events.push(`${name} disposed`),
      }));
    }
    graph.class(Broken);
    graph.factory(() => events.push('made too late'));
    await failureOf(graph);
    expect(events).toEqual(['b destroyed', 'a destroyed', 'b disposed', 'a disposed']);
  });

  test('keeps its code when the teardown fails as well, and both causes', async () => {
    const graph = new ProviderGraph();
    graph.factory(() => ({ dispose: fail }));
    graph.class(Broken);
    const error = await failureOf(graph);
    expect(error.code).toBe('TW_CONTAINER_PROVIDER_FAILED');
    expect((error.cause as AggregateError).errors).toMatchObject([
      { message: 'no disk' },
      { code: 'TW_CONTAINER_DISPOSE_FAILED' },
    ]);
  });
});

describe('a transient async factory', () => {
  test('is refused before anything is created', async () => {
    let isCreated = false;
    const graph = new ProviderGraph();
    graph.factory(() => (isCreated = true));
    graph.factory(async () => Promise.resolve(1), { scope: 'transient', where: '"TICKET"' });
    expect(await failureOf(graph)).toMatchObject({ code: 'TW_CONTAINER_ASYNC_TRANSIENT', where: '"TICKET"' });
    expect(isCreated).toBe(false);
  });

  test('is refused as well when only its value shows that it is one', async () => {
    const graph = new ProviderGraph();
    const ticket = graph.factory(() => Promise.reject(new Error('unheard')), { scope: 'transient' });
    graph.factory(() => 1, { needs: [ticket] });
    expect((await failureOf(graph)).code).toBe('TW_CONTAINER_ASYNC_TRANSIENT');
  });
});

class Broken {
  constructor() {
    fail();
  }
}

function fail(): never {
  throw new Error('no disk');
}

async function failLater(): Promise<never> {
  await Promise.resolve();
  return fail();
}

function dependOnBrokenTransient(graph: ProviderGraph): void {
  graph.class(Store, { needs: [graph.class(Broken, { scope: 'transient' }), undefined] });
}

const failureOf = (graph: ProviderGraph): Promise<ToolwrightError> =>
  rejectionOf(createContainer(graph.application()), ToolwrightError);
