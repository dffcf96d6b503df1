import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { StreamableHTTPClientTransport as TransportOfVersion2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsString } from 'class-validator';
import {
  Action,
  Budget,
  Concurrency,
  Destructive,
  Idempotent,
  InMemoryWorkQueue,
  Module,
  RateLimit,
  Resource,
  Sensitive,
  ToolContext,
  ToolGroup,
  type Backplane,
} from 'toolwright';
import { InMemoryAuditStore } from 'toolwright/audit';
import { testVerifier, tokenOf, type TestCaller } from '../support/callers.ts';
import { connectVersion1 } from '../support/connections/client-of-version-1.ts';
import { connectVersion2 } from '../support/connections/client-of-version-2.ts';
import type { FeatureClient, FeatureClientOptions } from '../support/connections/feature-client.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { usePostgresSchema } from '../support/postgres-backplane.ts';
import { createRandom } from '../support/random.ts';
import { openReplicas } from '../support/replicas.ts';
import { SharedMemory } from '../support/shared-memory.ts';
import { storesOf, type StoredTexts } from '../support/stored-texts.ts';
import { useRedis } from '../support/services/use-services.ts';
import { TaskRequests } from '../support/task-requests.ts';

const KEY = 'sk-live-0123456789';

class Code {
  @IsString() @Sensitive() code!: string;
}
class Word {
  @IsString() word!: string;
}

/** Gives away all that it was given, in each way that leaves something in a store. */
@ToolGroup('vault')
@RateLimit({ limit: 10_000, per: 'hour' })
@Concurrency({ limit: 100 })
class VaultTools {
  @Action() @Idempotent({ key: 'arguments' }) keep({ code }: Code): string {
    return `${code} ${KEY}`;
  }
  @Action() @Idempotent({ key: 'arguments' }) lose({ code }: Code): never {
    throw new Error(`lost ${code} ${KEY}`, { cause: code });
  }
  @Action() async ask({ code }: Code, ctx: ToolContext): Promise<string> {
    const before = await ctx.step('before', () => `${code} ${KEY}`);
    const answer = await ctx.ask(Word, `Which word after ${before}?`);
    return answer.action === 'accept' ? answer.content.word : answer.action;
  }
  @Action() @Budget({ bytes: 2000 }) long({ code }: Code): string {
    return `${code} ${KEY} `.repeat(200);
  }
  @Action() @Destructive({ confirm: 'twice' }) remove({ code }: Code): string {
    return code;
  }
  @Action({ task: true }) async later({ code }: Code, ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 2, `${code} ${KEY}`);
    await ctx.log(`${code} ${KEY}`, 'error');
    return `${code} ${KEY}`;
  }
  @Action({ task: true }) async failLater({ code }: Code, ctx: ToolContext): Promise<never> {
    await ctx.progress(1, 2, code);
    throw new Error(`lost ${code} ${KEY}`);
  }
  @Action({ task: { queue: 'codes' } }) async queued({ code }: Code, ctx: ToolContext): Promise<string> {
    await ctx.progress(1, 2, code);
    return `${code} ${KEY}`;
  }
  @Action({ task: { queue: 'codes' } }) failQueued({ code }: Code): never {
    throw new Error(`lost ${code} ${KEY}`);
  }
  @Action() async stream({ code }: Code, ctx: ToolContext): Promise<string> {
    await ctx.log(`${code} ${KEY}`, 'error');
    await ctx.progress(1, 2, code);
    return code;
  }
  @Resource('vault://codes/{code}') open({ code }: Code): string {
    return code;
  }
}
@Module({ controllers: [VaultTools] })
class VaultModule {}

const TASKS = ['later', 'failLater', 'queued', 'failQueued'] as const;
const CALLS = ['keep', 'lose', 'ask', 'long', 'remove', 'stream', ...TASKS] as const;

const redis = useRedis();
const postgres = usePostgresSchema();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A store, and all that it was ever given. */
function recorded<Store extends object>(store: Store, given: string[]): Store {
  return new Proxy(store, {
    get: (_, name) => {
      const member: unknown = Reflect.get(store, name, store);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        given.push(inspect(args, { depth: 9, maxStringLength: null }));
        return Reflect.apply(member, store, args);
      };
    },
  });
}

