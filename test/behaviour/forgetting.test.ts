import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { StreamableHTTPClientTransport as TransportOfVersion2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsString } from 'class-validator';
import {
  Action,
  Budget,
  Idempotent,
  InMemoryStore,
  McpApplication,
  Module,
  RateLimit,
  Resource,
  ToolContext,
  ToolGroup,
  type ForgetReport,
} from 'toolwright';
import { ownerName } from '../../src/call/subject.ts';
import { testVerifier, tokenOf } from '../support/callers.ts';
import { connectVersion1 } from '../support/connections/client-of-version-1.ts';
import { connectVersion2 } from '../support/connections/client-of-version-2.ts';
import type { FeatureClient, FeatureClientOptions } from '../support/connections/feature-client.ts';
import { latch } from '../support/fake-application.ts';
import { usePostgresSchema } from '../support/postgres-backplane.ts';
import { createRandom } from '../support/random.ts';
import { openReplicas } from '../support/replicas.ts';
import { useRedis } from '../support/services/use-services.ts';
import { storesOf } from '../support/stored-texts.ts';
import { SharedMemory } from '../support/shared-memory.ts';

class Word {
  @IsString() word!: string;
}

let running = latch();
let stops: string[] = [];

@ToolGroup('notes')
@RateLimit({ limit: 1000, per: 'hour' })
class NoteTools {
  @Action() @Idempotent({ key: 'idempotencyKey' }) write({ word }: Word) {
    return `written ${word}`;
  }

  @Action() async ask({ word }: Word, ctx: ToolContext) {
    const answer = await ctx.ask(Word, `Which word after ${word}?`);
    return answer.action === 'accept' ? answer.content.word : answer.action;
  }

  @Action() @Budget({ bytes: 2000 }) long({ word }: Word) {
    return word.repeat(1000);
  }

  @Action({ task: true }) async later({ word }: Word, ctx: ToolContext) {
    await ctx.log(word, 'error');
    return word;
  }

  @Action() async wait({ word }: Word, ctx: ToolContext) {
    running.open();
    await new Promise((resolve) => {
      ctx.signal.addEventListener('abort', resolve);
    });
    stops.push(word);
  }

  @Resource('note://all') all() {
    return 'all';
  }
}

@Module({ controllers: [NoteTools] })
class NoteModule {}

const PEOPLE = ['ann', 'bob', 'cy'] as const;
const ACTIONS = ['write', 'ask', 'long', 'later'] as const;
type Name = (typeof PEOPLE)[number];
const ISSUER = 'https://issuer.example';
const markOf = (sub: string): string => ownerName({ issuer: ISSUER, sub, tenant: undefined });

const redis = useRedis();
const postgres = usePostgresSchema();
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  running = latch();
  stops = [];
});

const STORES = storesOf(redis, postgres);

async function connect(url: string, sub: Name, era: '2025' | '2026'): Promise<FeatureClient> {
  const person: FeatureClientOptions = {
    onElicitation: () => ({ action: 'accept', content: { word: `${sub} answers` } }),
  };
  const requestInit = { headers: { authorization: `Bearer ${tokenOf({ sub })}` } };
  const target = new URL(url);
  const client = await (era === '2025'
    ? connectVersion1(new StreamableHTTPClientTransport(target, { requestInit }), person)
    : connectVersion2(new TransportOfVersion2(target, { requestInit }), '2026', person));
  ends.push(() => client.close());
  return client;
}

const call = async (client: FeatureClient, action: string, args: object): Promise<string> => {
  const { content } = await client.callTool({ name: 'notes', arguments: { action, ...args } });
  return String((content as readonly { readonly text?: string }[])[0]?.text);
};

const OPTIONS = { auth: { verify: testVerifier } };

