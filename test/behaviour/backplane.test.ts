import { afterEach, describe, expect, test } from '@jest/globals';
import { createClient } from '@redis/client';
import { IsInt, IsString } from 'class-validator';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import {
  Action,
  Budget,
  Concurrency,
  Destructive,
  Idempotent,
  InMemoryLimitStore,
  Injectable,
  McpApplication,
  Module,
  RateLimit,
  ToolContext,
  ToolGroup,
  type ApplicationOptions,
  type Backplane,
  type CallToolResult,
} from 'toolwright';
import { redisBackplane } from 'toolwright/redis';
import { client2026, connectHttp } from '../support/client-of-2026.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { useRedis } from '../support/services/use-services.ts';
import { SharedMemory } from '../support/shared-memory.ts';

class Amount {
  @IsInt() amount!: number;
}

class Label {
  @IsString() label!: string;
}

/** What all replicas have done together. */
const effects: string[] = [];
const ends: (() => Promise<unknown>)[] = [];
let gate = Promise.resolve();

afterEach(async () => {
  effects.length = 0;
  gate = Promise.resolve();
  for (const end of ends.splice(0).reverse()) await end();
});

@ToolGroup({ name: 'desk', description: 'Works for clients' })
class DeskTools {
  @Action('Pays')
  @Idempotent({ key: 'idempotencyKey' })
  pay({ amount }: Amount) {
    effects.push(`paid ${String(amount)}`);
    return `payment ${String(effects.length)}`;
  }

  @Action('Deletes')
  @Destructive({ confirm: 'twice' })
  remove({ label }: Label) {
    effects.push(`removed ${label}`);
    return 'removed';
  }

  @Action('Counted')
  @RateLimit({ limit: 3, per: 'hour' })
  counted() {
    effects.push('counted');
    return 'counted';
  }

  @Action('One at a time')
  @Concurrency({ limit: 1 })
  async alone(_: Label, ctx: ToolContext) {
    effects.push('alone');
    await Promise.race([gate, new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))]);
    return 'done';
  }

  @Action('Too long to be sent')
  @Budget({ bytes: 1024 })
  long() {
    return { text: 'x'.repeat(3000) };
  }

  @Action({ description: 'A task', task: 'required' })
  later({ label }: Label) {
    return `later ${label}`;
  }
}

@Module({ controllers: [DeskTools] })
class DeskModule {}

interface Replica {
  readonly app: McpApplication;
  readonly call: (action: string, args?: object) => Promise<CallToolResult>;
  readonly read: (uri: string) => Promise<unknown>;
}

async function replica(backplane: Backplane, options: ApplicationOptions = {}): Promise<Replica> {
  const app = await McpApplication.create(DeskModule, {
    name: 'desk',
    secrets: ['a secret of all replicas, long enough'],
    logger: new MemoryLogger(),
    drainTimeout: 0,
    backplane,
    ...options,
  });
  ends.push(() => app.close());
  const { url } = await app.listen(0);
  const client = await connectHttp(client2026(), url);
  ends.push(() => client.close());
  return {
    app,
    call: async (action, args = {}) =>
      (await client.callTool({ name: 'desk', arguments: { action, ...args } })) as CallToolResult,
    read: async (uri) => (await client.readResource({ uri })).contents,
  };
}

const redis = useRedis();

/** Backplanes for two replicas, which share what nobody else has. */
const BACKPLANES: Readonly<Record<string, () => readonly [Backplane, Backplane]>> = {
  memory: () => {
    const backplane = new SharedMemory();
    return [backplane, backplane];
  },
  'Redis, each with another library': () => {
    const prefix = `test ${randomUUID()}:`;
    return [
      redisBackplane({ client: createClient({ url: redis.url }), prefix }),
      redisBackplane({ client: new Redis(redis.url, { lazyConnect: true }), prefix }),
    ];
  },
};

