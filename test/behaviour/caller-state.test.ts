import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { StreamableHTTPClientTransport as TransportOfVersion2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { IsString } from 'class-validator';
import fc from 'fast-check';
import {
  Action,
  createStateKey,
  createTool,
  InMemoryStore,
  McpApplication,
  Module,
  ToolContext,
  ToolGroup,
  ToolRegistry,
  toolContextOf,
  type ApplicationOptions,
  type RequestContext,
  type StateKeyOptions,
  type Store,
} from 'toolwright';
import { FakeToolContext } from 'toolwright/testing';
import { testVerifier, tokenOf } from '../support/callers.ts';
import { connectVersion1 } from '../support/connections/client-of-version-1.ts';
import { connectVersion2 } from '../support/connections/client-of-version-2.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { post2026 } from '../support/client-of-2026.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { usePostgresSchema } from '../support/postgres-backplane.ts';
import { openReplicas } from '../support/replicas.ts';
import { useRedis } from '../support/services/use-services.ts';
import { storesOf, type StoredTexts } from '../support/stored-texts.ts';

const WORDS = createStateKey<readonly string[]>('words', { ttl: 60_000, maxBytes: 2000 });
const OTHER = createStateKey<unknown>('other', { maxBytes: 1024 * 1024 });

class Word {
  @IsString() word!: string;
}

let kept: unknown;
/** Runs between what an update has read and what it writes. */
let between = async (): Promise<void> => undefined;

@ToolGroup('notes')
class Notes {
  @Action() async add({ word }: Word, ctx: ToolContext) {
    const words = await ctx.state(WORDS).update(async (before = []) => {
      await between();
      return [...before, word];
    });
    return JSON.stringify(words);
  }

  @Action() async all(ctx: ToolContext) {
    return JSON.stringify((await ctx.state(WORDS).get()) ?? null);
  }

  @Action() async replace({ word }: Word, ctx: ToolContext) {
    await ctx.state(WORDS).set([word]);
    return 'replaced';
  }

  @Action() async remove(ctx: ToolContext) {
    return String(await ctx.state(WORDS).delete());
  }

  @Action() async clear(ctx: ToolContext) {
    const words = await ctx.state(WORDS).update(async (before) => {
      await between();
      return before?.includes('keep me') === true ? before : undefined;
    });
    return JSON.stringify(words ?? null);
  }

  @Action() async keep(ctx: ToolContext) {
    await ctx.state(OTHER).set(kept);
    return 'kept';
  }

  @Action() async ask({ word }: Word, ctx: ToolContext) {
    await ctx.step('add', async () => {
      await ctx.state(WORDS).update((before = []) => [...before, word]);
    });
    const answer = await ctx.ask(Word, 'Which?');
    return answer.action;
  }
}

@Module({ controllers: [Notes] })
class NoteModule {}

const ISSUER = 'https://issuer.example';
const redis = useRedis();
const postgres = usePostgresSchema();
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  between = async () => undefined;
});

async function connect(url: string, sub: string, era: '2025' | '2026'): Promise<FeatureClient> {
  const requestInit = { headers: { authorization: `Bearer ${tokenOf({ sub })}` } };
  const person = { onElicitation: () => ({ action: 'accept' as const, content: { word: 'yes' } }) };
  const client = await (era === '2025'
    ? connectVersion1(new StreamableHTTPClientTransport(new URL(url), { requestInit }), person)
    : connectVersion2(new TransportOfVersion2(new URL(url), { requestInit }), '2026', person));
  ends.push(() => client.close());
  return client;
}

async function say(client: FeatureClient, action: string, word?: string): Promise<string> {
  const { content } = await client.callTool({
    name: 'notes',
    arguments: { action, ...(word !== undefined && { word }) },
  });
  return String((content as readonly { readonly text?: string }[])[0]?.text);
}

async function start(options: ApplicationOptions = {}) {
  const logger = new MemoryLogger();
  const app = await McpApplication.create(NoteModule, { name: 'notes', logger, ...options });
  ends.push(() => app.close());
  const textOf = async (action: string, args: object = {}, sub?: string): Promise<string> => {
    const authInfo = { token: 't', clientId: 'c', scopes: [], extra: { sub, issuer: ISSUER } };
    const { content } = await app.call('notes', { action, ...args }, sub === undefined ? {} : { authInfo });
    return String((content as readonly { readonly text?: string }[])[0]?.text);
  };
  return { app, logger, textOf };
}

const IN_MEMORY = (): StoredTexts => {
  const store = new InMemoryStore();
  return { backplane: { open: () => Promise.resolve({ store }) }, dump: () => Promise.resolve([]) };
};