describe.each(Object.entries(STORES))('forgetting somebody, over %s', (_name, keptIn) => {
  test('leaves nothing of them in any store, and all of the others', async () => {
    const seed = 20261123;
    const random = createRandom(seed);
    const { backplane, dump } = keptIn();
    const opened = await openReplicas(NoteModule, { backplane, count: 2, ...OPTIONS, name: randomUUID() });
    ends.push(() => opened.close());
    const clients = new Map<Name, FeatureClient[]>();
    for (const sub of PEOPLE) {
      const both = ['2025', '2026'] as const;
      clients.set(sub, await Promise.all(both.map((era) => connect(opened.proxy.url, sub, era))));
    }
    const act = async (sub: Name, action = random.pick(ACTIONS)): Promise<void> => {
      // Questions of 2025 are not stored
      const client = action === 'ask' ? clients.get(sub)?.[1] : random.pick(clients.get(sub) ?? []);
      const [of2025] = clients.get(sub) ?? [];
      const word = `${sub}-${String(random.below(1e9))}`;
      const key = action === 'write' ? { idempotencyKey: word } : {};
      if (action === 'later') {
        const params = { name: 'notes', arguments: { action, word }, task: {} };
        expect(await of2025?.send('tools/call', params)).toHaveProperty('task');
        return;
      }
      expect(await call(client as FeatureClient, action, { word, ...key })).not.toContain('FAILED');
    };
    for (const sub of PEOPLE) {
      for (const action of ACTIONS) await act(sub, action);
      for (let turn = 0; turn < 8; turn += 1) await act(sub);
    }
    const count = async (sub: Name): Promise<number> =>
      (await dump()).filter((text) => text.includes(markOf(sub))).length;
    const before = { ann: await count('ann'), bob: await count('bob'), cy: await count('cy') };
    expect(Math.min(...Object.values(before))).toBeGreaterThan(5);
    const [one, other] = opened.replicas;
    const report = (await one?.app.forget({ issuer: ISSUER, subject: 'ann' })) as ForgetReport;
    expect(report.unsupported).toEqual([]);
    const { tasks, once, idempotency, results } = report.removed;
    expect(report.removed).toMatchObject({ limits: 1, sessions: 1 });
    expect(Math.min(...[tasks, once, idempotency, results].map(Number))).toBeGreaterThan(0);
    expect(Object.isFrozen(report.removed)).toBe(true);
    expect({ ann: await count('ann'), bob: await count('bob'), cy: await count('cy') }).toEqual({
      ...before,
      ann: 0,
    });
    // The name in clear is nowhere but in the answers to others, which are sealed
    expect((await dump()).filter((text) => text.includes('"ann'))).toEqual([]);
    const again = (await other?.app.forget({ issuer: ISSUER, subject: 'ann' })) as ForgetReport;
    expect(Object.values(again.removed).every((removed) => removed === 0)).toBe(true);
    // The others go on, in their sessions; she has to begin a new one
    for (const sub of ['bob', 'cy'] as const) {
      for (const client of clients.get(sub) ?? []) {
        expect(await call(client, 'write', { word: 'x', idempotencyKey: 'y' })).toBe('written x');
      }
    }
    const [old] = clients.get('ann') ?? [];
    await expect(call(old as FeatureClient, 'write', { word: 'x', idempotencyKey: 'z' })).rejects.toThrow();
    expect(
      await call(await connect(opened.proxy.url, 'ann', '2025'), 'write', { word: 'x', idempotencyKey: 'z' }),
    ).toBe('written x');
  });
});

