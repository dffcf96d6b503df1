import { describe, expect, test } from '@jest/globals';
import { createContainer } from '../../src/container/create-container.ts';
import { ProviderGraph, contextStub } from '../support/provider-graph.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import type { ToolwrightError } from '../../src/errors/toolwright-error.ts';

class Session {}
class Clock {}

describe('isPerCall and get', () => {
  test('distinguish request-scoped providers, and what reaches them, from the others', async () => {
    const graph = new ProviderGraph();
    const session = graph.class(Session, { scope: 'request' });
    const reaching = graph.class(Clock, { scope: 'transient', needs: [session] });
    const clock = graph.class(Clock);
    const container = await createContainer(graph.application());
    expect([session, reaching, clock].map((key) => container.isPerCall(key))).toEqual([true, true, false]);
  });

  test('refuse a provider of calls outside of a call and say what to do', async () => {
    const graph = new ProviderGraph();
    const session = graph.class(Session, { scope: 'request' });
    const container = await createContainer(graph.application());
    expect(() => container.get(session)).toThrow(/TW_CONTAINER_PER_CALL: Session .*\n.*\n {2}fix: .*@Inject/);
  });

  test('refuse a key of another application', async () => {
    const container = await createContainer(new ProviderGraph().application());
    expect(() => container.get(Symbol('other'))).toThrow(/TW_CONTAINER_UNKNOWN_PROVIDER/);
    expect(() => container.isPerCall(Symbol('other'))).toThrow(/TW_CONTAINER_UNKNOWN_PROVIDER/);
  });
});

describe('find and lookUp', () => {
  test('prefer what the root module sees over what another module has under the token', async () => {
    const graph = new ProviderGraph();
    const inner = graph.value('inner', { token: 'NAME' });
    const outer = graph.value('outer', { token: 'NAME' });
    const container = await createContainer(
      graph.application([graph.module('Inner', [inner]), graph.module('App', [outer])]),
    );
    expect(container.find('NAME')).toBe(outer);
    expect(container.lookUp('NAME')).toBe('outer');
  });

  test('take the first module in order that sees it when the root module does not', async () => {
    const graph = new ProviderGraph();
    const second = graph.value('second', { token: 'NAME' });
    const first = graph.value('first', { token: 'NAME' });
    const container = await createContainer(
      graph.application([
        graph.module('First', [first]),
        graph.module('Second', [second]),
        graph.module('App', []),
      ]),
    );
    expect(container.lookUp('NAME')).toBe('first');
  });

  test('find controllers and module classes, which no module can inject', async () => {
    const graph = new ProviderGraph();
    graph.class(Clock);
    const container = await createContainer(graph.application([graph.module('App', [])]));
    expect(container.lookUp(Clock)).toBeInstanceOf(Clock);
  });

  test('suggest the nearest token for one without a provider', async () => {
    const graph = new ProviderGraph();
    graph.value(1, { token: 'DATABASE' });
    const container = await createContainer(graph.application());
    expect(container.find('DATABSE')).toBeUndefined();
    expect(() => container.lookUp('DATABSE')).toThrow(
      /TW_CONTAINER_UNKNOWN_PROVIDER: "DATABSE".*\n.*did you mean "DATABASE"\?/,
    );
  });
});

class CallSession {
  constructor(
    readonly context: unknown,
    readonly clock: unknown,
  ) {}
}

describe('a call scope', () => {
  test('gives one instance per call, with the context of the call and the singletons of the application', async () => {
    const graph = new ProviderGraph();
    const clock = graph.class(Clock);
    const session = graph.class(CallSession, { scope: 'request', needs: [graph.context(), clock] });
    const alias = graph.alias(session);
    const container = await createContainer(graph.application());
    const keys = [session, alias];
    const [context, otherContext] = [contextStub('a'), contextStub('b')];
    const scope = await container.open(keys, context);
    const other = await container.open(keys, otherContext);
    const instance = scope.get(session) as CallSession;
    expect(scope.get(session)).toBe(instance);
    expect(scope.get(alias)).toBe(instance);
    expect(other.get(session)).not.toBe(instance);
    expect([instance.context, (other.get(session) as CallSession).context]).toEqual([context, otherContext]);
    expect(instance.clock).toBe(container.get(clock));
    expect(scope.get(clock)).toBe(container.get(clock));
  });

  test('creates only what its keys reach, dependencies first, async factories awaited', async () => {
    const events: string[] = [];
    const graph = new ProviderGraph();
    const database = graph.factory(
      async () => {
        await new Promise(setImmediate);
        events.push('database');
        return { rows: 3 };
      },
      { scope: 'request' },
    );
    const rows = graph.factory(
      (db: { rows: number }) => {
        events.push('rows');
        return db.rows;
      },
      { scope: 'request', needs: [database] },
    );
    const unrelated = graph.factory(() => events.push('unrelated'), { scope: 'request' });
    const reaching = graph.factory((count: number) => `${String(count)} rows`, {
      scope: 'transient',
      needs: [rows],
    });
    const container = await createContainer(graph.application());
    expect(events).toEqual([]);
    const scope = await container.open([reaching], contextStub());
    expect(events).toEqual(['database', 'rows']);
    expect(scope.get(reaching)).toBe('3 rows');
    expect(() => scope.get(unrelated)).toThrow(/TW_CONTAINER_PER_CALL/);
  });

  test.each([undefined, null, 0])('calls a request-scoped factory that gives %p once', async (nothing) => {
    let calls = 0;
    const graph = new ProviderGraph();
    const key = graph.factory(
      () => {
        calls += 1;
        return nothing;
      },
      { scope: 'request' },
    );
    const container = await createContainer(graph.application());
    const scope = await container.open([key], contextStub());
    expect([scope.get(key), scope.get(key), calls]).toEqual([nothing, nothing, 1]);
  });

  test('never lends the instances of a call to a singleton or to another call', async () => {
    const graph = new ProviderGraph();
    const clock = graph.class(Clock);
    const session = graph.class(CallSession, { scope: 'request', needs: [clock, clock] });
    const container = await createContainer(graph.application());
    const scope = await container.open([session], contextStub());
    await scope.close();
    expect(() => scope.get(session)).toThrow(/TW_CONTAINER_OUT_OF_SCOPE/);
    expect(container.get(clock)).toBeInstanceOf(Clock);
  });
});