/** The queue is always this one: what it is given is looked at, wherever the rest is kept. */
function withQueue({ backplane, dump }: StoredTexts): StoredTexts {
  const given: string[] = [];
  const queues = recorded(new InMemoryWorkQueue(new MemoryLogger()), given);
  const open: Backplane['open'] = async (application) => {
    const { bus, ...ports } = await backplane.open(application);
    return { ...ports, queues, ...(bus && { bus: recorded(bus, given) }) };
  };
  return { backplane: { open }, dump: async () => [...given, ...(await dump())] };
}

const STORES: Readonly<Record<string, () => StoredTexts>> = {
  ...storesOf(redis, postgres),
  memory: () => {
    const memory = new SharedMemory();
    const given: string[] = [];
    const open: Backplane['open'] = async (application) => {
      const ports = Object.entries(await memory.open(application));
      return Object.fromEntries(
        ports.map(([name, port]) => [name, typeof port === 'object' ? recorded(port, given) : port]),
      );
    };
    return { backplane: { open }, dump: () => Promise.resolve(given) };
  },
};

const ADA: TestCaller = { sub: 'ada-lovelace-1815', clientId: 'program' };

async function connect(url: string, era: '2025' | '2026', answer: string): Promise<FeatureClient> {
  const person: FeatureClientOptions = {
    onElicitation: () => ({ action: 'accept', content: { word: answer } }),
  };
  const requestInit = { headers: { authorization: `Bearer ${tokenOf(ADA)}` } };
  const target = new URL(url);
  const client = await (era === '2025'
    ? connectVersion1(new StreamableHTTPClientTransport(target, { requestInit }), person)
    : connectVersion2(new TransportOfVersion2(target, { requestInit }), '2026', person));
  ends.push(() => client.close());
  return client;
}

describe.each(Object.entries(STORES))('over %s', (_name, keptIn) => {
  test('no store, queue, bus, log or audit has in the clear what callers send in secret', async () => {
    const { backplane, dump } = withQueue(keptIn());
    const audit = new InMemoryAuditStore();
    const random = createRandom(20261125);
    const code = `zq7-${String(random.below(1e9))}-code`;
    const answer = `zq8-${String(random.below(1e9))}-answer`;
    const opened = await openReplicas(VaultModule, {
      ...{ backplane, count: 2, name: randomUUID(), accessLog: true, redact: { secrets: [KEY] } },
      auth: { verify: testVerifier },
      audit: { store: audit, kinds: ['read', 'write', 'destructive'], arguments: true },
    });
    ends.push(() => opened.close());
    for (const { app } of opened.replicas) await app.work();
    for (const era of ['2025', '2026'] as const) {
      const client = await connect(opened.proxy.url, era, answer);
      if (era === '2025') await client.send('resources/subscribe', { uri: `vault://codes/${code}` });
      for (const action of CALLS) {
        await client.callTool({ name: 'vault', arguments: { action, code } });
      }
    }
    const authorization = { authorization: `Bearer ${tokenOf(ADA)}` };
    for (const { app } of opened.replicas) {
      const requests = new TaskRequests((request) => {
        request.headers.set('authorization', authorization.authorization);
        return app.fetch(request);
      });
      for (const action of TASKS) await requests.end(await requests.begin('vault', { action, code }));
    }
    const kept = await dump();
    expect(kept.length).toBeGreaterThan(30);
    const written = inspect([opened.replicas.flatMap(({ logger }) => logger.records), audit], {
      depth: 12,
      maxStringLength: null,
      maxArrayLength: null,
      showHidden: true,
    });
    expect(written).toContain('request.served');
    for (const secret of [code, KEY, answer, tokenOf(ADA)]) {
      expect(kept.filter((text) => text.includes(secret)).map((text) => text.slice(0, 300))).toEqual([]);
      expect(written.includes(secret) ? written.slice(written.indexOf(secret) - 300).slice(0, 400) : '').toBe(
        '',
      );
    }
  });
});
