import { afterEach, describe, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Route } from '../../src/kernel/call/call.ts';
import { resultOf } from '../../src/kernel/call/outcome.ts';
import type { CompileStage } from '../../src/kernel/call/stage.ts';
import {
  compileRoute,
  type CompileStage as CompileRouteStage,
  type Rings,
  type RouteSettings,
} from '../../src/runtime/routes/route.ts';
import { STAGES } from '../../src/runtime/stages.ts';
import { connectVersion1 } from '../support/connections/client-of-version-1.ts';
import { CONNECTIONS, type ConnectionKind } from '../support/connections/connection-kinds.ts';
import type { FeatureClientOptions } from '../support/connections/feature-client.ts';
import { callOf } from '../support/call-of.ts';
import { CALLS, createStaged, type StagedApplication } from '../support/staged-app.ts';

/** One more stage in each ring, which writes down that it was entered. */
function traced(stages: Rings, entered: string[]): Rings {
  return {
    request: {
      ...stages.request,
      observe: (target) => (next) => (call) => {
        entered.push(`request of ${target.kind} ${target.method}`);
        return next(call);
      },
    },
    conversation: {
      ...stages.conversation,
      limit: () => (next) => (call) => {
        entered.push('conversation');
        return next(call);
      },
    },
    attempt: {
      ...stages.attempt,
      slot: () => (next) => (attempt) => {
        entered.push('attempt');
        return next(attempt);
      },
    },
  };
}

type Connect = Pick<ConnectionKind, 'name' | 'connect'>;

const ATTACHED_VERSION_1: Connect = {
  name: 'attached to an SDK v1 server, in-memory',
  connect: async (app, options = {}) => {
    const server = new McpServer({ name: 'owner', version: '1.0.0' });
    app.attach(server);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    return connectVersion1(near, options);
  },
};

const ROUTES: readonly Connect[] = [...CONNECTIONS, ATTACHED_VERSION_1];

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function staged(): Promise<StagedApplication & { readonly entered: string[] }> {
  const entered: string[] = [];
  const made = await createStaged((stages) => traced(stages, entered));
  closing.push(() => made.close());
  return { ...made, entered };
}

async function connected(route: Connect, options?: FeatureClientOptions) {
  const { app, entered } = await staged();
  const client = await route.connect(app, options);
  closing.push(() => client.close());
  entered.length = 0;
  return { client, entered };
}

const KINDS: Readonly<Record<string, string>> = {
  'a tool': 'action',
  'a prompt': 'prompt',
  'a fixed resource': 'resource',
  'a resource template': 'resource',
  'a completion': 'completion',
};

describe.each(ROUTES.map((route) => [route.name, route] as const))('%s', (_name, route) => {
  test('enters each ring once, in their order, for everything that can be called', async () => {
    const { client, entered } = await connected(route);
    for (const [what, [method, params]] of Object.entries(CALLS)) {
      await client.send(method, params);
      expect([what, ...entered.splice(0)]).toEqual([
        what,
        `request of ${String(KINDS[what])} ${method}`,
        'conversation',
        'attempt',
      ]);
    }
  });

  test('enters the rings of request and conversation for what is not there, or is hidden', async () => {
    const { client, entered } = await connected(route);
    const misses = [
      ['tools/call', { name: 'notes', arguments: { action: 'secret' } }],
      ['tools/call', { name: 'notes', arguments: { action: 'unknown' } }],
      ['prompts/get', { name: 'unknown' }],
      ['resources/read', { uri: 'unknown://a' }],
    ] as const;
    for (const [method, params] of misses) {
      await client.send(method, params).catch(() => undefined);
      expect(entered.splice(0)).toEqual([`request of miss ${method}`, 'conversation']);
    }
  });

  test('enters them for lists', async () => {
    const { client, entered } = await connected(route);
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      await client.send(method);
      expect(entered.splice(0)).toEqual([`request of method ${method}`, 'conversation']);
    }
  });
});

/** The places between the validation and the handler, each of which writes down its name and the input it sees. */
function tracedPlaces(stages: Rings, entered: string[]): Rings {
  const place = (name: string): CompileStage => {
    return () => (next) => (attempt) => {
      entered.push(`${name} of ${JSON.stringify(attempt.input)}`);
      return next(attempt);
    };
  };
  const attempt = {
    ...stages.attempt,
    recall: place('recall'),
    confirm: place('confirm'),
    claim: place('claim'),
  };
  return { ...stages, attempt };
}

