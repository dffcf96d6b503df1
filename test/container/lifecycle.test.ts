import { describe, expect, test } from '@jest/globals';
import type { ApplicationContainer } from '../../src/container/application-container.ts';
import { createContainer } from '../../src/container/create-container.ts';
import type { ToolwrightError } from '../../src/errors/toolwright-error.ts';
import type { ProviderKey } from '../../src/scanner/providers/scanned-provider.ts';
import { ProviderGraph } from '../support/provider-graph.ts';

type Hooks = Readonly<Record<string, (signal?: string) => unknown>>;

describe('lifecycle hooks', () => {
  test('run dependencies first at the start and dependents first at the shutdown', async () => {
    const { events, container } = await startOf(['store', 'controller']);
    await container.shutdown('SIGTERM');
    expect(events).toEqual([
      'store.onModuleInit()',
      'controller.onModuleInit()',
      'store.onApplicationBootstrap()',
      'controller.onApplicationBootstrap()',
      'controller.onModuleDestroy()',
      'store.onModuleDestroy()',
      'controller.onApplicationShutdown(SIGTERM)',
      'store.onApplicationShutdown(SIGTERM)',
      'controller.dispose()',
      'store.dispose()',
    ]);
  });

  test('are awaited one by one', async () => {
    const events: string[] = [];
    const graph = new ProviderGraph();
    graph.factory(() => ({
      onModuleInit: async () => {
        await new Promise(setImmediate);
        events.push('first');
      },
    }));
    graph.factory(() => ({ onModuleInit: () => events.push('second') }));
    await (await createContainer(graph.application())).start();
    expect(events).toEqual(['first', 'second']);
  });

  test('run once for an instance that several providers give', async () => {
    const { events, container } = await startOf(['store'], (graph, store) => {
      graph.alias(store);
      graph.factory((same: unknown) => same, { needs: [store] });
    });
    await container.shutdown();
    expect(events.filter((event) => event === 'store.onModuleInit()')).toHaveLength(1);
    expect(events.filter((event) => event === 'store.dispose()')).toHaveLength(1);
  });

  test('run on values, which are not disposed', async () => {
    const events: string[] = [];
    const graph = new ProviderGraph();
    const value = graph.value(hooksOf('value', events));
    graph.factory((same: unknown) => same, { needs: [value] });
    const container = await createContainer(graph.application());
    await container.start();
    await container.shutdown();
    expect(events).toContain('value.onModuleInit()');
    expect(events).not.toContain('value.dispose()');
  });

  test('do not run on request-scoped and transient instances', async () => {
    const events: string[] = [];
    const graph = new ProviderGraph();
    const transient = graph.factory(() => hooksOf('transient', events), { scope: 'transient' });
    graph.factory(() => hooksOf('request', events), { scope: 'request' });
    graph.factory(() => 1, { needs: [transient] });
    const container = await createContainer(graph.application());
    await container.start();
    expect(events).toEqual([]);
    await container.shutdown();
    expect(events).toEqual(['transient.dispose()']);
  });
});

describe('a start hook that fails', () => {
  test.each(['onModuleInit', 'onApplicationBootstrap'])(
    'as %s is named, ends the start, and everything created is torn down',
    async (hook) => {
      const events: string[] = [];
      const graph = new ProviderGraph();
      graph.factory(() => hooksOf('store', events));
      graph.factory(() => ({ [hook]: fail }), { where: 'Broken' });
      graph.factory(() => hooksOf('late', events));
      const container = await createContainer(graph.application());
      const error = await container.start().catch((thrown: unknown) => thrown as ToolwrightError);
      expect(error).toMatchObject({ code: 'TW_CONTAINER_HOOK_FAILED', where: `Broken.${hook}()` });
      expect(((error as ToolwrightError).cause as Error).message).toBe('no disk');
      expect(events).not.toContain(`late.${hook}()`);
      expect(events.slice(-2)).toEqual(['late.dispose()', 'store.dispose()']);
      const count = events.length;
      await container.shutdown();
      expect(events).toHaveLength(count);
    },
  );
});

describe('shutdown', () => {
  test('runs every hook and disposal whatever fails, and throws all errors at the end', async () => {
    const { events, container } = await startOf(['store'], (graph) => {
      graph.factory(() => ({ onModuleDestroy: fail, [Symbol.asyncDispose]: fail }), { where: 'Broken' });
    });
    const error = (await container.shutdown().catch((thrown: unknown) => thrown)) as AggregateError;
    expect(error).toBeInstanceOf(AggregateError);
    expect((error.errors as ToolwrightError[]).map(({ where }) => where)).toEqual([
      'Broken.onModuleDestroy()',
      'Broken.[Symbol.asyncDispose]()',
    ]);
    expect(error.message).toContain('no disk');
    expect(events.slice(-3)).toEqual([
      'store.onModuleDestroy()',
      'store.onApplicationShutdown(undefined)',
      'store.dispose()',
    ]);
  });

  test('does its work once, however often it is asked', async () => {
    const { events, container } = await startOf(['store']);
    await Promise.all([container.shutdown(), container.shutdown()]);
    await container.shutdown();
    expect(events.filter((event) => event === 'store.dispose()')).toHaveLength(1);
  });

  test('does not keep transients that were asked for after the start', async () => {
    const events: string[] = [];
    const graph = new ProviderGraph();
    const transient = graph.factory(() => hooksOf('transient', events), { scope: 'transient' });
    const container = await createContainer(graph.application());
    container.get(transient);
    await container.shutdown();
    expect(events).toEqual([]);
  });
});

async function startOf(
  names: readonly string[],
  addMore: (graph: ProviderGraph, last: ProviderKey) => void = () => undefined,
): Promise<{ readonly events: readonly string[]; readonly container: ApplicationContainer }> {
  const events: string[] = [];
  const graph = new ProviderGraph();
  const keys = names.map((name) => graph.factory(() => hooksOf(name, events), { where: name }));
  addMore(graph, keys.at(-1) as ProviderKey);
  const container = await createContainer(graph.application());
  expect(events).toEqual([]);
  await container.start();
  return { events, container };
}

function hooksOf(name: string, events: string[]): Hooks {
  const hook = (method: string) => () => events.push(`${name}.${method}()`);
  return {
    onModuleInit: hook('onModuleInit'),
    onApplicationBootstrap: hook('onApplicationBootstrap'),
    onModuleDestroy: hook('onModuleDestroy'),
    onApplicationShutdown: (signal) => events.push(`${name}.onApplicationShutdown(${String(signal)})`),
    dispose: hook('dispose'),
  };
}

function fail(): never {
  throw new Error('no disk');
}