describe.each(Object.entries({ memory: IN_MEMORY, ...storesOf(redis, postgres) }))(
  'state in %s',
  (_name, keptIn) => {
    test('is one for all clients of a person, in both eras and over replicas', async () => {
      const { backplane, dump } = keptIn();
      const auth = { verify: testVerifier };
      const opened = await openReplicas(NoteModule, { backplane, count: 2, auth, name: randomUUID() });
      ends.push(() => opened.close());
      const old = await connect(opened.proxy.url, 'ann', '2025');
      const recent = await connect(opened.proxy.url, 'ann', '2026');
      const bob = await connect(opened.proxy.url, 'bob', '2026');
      expect(await say(old, 'all')).toBe('null');
      await say(old, 'add', 'one');
      await say(recent, 'add', 'two');
      expect(await say(bob, 'all')).toBe('null');
      expect(await say(await connect(opened.proxy.url, 'ann', '2025'), 'all')).toBe('["one","two"]');
      for (const text of await dump()) expect(text).not.toContain('"two"');
      // However many calls change it at once, none is lost
      const many = Array.from({ length: 20 }, (_, index) => `w${String(index)}`);
      await Promise.all(many.map((word, index) => say(index % 2 === 0 ? old : recent, 'add', word)));
      const all = JSON.parse(await say(recent, 'all')) as string[];
      expect(all.sort()).toEqual(['one', 'two', ...many].sort());
      await say(bob, 'add', 'mine');
      const report = await opened.replicas[0]?.app.forget({ issuer: ISSUER, subject: 'ann' });
      expect(report?.removed['state']).toBe(1);
      expect([await say(recent, 'all'), await say(bob, 'all')]).toEqual(['null', '["mine"]']);
    });

    test('is changed once by a step of a handler that asks its client', async () => {
      const { backplane } = keptIn();
      const auth = { verify: testVerifier };
      const opened = await openReplicas(NoteModule, { backplane, count: 1, auth, name: randomUUID() });
      ends.push(() => opened.close());
      for (const era of ['2025', '2026'] as const) {
        const client = await connect(opened.proxy.url, era, era);
        expect(await say(client, 'ask', 'once')).toBe('accept');
        expect(await say(client, 'all')).toBe('["once"]');
      }
    });
  },
);