describe('recall, confirm and claim', () => {
  async function placed() {
    const entered: string[] = [];
    const { call, close } = await createStaged((stages) => tracedPlaces(stages, entered));
    closing.push(close);
    return { call, entered };
  }

  test('come in this order, after the validation', async () => {
    const { call, entered } = await placed();
    await call('notes', { action: 'add', topic: 'a' });
    const input = JSON.stringify({ topic: 'a' });
    expect(entered).toEqual([`recall of ${input}`, `confirm of ${input}`, `claim of ${input}`]);
  });

  test('are not reached by arguments that are invalid', async () => {
    const { call, entered } = await placed();
    expect(await call('notes', { action: 'add', topic: 1 })).toMatchObject({ isError: true });
    expect(entered).toEqual([]);
  });
});

describe('a route', () => {
  /** Each stage of the two outer rings writes down its place. */
  function tracedRoute(entered: string[]): Route {
    const place =
      (name: string): CompileRouteStage =>
      () =>
      (next) =>
      (call) => {
        entered.push(name);
        return next(call);
      };
    const ring = <Ring extends object>(places: Ring): Ring =>
      Object.fromEntries(Object.keys(places).map((name) => [name, place(name)])) as Ring;
    const stages: Rings = {
      request: ring(STAGES.request),
      // A call with answers goes on where one of that route was left
      conversation: { ...ring(STAGES.conversation), state: () => (_begin, resume) => resume },
      attempt: STAGES.attempt,
    };
    const target = { kind: 'action', method: 'tools/call', name: 'a', handler: undefined } as const;
    return compileRoute(target, { stages } as RouteSettings, () => resultOf({}));
  }

  const REQUEST = ['log', 'observe', 'audit', 'authorize', 'admit'];

  test.each<readonly [string, 'plain' | 'whole' | 'inner', readonly string[]]>([
    ['that begins a call', 'plain', [...REQUEST, 'limit', 'rounds']],
    ['that brings answers', 'whole', [...REQUEST, 'task', 'rounds']],
    ['in the process of a worker', 'inner', ['log', 'observe', 'audit']],
  ])('of a request %s has these stages', async (_what, way, expected) => {
    const entered: string[] = [];
    await tracedRoute(entered)[way](callOf());
    expect(entered).toEqual(expected);
  });
});

describe('app.call', () => {
  test('enters each ring once, in their order', async () => {
    const { call, entered } = await staged();
    await call('notes', { action: 'add', topic: 'a' });
    expect(entered).toEqual(['request of action tools/call', 'conversation', 'attempt']);
  });

  test('enters no attempt of what is hidden', async () => {
    const { call, entered } = await staged();
    expect(await call('notes', { action: 'secret' })).toMatchObject({ isError: true });
    expect(entered).toEqual(['request of miss tools/call', 'conversation']);
  });
});

describe('a call that asks', () => {
  const ASKING = ['tools/call', { name: 'notes', arguments: { action: 'ask' } }] as const;
  const accepting = { onElicitation: () => ({ action: 'accept', content: { reason: 'yes' } }) };
  const routesOf = (era: string) =>
    CONNECTIONS.filter(({ era: of, canBeAsked }) => canBeAsked && of === era).map(
      (route) => [route.name, route] as const,
    );

  test.each(routesOf('2026'))(
    'is one conversation of two requests, with an attempt in each: %s',
    async (_name, route) => {
      const { client, entered } = await connected(route, accepting);
      expect(await client.send(...ASKING)).toMatchObject({ content: [{ text: 'accept' }] });
      const request = 'request of action tools/call';
      expect(entered).toEqual([request, 'conversation', 'attempt', request, 'attempt']);
    },
  );

  test.each(routesOf('2025'))('is one request with one attempt: %s', async (_name, route) => {
    const { client, entered } = await connected(route, accepting);
    expect(await client.send(...ASKING)).toMatchObject({ content: [{ text: 'accept' }] });
    expect(entered).toEqual(['request of action tools/call', 'conversation', 'attempt']);
  });
});
