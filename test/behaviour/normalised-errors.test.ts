import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Action, Complete, Injectable, Module, Prompt, Resource, ToolGroup } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/memory-logger.ts';

/** Whatever of it reaches a client was not meant for it. */
const SECRET = 'swordfish';

const secrets = { code: 404, data: { SECRET }, details: SECRET, cause: SECRET, stack: `at ${SECRET}` };

const fail = (): never => {
  throw new Error(SECRET);
};

// The container reads what a constructor throws, and then this is what it threw.
const trap = (): never => {
  throw new Error('a trap');
};

const gettersOn = (target: object, names: readonly string[]): object =>
  Object.defineProperties(target, Object.fromEntries(names.map((name) => [name, { get: fail }])));

const THROWN: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a text': () => 'x',
  'an empty text': () => '',
  'a number': () => 42,
  'a symbol': () => Symbol('x'),
  'a bigint': () => 1n,
  'a function': () => () => 'x',
  'an error with a code and data': () => Object.assign(new Error('plain'), secrets),
  'an object with a code and data': () => ({ message: 'plain', ...secrets }),
  'an object without a message': () => ({ ...secrets }),
  'an object without a prototype': () => Object.assign(Object.create(null) as object, secrets),
  'a message that is not a text': () => ({ ...secrets, message: { SECRET } }),
  'getters that throw': () => gettersOn({}, ['message', 'code', 'data', 'name', 'stack', 'cause']),
  'an error whose getters throw': () =>
    gettersOn(new Error('plain'), ['message', 'code', 'data', 'name', 'cause']),
  'a proxy whose traps throw': () =>
    new Proxy(
      {},
      { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap, getOwnPropertyDescriptor: trap },
    ),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
};

let thrown: () => unknown = () => undefined;
let where = '';

function failAt(place: string): void {
  if (where === place) throw thrown();
}

@ToolGroup('work')
class WorkTools {
  @Action() act(): string {
    failAt('an action');
    return 'done';
  }

  @Action() async *walk(): AsyncGenerator<string, string> {
    yield 'first';
    failAt('a generator');
    return 'done';
  }
}

@Injectable({ scope: 'request' })
class Visit {
  constructor() {
    failAt('a provider');
  }

  dispose(): void {
    failAt('a disposal');
  }
}

@Injectable({ scope: 'request' })
@ToolGroup({ name: 'visits' })
class VisitTools {
  constructor(private readonly visit: Visit) {}

  @Action() count(): string {
    return `one ${typeof this.visit}`;
  }
}

@Injectable()
class Pages {
  @Prompt() greet(): string {
    failAt('a prompt');
    return 'hello';
  }

  @Resource('pages://{name}', { list: 'all' })
  read(): string {
    failAt('a resource');
    return 'a page';
  }

  all(): readonly { uri: string }[] {
    failAt('a listing method');
    return [];
  }

  @Complete('read', 'name')
  names(): readonly string[] {
    failAt('a completing method');
    return [];
  }
}

@Module({ controllers: [WorkTools, VisitTools, Pages], providers: [Visit] })
class WorkModule {}

const call = (tool: string, action: string) => ({
  method: 'tools/call',
  params: { name: tool, arguments: { action } },
});
const read = { method: 'resources/read', params: { uri: 'pages://one' } };
const complete = {
  method: 'completion/complete',
  params: { ref: { type: 'ref/resource', uri: 'pages://{name}' }, argument: { name: 'name', value: '' } },
};

const PLACES: readonly [string, { readonly method: string; readonly params?: object }][] = [
  ['an action', call('work', 'act')],
  ['a generator', call('work', 'walk')],
  ['a provider', call('visits', 'count')],
  ['a middleware', call('work', 'act')],
  ['a middleware', read],
  ['a middleware', { method: 'prompts/get', params: { name: 'greet' } }],
  ['a middleware', { method: 'resources/list' }],
  ['a middleware', complete],
  ['a prompt', { method: 'prompts/get', params: { name: 'greet' } }],
  ['a resource', read],
  ['a listing method', { method: 'resources/list' }],
  ['a completing method', complete],
];

/** Everything that a client gets: of a call that failed, or of an error. */
async function answerOf(client: Client, request: { readonly method: string; readonly params?: object }) {
  try {
    const result = await client.request(request as never, ResultSchema, { timeout: 5000 });
    return { isError: result['isError'], code: undefined, text: JSON.stringify(result) };
  } catch (error) {
    const { code, message, data } = error as { code: number; message: string; data?: unknown };
    return { isError: true, code, text: JSON.stringify({ message, data }) };
  }
}

describe.each([
  ['masked', true],
  ['plain', false],
])('with %s errors', (_name, maskErrors) => {
  let app: TestApplication;
  let client: Client;

  beforeAll(async () => {
    const middleware = [
      (_call: unknown, next: () => Promise<unknown>) => {
        failAt('a middleware');
        return next();
      },
    ];
    app = await createTestApplication(WorkModule, { maskErrors, middleware, logger: new MemoryLogger() });
    client = await app.client();
  });
  afterAll(() => app.close());

  describe.each(PLACES)('what %s throws in answer to %j', (place, request) => {
    test.each(Object.entries(THROWN))('%s keeps its code, data and stack', async (name, make) => {
      [where, thrown] = [place, make];
      const { isError, code, text } = await answerOf(client, request);
      where = '';
      expect(isError).toBe(true);
      expect(code).toBe(request.method === 'tools/call' ? undefined : -32603);
      expect(text).not.toContain(SECRET);
      expect(text).not.toMatch(/\b404\b/);
      expect(text).not.toMatch(/\.[jt]s:\d/);
      expect(text).toContain('INTERNAL_ERROR');
      if (name === 'an error with a code and data') expect(text.includes('plain')).toBe(!maskErrors);
      if (maskErrors) expect(text).toContain('Reference: ');
      expect((await answerOf(client, call('work', 'act'))).isError).toBeFalsy();
    });
  });

  test.each(Object.entries(THROWN))('%s thrown by a disposal takes no answer away', async (_thrown, make) => {
    [where, thrown] = ['a disposal', make];
    const { isError, text } = await answerOf(client, call('visits', 'count'));
    where = '';
    expect([isError, text]).toEqual([undefined, expect.stringContaining('one object')]);
  });
});