test('a value of any kind is what a map of the calls before would have', async () => {
  const { textOf } = await start();
  const step = fc.record({
    sub: fc.constantFrom('ann', 'bob', undefined),
    action: fc.constantFrom('add', 'replace', 'remove', 'clear', 'all'),
    word: fc.string({ maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const model = new Map<string | undefined, readonly string[]>();
      for (const sub of ['ann', 'bob', undefined]) await textOf('remove', {}, sub);
      for (const { sub, action, word } of steps) {
        const text = await textOf(action, action === 'add' || action === 'replace' ? { word } : {}, sub);
        const before = model.get(sub);
        if (action === 'remove') expect(text).toBe(String(before !== undefined));
        if (action === 'all') expect(text).toBe(JSON.stringify(before ?? null));
        if (action === 'add') model.set(sub, [...(before ?? []), word]);
        else if (action === 'replace') model.set(sub, [word]);
        else if (action !== 'all') model.delete(sub);
      }
    }),
    { numRuns: 20 },
  );
});

test('a change that another call was faster with is made again', async () => {
  const { textOf } = await start();
  let isFirst = true;
  between = async () => {
    if (!isFirst) return;
    isFirst = false;
    await textOf('replace', { word: 'faster' });
  };
  expect(await textOf('add', { word: 'later' })).toBe('["faster","later"]');
});

test('a change to nothing does not remove what another call has put there', async () => {
  const { textOf } = await start();
  await textOf('add', { word: 'old' });
  let isFirst = true;
  between = async () => {
    if (!isFirst) return;
    isFirst = false;
    await textOf('replace', { word: 'keep me' });
  };
  expect(await textOf('clear')).toBe('["keep me"]');
});

test('a value that is larger than its key allows leaves the one before', async () => {
  const { textOf } = await start();
  await textOf('add', { word: 'a' });
  expect(await textOf('replace', { word: 'x'.repeat(2000) })).toContain('INTERNAL_ERROR');
  expect(await textOf('all')).toBe('["a"]');
  expect(await textOf('replace', { word: 'x'.repeat(1990) })).toBe('replaced');
});

test('it ends with its time, which begins with each write', async () => {
  let now = 0;
  const { textOf } = await start({ backplane: { store: new InMemoryStore({}, () => now) } });
  await textOf('add', { word: 'a' });
  now = 59_000;
  await textOf('add', { word: 'b' });
  now = 118_000;
  expect(await textOf('all')).toBe('["a","b"]');
  now = 119_001;
  expect(await textOf('all')).toBe('null');
});

test.each([
  ['is too large', 'x'.repeat(1024 * 1024), 'may have 1048576'],
  ['is a Date', new Date(0), 'a Date'],
  ['has what JSON leaves out', { of: [1, Symbol('s')] }, 'at "of.1"'],
  ['has no end', Infinity, 'Infinity'],
])('a value that %s is an error of the handler, and is not kept', async (_what, value, words) => {
  const { app, textOf, logger } = await start();
  kept = value;
  expect(await textOf('keep')).toContain('INTERNAL_ERROR');
  expect(String(logger.records.find(({ event }) => event === 'call.failed')?.['error'])).toContain(words);
  kept = 1;
  expect(await textOf('keep')).toBe('kept');
  await app.close();
});

test('all that one caller has is bounded', async () => {
  const { textOf } = await start();
  kept = 'x'.repeat(1024 * 1024 - 1000);
  expect(await textOf('keep', {}, 'ann')).toBe('kept');
  expect(await textOf('add', { word: 'y'.repeat(1500) }, 'ann')).toContain('INTERNAL_ERROR');
  expect(await textOf('add', { word: 'y'.repeat(1500) }, 'bob')).toContain('yyy');
});

test('a store that is away is an answer for the client, and one record of the log', async () => {
  const inner = new InMemoryStore();
  let isAway = true;
  const ask = <T>(run: () => Promise<T>): Promise<T> => (isAway ? Promise.reject(new Error('away')) : run());
  const store: Store = {
    get: (...given) => ask(() => inner.get(...given)),
    put: (...given) => ask(() => inner.put(...given)),
    delete: (...given) => ask(() => inner.delete(...given)),
  };
  const { textOf, logger } = await start({ backplane: { store } });
  for (const action of ['all', 'remove', 'clear']) expect(await textOf(action)).toContain('TRY_AGAIN_LATER');
  isAway = false;
  expect(await textOf('add', { word: 'a' })).toBe('["a"]');
  const levels = logger.records.flatMap(({ event, level }) =>
    event === 'backplane.store-failed' ? level : [],
  );
  expect(levels).toEqual(['error', 'notice']);
});

test('an anonymous caller over HTTP has none, and one without a token on this machine has', async () => {
  const { app, textOf } = await start();
  const { url } = await app.listen({ port: 0 });
  const params = { name: 'notes', arguments: { action: 'all' } };
  const { body } = await post2026(url, 'tools/call', params);
  expect(body).toContain('UNAUTHENTICATED');
  await textOf('add', { word: 'local' });
  expect(await textOf('all')).toBe('["local"]');
});

test('a value is sealed with the first of the secrets, and read with each', async () => {
  const store = new InMemoryStore();
  const SECRETS = ['a first secret that is long enough', 'another secret that is long enough'] as const;
  const first = await start({ backplane: { store }, secrets: [SECRETS[0]] });
  await first.textOf('add', { word: 'hidden' }, 'ann');
  const both = await start({ backplane: { store }, secrets: [SECRETS[1], SECRETS[0]] });
  expect(await both.textOf('all', {}, 'ann')).toBe('["hidden"]');
  const gone = await start({ backplane: { store }, secrets: [SECRETS[1]] });
  expect(await gone.textOf('all', {}, 'ann')).toBe('null');
  expect(await gone.textOf('add', { word: 'new' }, 'ann')).toBe('["new"]');
});

test('applications that share a store have their own', async () => {
  const store = new InMemoryStore();
  const one = await start({ backplane: { store }, name: 'one' });
  const other = await start({ backplane: { store }, name: 'other' });
  await one.textOf('add', { word: 'a' }, 'ann');
  expect(await other.textOf('all', {}, 'ann')).toBe('null');
});

test('a context that nothing serves has none', () => {
  const request = { requestId: 1 } as unknown as RequestContext;
  expect(() => toolContextOf(undefined, request).state(WORDS)).toThrow('needs an application');
});

test('an anonymous caller on a server of the SDK has none', async () => {
  const server = new McpServer({ name: 'existing', version: '1.0.0' });
  const tool = createTool('alone').action({
    name: 'all',
    handler: (_input, ctx) => (ctx as ToolContext).state(WORDS).get(),
  });
  new ToolRegistry().register(tool).attachToServer(server, { contextFactory: toolContextOf });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await server.connect(far);
  await client.connect(near);
  ends.push(() => client.close());
  const { content } = await client.callTool({ name: 'alone', arguments: { action: 'all' } });
  expect(JSON.stringify(content)).toContain('UNAUTHENTICATED');
});

test('a fake context keeps it in memory', async () => {
  const ctx = new FakeToolContext();
  expect(await new Notes().add(Object.assign(new Word(), { word: 'a' }), ctx)).toBe('["a"]');
  expect(await ctx.state(WORDS).get()).toEqual(['a']);
  expect(await new FakeToolContext().state(WORDS).get()).toBeUndefined();
});

test.each([
  ['', {}, 'name'],
  ['two words', {}, 'name'],
  ['a', { ttl: 0 }, 'ttl'],
  ['a', { maxBytes: 1024 * 1024 + 1 }, 'maxBytes'],
  ['a', { size: 1 } as StateKeyOptions, 'size'],
])('a key of name %j and options %j is refused', (name, options, words) => {
  expect(() => createStateKey(name, options)).toThrow(words);
});