describe('closing a call scope', () => {
  test('prefers Symbol.asyncDispose to Symbol.dispose to dispose', async () => {
    const events: string[] = [];
    const on = (event: string) => () => events.push(event);
    const graph = new ProviderGraph();
    const keys = [
      { dispose: on('dispose') },
      { dispose: on('dispose'), [Symbol.dispose]: on('sync') },
      { dispose: on('dispose'), [Symbol.dispose]: on('sync'), [Symbol.asyncDispose]: on('async') },
    ].map((instance) => graph.factory(() => instance, { scope: 'request' }));
    const container = await createContainer(graph.application());
    await (await container.open(keys, contextStub())).close();
    expect(events).toEqual(['async', 'sync', 'dispose']);
  });

  test('disposes transients made in the scope, latest first, and everything once', async () => {
    const events: number[] = [];
    let count = 0;
    const graph = new ProviderGraph();
    const create = () => {
      const id = (count += 1);
      return { dispose: () => events.push(id) };
    };
    const transient = graph.factory(create, { scope: 'transient' });
    const session = graph.factory(create, { scope: 'request', needs: [transient] });
    const reaching = graph.factory(create, { scope: 'transient', needs: [session] });
    const container = await createContainer(graph.application());
    const scope = await container.open([reaching], contextStub());
    scope.get(reaching);
    await Promise.all([scope.close(), scope.close()]);
    expect(events).toEqual([3, 2, 1]);
  });

  test('spares singletons, values and the context, even if a factory hands them on', async () => {
    const events: string[] = [];
    const disposable = (name: string) => ({ dispose: () => events.push(name) });
    const graph = new ProviderGraph();
    const keys = [
      graph.factory(() => disposable('singleton')),
      graph.value(disposable('value')),
      graph.context(),
    ].map((source) => graph.factory((same: unknown) => same, { scope: 'request', needs: [source] }));
    const container = await createContainer(graph.application());
    const scope = await container.open(keys, Object.assign(contextStub(), disposable('context')));
    await scope.close();
    expect(events).toEqual([]);
  });

  test('attempts every disposal and throws all errors at the end', async () => {
    const events: string[] = [];
    const graph = new ProviderGraph();
    const keys = [() => events.push('first'), fail, () => Promise.reject(new Error('no network'))].map(
      (dispose) => graph.factory(() => ({ dispose }), { scope: 'request' }),
    );
    const container = await createContainer(graph.application());
    const scope = await container.open(keys, contextStub());
    const error = (await scope.close().catch((thrown: unknown) => thrown)) as AggregateError;
    expect(error.errors).toMatchObject([
      { code: 'TW_CONTAINER_DISPOSE_FAILED', cause: { message: 'no network' } },
      { code: 'TW_CONTAINER_DISPOSE_FAILED', cause: { message: 'no disk' } },
    ]);
    expect(events).toEqual(['first']);
  });
});

describe('a call scope that cannot be opened', () => {
  test('disposes what was created for it, and nothing of other calls', async () => {
    const events: string[] = [];
    const graph = new ProviderGraph();
    const context = graph.context();
    const first = graph.factory(
      ({ requestId }: { requestId: string }) => ({ dispose: () => events.push(requestId) }),
      { scope: 'request', needs: [context] },
    );
    const second = graph.factory(
      async ({ requestId }: { requestId: string }) => {
        await Promise.resolve();
        return requestId === 'bad' ? fail() : requestId;
      },
      { scope: 'request', needs: [context], where: 'Second' },
    );
    const container = await createContainer(graph.application());
    const keys = [first, second];
    const [good, bad] = await Promise.allSettled([
      container.open(keys, contextStub('good')),
      container.open(keys, contextStub('bad')),
    ]);
    expect(good.status).toBe('fulfilled');
    expect((bad as PromiseRejectedResult).reason).toMatchObject({
      code: 'TW_CONTAINER_PROVIDER_FAILED',
      where: 'Second',
      cause: { message: 'no disk' },
    });
    expect(events).toEqual(['bad']);
  });

  test('lets an error that is meant for the client through as it is', async () => {
    const refused = new ToolError('NOT_SIGNED_IN', 'Sign in first');
    const graph = new ProviderGraph();
    const session = graph.factory(() => Promise.reject(refused), { scope: 'request' });
    const container = await createContainer(graph.application());
    await expect(container.open([session], contextStub())).rejects.toBe(refused);
  });

  test('keeps its error when the disposal fails as well', async () => {
    const graph = new ProviderGraph();
    const first = graph.factory(() => ({ dispose: fail }), { scope: 'request' });
    const second = graph.factory(fail, { scope: 'request', needs: [first] });
    const container = await createContainer(graph.application());
    const error = await container
      .open([second], contextStub())
      .catch((thrown: unknown) => thrown as ToolwrightError);
    expect(error).toMatchObject({ code: 'TW_CONTAINER_PROVIDER_FAILED' });
    expect(((error as ToolwrightError).cause as AggregateError).errors).toHaveLength(2);
  });
});

function fail(): never {
  throw new Error('no disk');
}
