import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { InMemoryStore, type ApplicationOptions } from 'toolwright';
import { postgresBackplane } from 'toolwright/postgres';
import { redisBackplane } from 'toolwright/redis';
import { Records } from '../../src/sign-in/records.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { usePostgresSchema } from '../support/postgres-backplane.ts';
import { CLIENTS } from '../support/redis-ports.ts';
import { OwnPostgres } from '../support/services/own-postgres.ts';
import { OwnRedis } from '../support/services/own-redis.ts';
import { useRedis } from '../support/services/use-services.ts';
import { Browser } from '../support/sign-in/browser.ts';
import {
  HandClient,
  isCallback,
  SECRET,
  startReplicas,
  type Replicas,
  type Tokens,
} from '../support/sign-in/desk.ts';

const redis = useRedis();
const postgres = usePostgresSchema();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A store that several instances share, and everything that is in it. */
interface Shared {
  readonly options: () => ApplicationOptions;
  readonly values: () => Promise<string>;
}

const STORES: readonly (readonly [string, () => Shared])[] = [
  [
    'memory',
    () => {
      const store = new InMemoryStore();
      const kept: string[] = [];
      const put = store.put.bind(store);
      store.put = (collection, key, write) => {
        kept.push(`${key} ${write.value}`);
        return put(collection, key, write);
      };
      return { options: () => ({ backplane: { store } }), values: async () => kept.join('\n') };
    },
  ],
  [
    'Redis',
    () => {
      const name = `desk-${String(Math.random()).slice(2)}`;
      const made = (): ApplicationOptions => {
        const client = (CLIENTS['ioredis'] as (url: string) => never)(redis.url);
        return { name, backplane: redisBackplane({ client, timeout: 60_000 }) };
      };
      return { options: made, values: async () => '' };
    },
  ],
  [
    'PostgreSQL',
    () => ({
      options: () => ({ backplane: postgresBackplane({ pool: postgres.pool, schema: postgres.schema }) }),
      values: async () => '',
    }),
  ],
];

async function started(
  make: () => Shared,
  count = 2,
): Promise<Replicas & { readonly values: Shared['values'] }> {
  const shared = make();
  const replicas = await startReplicas(count, shared.options);
  closing.push(() => replicas.close());
  return { ...replicas, values: shared.values };
}

