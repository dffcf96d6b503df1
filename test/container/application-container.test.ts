import { describe, expect, test } from '@jest/globals';
import { createContainer } from '../../src/container/create-container.ts';
import { ProviderGraph } from '../support/provider-graph.ts';

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