describe.each(Object.entries(BACKPLANES))('two replicas share in %s:', (_name, backplanes) => {
  const twoReplicas = async (): Promise<readonly [Replica, Replica]> => {
    const [one, two] = backplanes();
    return [await replica(one), await replica(two)];
  };

  test('a call with a key runs on one replica, and the other one repeats its result', async () => {
    const [one, two] = await twoReplicas();
    const first = await one.call('pay', { amount: 5, idempotencyKey: 'k' });
    const again = await two.call('pay', { amount: 5, idempotencyKey: 'k' });
    expect(again.content).toEqual(first.content);
    expect(effects).toEqual(['paid 5']);
  });

  test('a confirmation that one replica gave is good for one call, wherever it comes', async () => {
    const [one, two] = await twoReplicas();
    const preview = await one.call('remove', { label: 'a' });
    const { details } = preview._meta?.['toolwright/error'] as { details: { confirmation: string } };
    const both = await Promise.all([one, two].map(({ call }) => call('remove', { label: 'a', ...details })));
    expect(both.filter(({ isError }) => isError !== true)).toHaveLength(1);
    expect(effects).toEqual(['removed a']);
  });

  test('a rate counts the calls of all replicas', async () => {
    const [one, two] = await twoReplicas();
    const results = await Promise.all([one, two, one, two, one].map(({ call }) => call('counted')));
    expect(results.filter(({ isError }) => isError === true)).toHaveLength(2);
    expect(effects).toHaveLength(3);
  });

  test('a call that may run only alone is refused while another replica runs it', async () => {
    const [one, two] = await twoReplicas();
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const running = one.call('alone', { label: 'a' });
    while (effects.length === 0) await new Promise(setImmediate);
    expect(await two.call('alone', { label: 'b' })).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'CONCURRENCY_LIMITED' } },
    });
    open();
    expect((await running).isError).toBeUndefined();
  });

  test('a result that was too long is read at another replica', async () => {
    const [one, two] = await twoReplicas();
    const { content } = await one.call('long');
    const link = content.find(({ type }) => type === 'resource_link');
    if (link?.type !== 'resource_link') throw new Error(JSON.stringify(content));
    expect(JSON.stringify(await two.read(link.uri))).toContain('x'.repeat(3000));
  });
});

test('a backplane of one port and another one is made by its function', async () => {
  const backplane = new SharedMemory();
  const own = new InMemoryLimitStore();
  const mixed: Backplane = {
    open: async (application) => ({ ...(await backplane.open(application)), counter: own }),
  };
  const { call } = await replica(mixed);
  await call('counted');
  expect([own.size, backplane.ports.counter.size]).toEqual([1, 0]);
});

test('each application opens the backplane under its name, and closes what it opened', async () => {
  const backplane = new SharedMemory();
  const { app } = await replica(backplane);
  await replica(backplane);
  expect(backplane.users.map(({ name }) => name)).toEqual(['desk', 'desk']);
  await app.close();
  expect(backplane.users).toHaveLength(1);
});

test('an application that fails to start closes what it opened', async () => {
  const backplane = new SharedMemory();
  @Injectable()
  class Broken {
    onModuleInit() {
      throw new Error('broken');
    }
  }
  @Module({ providers: [Broken], imports: [DeskModule] })
  class BrokenModule {}
  const options = { backplane, secrets: ['a secret of all replicas, long enough'] };
  await expect(McpApplication.create(BrokenModule, options)).rejects.toThrow('broken');
  expect(backplane.users).toEqual([]);
});

test('a backplane that cannot be opened fails the start, and what was constructed is shut down', async () => {
  const backplane = { open: () => Promise.reject(new Error('refused')) };
  const shut: string[] = [];
  @Injectable()
  class Parts {
    onModuleDestroy() {
      shut.push('parts');
    }
  }
  @Module({ providers: [Parts], imports: [DeskModule] })
  class PartsModule {}
  const secrets = ['a secret of all replicas, long enough'];
  await expect(McpApplication.create(PartsModule, { backplane, secrets })).rejects.toThrow('refused');
  expect(shut).toEqual(['parts']);
});

test('a backplane without secrets is refused', async () => {
  await expect(McpApplication.create(DeskModule, { backplane: new SharedMemory() })).rejects.toThrow(
    /option backplane.*no `secrets`/su,
  );
});