describe('app.forget()', () => {
  test.each(['2025', '2026'] as const)('ends calls of a %s client at every instance', async (era) => {
    const opened = await openReplicas(NoteModule, { backplane: new SharedMemory(), count: 2, ...OPTIONS });
    ends.push(() => opened.close());
    const [one, other] = opened.replicas;
    const client = await connect(other?.url ?? '', 'ann', era);
    const waiting = call(client, 'wait', { word: 'ann' }).then(
      (text) => text,
      (error: unknown) => String(error),
    );
    await running.promise;
    await one?.app.forget({ issuer: ISSUER, subject: 'ann' });
    expect(await waiting).not.toBe('');
    expect(stops).toEqual(['ann']);
  });

  test('lets the session live that a person begins before other instances have removed the rest', async () => {
    const memory = new SharedMemory();
    const { store } = memory.ports;
    const opened = await openReplicas(NoteModule, { backplane: memory, count: 2, ...OPTIONS });
    ends.push(() => opened.close());
    const [one, other] = opened.replicas;
    const write = { word: 'x', idempotencyKey: 'y' };
    await call(await connect(other?.url ?? '', 'ann', '2025'), 'write', write);
    const forget = store.forget.bind(store);
    const isRemovedAgain = latch();
    let removals = 0;
    store.forget = async (collection, owner) => {
      if (collection === 'idempotency') removals += 1;
      if (removals > 1) isRemovedAgain.open();
      return forget(collection, owner);
    };
    await one?.app.forget({ issuer: ISSUER, subject: 'ann' });
    const anew = await connect(other?.url ?? '', 'ann', '2025');
    await isRemovedAgain.promise;
    expect(await call(anew, 'write', write)).toBe('written x');
  });

  test('works without a backplane, in memory and without an audit, and again finds nothing', async () => {
    const app = await McpApplication.create(NoteModule, { ...OPTIONS, name: 'alone' });
    ends.push(() => app.close());
    const { url } = await app.listen(0);
    for (const era of ['2025', '2026'] as const) {
      const client = await connect(url, 'bob', era);
      expect(await call(client, 'write', { word: 'a', idempotencyKey: era })).toBe('written a');
      await call(client, 'long', { word: 'long' });
    }
    const { removed, ended, unsupported } = await app.forget({ issuer: ISSUER, subject: 'bob' });
    expect(removed).toMatchObject({ idempotency: 2, results: 2, limits: 1 });
    expect({ ended, unsupported }).toEqual({ ended: { calls: 0, connections: 1 }, unsupported: [] });
    const again = await app.forget({ issuer: ISSUER, subject: 'bob' });
    expect(Object.values(again.removed).every((each) => each === 0)).toBe(true);
  });

  test('distinguishes issuers, tenants and subjects', async () => {
    const app = await McpApplication.create(NoteModule, { ...OPTIONS, name: 'alone' });
    ends.push(() => app.close());
    const { url } = await app.listen(0);
    await call(await connect(url, 'bob', '2026'), 'write', { word: 'a', idempotencyKey: 'b' });
    for (const person of [
      { subject: 'bob' },
      { issuer: ISSUER, subject: 'Bob' },
      { issuer: ISSUER, subject: 'bob', tenant: 'a' },
    ]) {
      expect((await app.forget(person)).removed).toMatchObject({ idempotency: 0 });
    }
    expect((await app.forget({ issuer: ISSUER, subject: 'bob' })).removed).toMatchObject({ idempotency: 1 });
    await expect(app.forget({ subject: '' })).rejects.toThrow('TW_APPLICATION_OPTION');
  });

  test('says which stores failed and which are done, and finishes when it is called again', async () => {
    const memory = new SharedMemory();
    const { store } = memory.ports;
    const { forget } = store;
    let isDown = true;
    store.forget = (collection, owner) =>
      isDown && collection === 'once'
        ? Promise.reject(new Error('down'))
        : forget.call(store, collection, owner);
    const opened = await openReplicas(NoteModule, { backplane: memory, count: 1, ...OPTIONS });
    ends.push(() => opened.close());
    const client = await connect(opened.proxy.url, 'cy', '2026');
    await call(client, 'ask', { word: 'a' });
    await call(client, 'write', { word: 'a', idempotencyKey: 'b' });
    const app = opened.replicas[0]?.app as McpApplication;
    const failure: unknown = await app
      .forget({ issuer: ISSUER, subject: 'cy' })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'TW_FORGET_INCOMPLETE' });
    expect(String(failure)).toMatch(/these stores failed: once\.[^]*these are done: tasks, idempotency/);
    isDown = false;
    const { removed } = await app.forget({ issuer: ISSUER, subject: 'cy' });
    expect(removed).toMatchObject({ once: 1, idempotency: 0 });
  });

  test('removes what instances have left that are gone', async () => {
    const memory = new SharedMemory();
    const opened = await openReplicas(NoteModule, { backplane: memory, count: 1, ...OPTIONS });
    ends.push(() => opened.close());
    for (const sub of ['ann', 'bob']) {
      const key = `${markOf(sub)}.session`;
      await memory.ports.store.put('sessions', key, { value: 'sealed', ttl: 60_000 });
      await memory.ports.events.storeEvent(`${key}:stream`, {}, key);
    }
    const report = await opened.replicas[0]?.app.forget({ issuer: ISSUER, subject: 'ann' });
    expect(report?.removed).toMatchObject({ sessions: 1, events: 1 });
    expect([memory.ports.store.size, memory.ports.events.size]).toEqual([1, 1]);
  });

  test('names the stores that cannot forget', async () => {
    const memory = new InMemoryStore();
    const store = {
      get: memory.get.bind(memory),
      put: memory.put.bind(memory),
      delete: memory.delete.bind(memory),
    };
    const app = await McpApplication.create(NoteModule, { ...OPTIONS, name: 'own', backplane: { store } });
    ends.push(() => app.close());
    const { removed, unsupported } = await app.forget({ issuer: ISSUER, subject: 'cy' });
    expect([...unsupported].sort()).toEqual(['idempotency', 'once', 'results', 'sessions', 'state']);
    expect(removed).not.toHaveProperty('idempotency');
  });
});