describe.each(STORES)('with the state in %s', (_name, make) => {
  test('66: each request of a sign-in may reach another instance', async () => {
    const desk = await started(make);
    const all = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = await HandClient.register(desk.origin, {}, desk.ask);
        return client.tokens(new Browser(desk.ask));
      }),
    );
    expect(all.every(({ access_token: token }) => token !== '')).toBe(true);
  });

  test('66: every instance may be replaced after every step', async () => {
    const desk = await started(make, 1);
    let requests = 0;
    const restarting = (async (input: string, init?: RequestInit) => {
      const answer = await desk.ask(input, init);
      if (input.startsWith(desk.origin)) {
        requests += 1;
        // What is in the memory of a process alone is lost with it
        await desk.restart(0);
      }
      return answer;
    }) as typeof fetch;
    const client = await HandClient.register(desk.origin, {}, restarting);
    const tokens = await client.tokens(new Browser(restarting));
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect(requests).toBeGreaterThanOrEqual(8);
  });

  test('67, 11: a refresh twice at once counts twice, and a code once', async () => {
    const desk = await started(make);
    const client = await HandClient.register(desk.origin, {}, desk.ask);
    const answer = await client.signIn(new Browser(desk.ask));
    const code = answer.get('code') ?? '';
    const redeemed = await Promise.all([client.redeem(code), client.redeem(code)]);
    expect(redeemed.filter(({ status }) => status === 200)).toHaveLength(1);
    const tokens = await client.tokens(new Browser(desk.ask));
    const refreshed = await Promise.all([
      client.refresh(tokens.refresh_token),
      client.refresh(tokens.refresh_token),
    ]);
    expect(refreshed.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('what is in the store', () => {
  test('43: nothing can be read from it', async () => {
    const desk = await started((STORES[0] as (typeof STORES)[number])[1]);
    const client = await HandClient.register(desk.origin, {}, desk.ask);
    const tokens = await client.tokens(new Browser(desk.ask));
    const values = await desk.values();
    expect(values).not.toBe('');
    for (const secret of [tokens.refresh_token, tokens.access_token, 'desk:read', client.id])
      expect(values).not.toContain(secret);
    // As a word: what is sealed may have any three letters in a row
    expect(values).not.toMatch(/(?<![\w-])ann(?![\w-])/);
  });

  test('44: a value that was copied to another key is not there', async () => {
    const store = new InMemoryStore();
    const records = new Records(store, { server: 'desk', secrets: [SECRET], logger: new MemoryLogger() });
    const keys: string[] = [];
    const put = store.put.bind(store);
    store.put = (collection, key, write) => {
      keys.push(key);
      return put(collection, key, write);
    };
    await records.put('Grant', 'one', 'of ann', { ttl: 60_000 });
    await records.put('Grant', 'two', 'of ben', { ttl: 60_000 });
    expect((await records.get('Grant', 'one'))?.value).toBe('of ann');
    const copied = await store.get('signIns', keys[1] ?? '');
    await put('signIns', keys[0] ?? '', { value: copied?.value ?? '', ttl: 60_000 });
    expect(await records.get('Grant', 'one')).toBeUndefined();
    expect((await records.get('Grant', 'two'))?.value).toBe('of ben');
  });

  test('80: what was ended on one instance is refused by the others', async () => {
    const desk = await started((STORES[0] as (typeof STORES)[number])[1]);
    const client = await HandClient.register(desk.origin, {}, desk.ask);
    const tokens = await client.tokens(new Browser(desk.ask));
    const [first, second] = desk.apps;
    const listed = await first?.signIn.list({ sub: 'ann' });
    expect(listed).toMatchObject([{ scopes: ['desk:read'] }]);
    expect(await first?.signIn.end({ sub: 'ann' })).toBe(1);
    expect(await second?.signIn.list({ sub: 'ann' })).toEqual([]);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(400);
    expect((await called(second, tokens)).status).toBe(401);
  });

  test('80: what was ended stays ended: after app.forget, and for who knew it with the store gone', async () => {
    const store = new InMemoryStore();
    const desk = await startReplicas(2, () => ({ backplane: { store } }));
    closing.push(() => desk.close());
    const client = await HandClient.register(desk.origin, {}, desk.ask);
    const tokens = await client.tokens(new Browser(desk.ask));
    const [first, second] = desk.apps;
    await first?.signIn.end({ sub: 'ann' });
    await first?.forget({ issuer: desk.origin, subject: 'ann' });
    expect((await called(second, tokens)).status).toBe(401);
    store.get = () => Promise.reject(new Error('gone'));
    expect((await called(first, tokens)).status).toBe(401);
    expect((await called(second, tokens)).status).toBe(401);
  });

  test('app.forget removes the sign-ins of a person, and ends their tokens', async () => {
    const desk = await started((STORES[0] as (typeof STORES)[number])[1]);
    const client = await HandClient.register(desk.origin, {}, desk.ask);
    const tokens = await client.tokens(new Browser(desk.ask));
    const report = await desk.apps[0]?.forget({ issuer: desk.origin, subject: 'ann' });
    expect(report?.removed['signIns']).toBeGreaterThanOrEqual(3);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(400);
    expect((await called(desk.apps[1], tokens)).status).toBe(401);
  });

  test('70: a secret that is rotated in the middle of a sign-in; the old one dropped', async () => {
    const store = new InMemoryStore();
    let secrets = [SECRET];
    const desk = await startReplicas(1, () => ({ backplane: { store }, secrets: () => secrets }));
    closing.push(() => desk.close());
    const client = await HandClient.register(desk.origin, {}, desk.ask);
    const browser = new Browser(desk.ask);
    const page = await browser.open(client.authorizationUrl(), isCallback);
    secrets = ['another secret of thirty-two bytes', SECRET];
    const { searchParams } = new URL((await browser.press(page, 'allow', isCallback)).url);
    const tokens = (await (await client.redeem(searchParams.get('code') ?? '')).json()) as Tokens;
    expect((await called(desk.apps[0], tokens)).status).toBe(200);
    secrets = ['another secret of thirty-two bytes'];
    expect((await client.refresh(tokens.refresh_token)).status).toBe(401);
  });

  test('71: a store that fails costs nobody a token', async () => {
    const store = new InMemoryStore();
    const desk = await startReplicas(1, () => ({ backplane: { store } }));
    closing.push(() => desk.close());
    const client = await HandClient.register(desk.origin, {}, desk.ask);
    const tokens = await client.tokens(new Browser(desk.ask));
    const { get } = store;
    store.get = () => Promise.reject(new Error('gone'));
    const refused = await client.refresh(tokens.refresh_token);
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      503,
      'temporarily_unavailable',
    ]);
    expect((await called(desk.apps[0], tokens)).status).toBe(200);
    expect((await HandClient.register(desk.origin, {}, desk.ask)).id).not.toBe('');
    store.get = get;
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });
});

/** A service that hangs and dies, and a backplane on it. */
interface Failing extends AsyncDisposable {
  readonly backplane: () => NonNullable<ApplicationOptions['backplane']>;
  suspend(): Promise<void>;
  resume(): Promise<void>;
  kill(): Promise<void>;
  startAgain(): Promise<void>;
}

async function failingRedis(): Promise<Failing> {
  const own = await OwnRedis.start('--appendonly', 'yes', '--appendfsync', 'always');
  const client = (CLIENTS['ioredis'] as (url: string) => never)(own.url);
  return Object.assign(own, { backplane: () => redisBackplane({ client, timeout: 300 }) });
}

async function failingPostgres(): Promise<Failing> {
  const own = await OwnPostgres.start();
  const pool = new Pool({
    connectionString: own.url,
    ...{ connectionTimeoutMillis: 300, statement_timeout: 300, query_timeout: 300 },
  });
  pool.on('error', () => {});
  closing.push(() => pool.end());
  const backplane = () => postgresBackplane({ pool, migrate: 'auto' });
  return Object.assign(own, { backplane, startAgain: () => own.restart() });
}

test.each([
  ['Redis', failingRedis],
  ['PostgreSQL', failingPostgres],
])(
  '71: a %s that hangs, dies and comes back costs nobody a token, and sign-ins go on by themselves',
  async (_name, start) => {
    await using own = await start();
    const desk = await startReplicas(1, () => ({ backplane: own.backplane() }));
    closing.push(() => desk.close());
    const program = await HandClient.register(desk.origin, {}, desk.ask);
    const tokens = await program.tokens(new Browser(desk.ask));
    const refused = async (): Promise<unknown[]> => {
      const answer = await program.refresh(tokens.refresh_token);
      return [answer.status, answer.headers.get('retry-after'), await answer.json()];
    };
    const unavailable = [503, '5', expect.objectContaining({ error: 'temporarily_unavailable' })];
    const worksAgain = async (): Promise<void> => {
      // A turn for what comes from Redis: requests in the process that are refused at once would never let it in
      while ((await program.refresh(tokens.refresh_token)).status !== 200) await nextTurn();
      expect((await program.tokens(new Browser(desk.ask))).access_token).not.toBe('');
    };
    await own.suspend();
    expect(await refused()).toEqual(unavailable);
    const asked = await desk.ask(program.authorizationUrl());
    expect(asked.headers.get('location')).toContain('error=temporarily_unavailable');
    expect((await called(desk.apps[0], tokens)).status).toBe(200);
    await own.resume();
    await worksAgain();
    await own.kill();
    expect(await refused()).toEqual(unavailable);
    expect((await called(desk.apps[0], tokens)).status).toBe(200);
    await own.startAgain();
    await worksAgain();
  },
);

async function called(app: Replicas['apps'][number] | undefined, tokens: Tokens): Promise<Response> {
  const headers = {
    ...{ authorization: `Bearer ${tokens.access_token}`, accept: 'application/json, text/event-stream' },
    'content-type': 'application/json',
  };
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '0' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const request = new Request('https://desk.example/mcp', { method: 'POST', headers, body });
  return (await app?.fetch(request)) ?? Response.error();
}
