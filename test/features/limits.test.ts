import { afterEach, describe, expect, test } from '@jest/globals';
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  Action,
  Complete,
  Concurrency,
  createTool,
  InMemoryLimitStore,
  McpApplication,
  Module,
  Prompt,
  Quota,
  RateLimit,
  Resource,
  Timeout,
  ToolContext,
  ToolGroup,
  ToolRegistry,
  type ApplicationOptions,
  type AuthInfo,
  type Class,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { factsOf, textOf } from '../support/text-of.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A store whose time passes when a test says so. */
class Time {
  now = Date.UTC(2026, 10, 23, 9, 30);
  readonly store = new InMemoryLimitStore({ now: () => this.now });
}

interface Started {
  readonly app: TestApplication;
  readonly time: Time;
}

async function start(controller: Class, options: ApplicationOptions = {}): Promise<Started> {
  const time = new Time();
  @Module({ controllers: [controller] })
  class WorkModule {}
  const limits = { store: time.store, ...options.limits };
  const app = await createTestApplication(WorkModule, {
    logger: new MemoryLogger(),
    drainTimeout: 0,
    ...options,
    limits,
  });
  closing.push(() => app.close());
  return { app, time };
}

const person = (sub: string, facts: Partial<AuthInfo> = {}): AuthInfo => ({
  token: 't',
  clientId: 'editor',
  scopes: [],
  ...facts,
  extra: { sub, ...facts.extra },
});

class Count {
  @IsInt() count!: number;
}

class Message {
  @IsString() @IsOptional() text?: string;
}

@ToolGroup('work')
class WorkTools {
  ran = 0;
  @Action() @RateLimit({ limit: 1, per: 'second', burst: 5 }) run(): string {
    this.ran += 1;
    return 'done';
  }
  @Action() free(): string {
    return 'done';
  }
  @Action() @RateLimit({ limit: 2, per: 'minute' }) checked(input: Count): string {
    return String(input.count);
  }
  @Action() @Quota({ limit: 2, per: 'day' }) few(): string {
    return 'done';
  }
  @Prompt() @RateLimit({ limit: 1, per: 'hour' }) greet({ text }: Message): string {
    return text ?? 'hello';
  }
  @Complete('greet', 'text') texts(): string[] {
    return ['hi'];
  }
  @Resource('work://log') @RateLimit({ limit: 1, per: 'hour' }) log(): string {
    return 'log';
  }
}

describe('a rate', () => {
  test('lets a burst of 5 run, and tells the others to try again in a second', async () => {
    const { app, time } = await start(WorkTools);
    const results = await Promise.all(Array.from({ length: 7 }, () => app.call('work', { action: 'run' })));
    expect(results.map((result) => result.isError === true)).toEqual([
      ...Array.from({ length: 5 }, () => false),
      true,
      true,
    ]);
    for (const refused of results.slice(5)) {
      expect(factsOf(refused)).toMatchObject({
        code: 'RATE_LIMITED',
        tool: 'work',
        action: 'run',
        retryAfter: 1,
      });
      expect(textOf(refused)).toMatch(/^\[work\/run\] Too many calls; try again in 1 s\n/);
    }
    time.now += 999;
    expect(factsOf(await app.call('work', { action: 'run' }))).toMatchObject({ retryAfter: 1 });
    time.now += 1;
    expect(textOf(await app.call('work', { action: 'run' }))).toBe('done');
    expect(app.get(WorkTools).ran).toBe(6);
  });

  test('counts calls with invalid arguments', async () => {
    const { app } = await start(WorkTools);
    const call = () => app.call('work', { action: 'checked', count: 'many' });
    expect(factsOf(await call())).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(factsOf(await call())).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(factsOf(await call())).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 30 });
  });

  test('keeps people apart', async () => {
    const { app } = await start(WorkTools);
    const call = (authInfo: AuthInfo) => app.call('work', { action: 'few' }, { authInfo });
    for (const name of ['ann', 'bob']) {
      expect(textOf(await call(person(name)))).toBe('done');
      expect(textOf(await call(person(name)))).toBe('done');
      expect(factsOf(await call(person(name)))).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    }
    expect(textOf(await call(person('ann', { clientId: 'other' })))).toBe('done');
    expect(textOf(await call(person('ann', { extra: { issuer: 'https://b.example' } })))).toBe('done');
  });

  test('says of a quota when the window of the calendar ends', async () => {
    const { app, time } = await start(WorkTools);
    const call = () => app.call('work', { action: 'few' });
    await call();
    await call();
    const refused = await call();
    const untilMidnight = 14.5 * 3600;
    expect(factsOf(refused)).toMatchObject({ code: 'QUOTA_EXCEEDED', retryAfter: untilMidnight });
    expect(textOf(refused)).toContain(
      `The quota of calls per day is used up; try again in ${String(untilMidnight)} s`,
    );
    time.now += untilMidnight * 1000;
    expect(textOf(await call())).toBe('done');
  });
});

describe('several limits', () => {
  @ToolGroup('work')
  @RateLimit({ limit: 3, per: 'minute', by: 'all' })
  class Grouped {
    @Action() @RateLimit({ limit: 1, per: 'hour' }) one(): string {
      return 'one';
    }
    @Action() two(): string {
      return 'two';
    }
  }

  test('all count, and a call that one refuses is counted by none', async () => {
    const { app } = await start(Grouped);
    expect(textOf(await app.call('work', { action: 'one' }))).toBe('one');
    expect(factsOf(await app.call('work', { action: 'one' }))).toMatchObject({ retryAfter: 3600 });
    expect(textOf(await app.call('work', { action: 'two' }))).toBe('two');
    expect(textOf(await app.call('work', { action: 'two' }))).toBe('two');
    expect(factsOf(await app.call('work', { action: 'two' }))).toMatchObject({ retryAfter: 20 });
  });

  test('of a group count its actions together, and those of the groups below it', async () => {
    @ToolGroup({ name: 'leaf', parent: Grouped })
    class Leaf {
      @Action() three(): string {
        return 'three';
      }
    }
    @ToolGroup('tree')
    @RateLimit({ limit: 2, per: 'minute' })
    class Tree {}
    @ToolGroup({ name: 'left', parent: Tree })
    class Left {
      @Action() go(): string {
        return 'left';
      }
    }
    @ToolGroup({ name: 'right', parent: Tree })
    class Right extends Tree {
      @Action() go(): string {
        return 'right';
      }
    }
    @Module({ controllers: [Tree, Left, Right] })
    class TreeModule {}
    void Leaf;
    const app = await createTestApplication(TreeModule, { logger: new MemoryLogger() });
    closing.push(() => app.close());
    expect(textOf(await app.call('tree', { action: 'left.go' }))).toBe('left');
    expect(textOf(await app.call('tree', { action: 'right.go' }))).toBe('right');
    expect(factsOf(await app.call('tree', { action: 'left.go' }))).toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('of the application count everything, what is unknown as well, and hidden like unknown', async () => {
    @ToolGroup('work')
    class Hiding {
      @Action({ tags: ['hidden'] }) @RateLimit({ limit: 1, per: 'hour' }) secret(): string {
        return 'secret';
      }
      @Action() open(): string {
        return 'open';
      }
    }
    const limits = { rate: { limit: 3, per: 'minute' } } as const;
    const answers: unknown[] = [];
    for (const action of ['secret', 'absent']) {
      const { app } = await start(Hiding, { limits, exclude: ['hidden'] });
      const texts: string[] = [];
      for (let call = 0; call < 4; call += 1) texts.push(textOf(await app.call('work', { action })));
      answers.push(texts.map((text) => text.replaceAll(action, 'NAME').replace(/Did you mean.*\n/, '')));
      expect(texts[3]).toContain('RATE_LIMITED');
      expect(factsOf(await app.call('absent', {}))).toMatchObject({ code: 'RATE_LIMITED' });
      expect(factsOf(await app.call('work', { action: 'open' }))).toMatchObject({ code: 'RATE_LIMITED' });
    }
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe('by', () => {
  test.each([
    [
      'tenant',
      [person('ann', { extra: { tenant: 'a' } }), person('bob', { extra: { tenant: 'a' } })],
      person('ann', { extra: { tenant: 'b' } }),
    ],
    ['client', [person('ann'), person('bob')], person('ann', { clientId: 'other' })],
    ['subject', [person('ann'), person('ann', { scopes: ['more'], token: 'other' })], person('bob')],
  ] as const)('%s counts those together who share it', async (by, [one, same], other) => {
    @ToolGroup('work')
    class Work {
      @Action() @RateLimit({ limit: 1, per: 'hour', by }) run(): string {
        return 'done';
      }
    }
    const { app } = await start(Work);
    const call = (authInfo: AuthInfo) => app.call('work', { action: 'run' }, { authInfo });
    expect(textOf(await call(one))).toBe('done');
    expect(factsOf(await call(same))).toMatchObject({ code: 'RATE_LIMITED' });
    expect(textOf(await call(other))).toBe('done');
  });

  test('a function says what is counted together, what is not counted, and what a call costs', async () => {
    @ToolGroup('work')
    class Work {
      @Action()
      @RateLimit({
        limit: 10,
        per: 'hour',
        by: ({ header }) => (header('x-free') === undefined ? (header('x-desk') ?? 'none') : undefined),
        cost: ({ args }) => Number(args['count']),
      })
      run(input: Count): string {
        return String(input.count);
      }
    }
    const { app } = await start(Work);
    const call = (count: number, headers: Record<string, string>) =>
      app.call('work', { action: 'run', count }, { headers });
    expect(textOf(await call(8, { 'x-desk': 'a' }))).toBe('8');
    expect(factsOf(await call(3, { 'x-desk': 'a' }))).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfter: 360,
    });
    expect(textOf(await call(2, { 'x-desk': 'a' }))).toBe('2');
    expect(textOf(await call(500, { 'x-desk': 'b' }))).toBe('500');
    expect(textOf(await call(3, { 'x-free': 'yes' }))).toBe('3');
  });

  test('a function that fails lets nobody pass, and its error stays in the log', async () => {
    @ToolGroup('work')
    class Work {
      ran = 0;
      @Action() @RateLimit({ limit: 1, per: 'hour', cost: () => Number.NaN }) run(): number {
        return (this.ran += 1);
      }
    }
    const { app } = await start(Work);
    expect(factsOf(await app.call('work', { action: 'run' }))).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(app.get(Work).ran).toBe(0);
  });
});

describe('concurrency', () => {
  class Gate {
    readonly entered: string[] = [];
    #open: () => void = () => undefined;
    readonly opened = new Promise<void>((resolve) => {
      this.#open = resolve;
    });
    open(): void {
      this.#open();
    }
  }
  let gate = new Gate();

  @ToolGroup('work')
  class Work {
    @Action() @Concurrency({ limit: 1 }) @Timeout(30) async stubborn(): Promise<string> {
      gate.entered.push('stubborn');
      await gate.opened;
      return 'done';
    }
    @Action()
    @Concurrency({ limit: 1, queue: { size: 1, timeout: 10_000 } })
    async queued(): Promise<string> {
      gate.entered.push('queued');
      await gate.opened;
      return 'done';
    }
    @Action() @Concurrency({ limit: 1 }) failing(): never {
      throw new TypeError('broken');
    }
    @Prompt() @Concurrency({ limit: 1 }) async slow(): Promise<string> {
      await gate.opened;
      return 'slow';
    }
  }

  test('a slot is free only when the handler has ended, also after its time limit', async () => {
    gate = new Gate();
    const { app } = await start(Work);
    const call = () => app.call('work', { action: 'stubborn' });
    expect(factsOf(await call())).toMatchObject({ code: 'TIMED_OUT' });
    const refused = await call();
    expect(factsOf(refused)).toMatchObject({ code: 'CONCURRENCY_LIMITED', retryAfter: 1 });
    expect(textOf(refused)).toMatch(/^\[work\/stubborn\] Too many calls are running; try again in 1 s\n/);
    gate.open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(textOf(await call())).toBe('done');
    expect(gate.entered).toEqual(['stubborn', 'stubborn']);
  });

  test('a call waits in the queue for its turn, and a further one is refused', async () => {
    gate = new Gate();
    const { app } = await start(Work);
    const call = () => app.call('work', { action: 'queued' });
    const [first, second] = [call(), call()];
    await new Promise((resolve) => setImmediate(resolve));
    expect(factsOf(await call())).toMatchObject({ code: 'CONCURRENCY_LIMITED' });
    expect(gate.entered).toEqual(['queued']);
    gate.open();
    expect([textOf(await first), textOf(await second)]).toEqual(['done', 'done']);
  });

  test('a handler that throws gives its slot back', async () => {
    const { app } = await start(Work);
    for (let call = 0; call < 3; call += 1) {
      expect(factsOf(await app.call('work', { action: 'failing' }))).toMatchObject({
        code: 'INTERNAL_ERROR',
      });
    }
  });

  test('people do not take each other the slots', async () => {
    gate = new Gate();
    const { app } = await start(Work);
    const call = (sub: string) => app.call('work', { action: 'queued' }, { authInfo: person(sub) });
    const both = [call('ann'), call('bob')];
    await new Promise((resolve) => setImmediate(resolve));
    expect(gate.entered).toEqual(['queued', 'queued']);
    gate.open();
    await Promise.all(both);
  });
});

describe('what clients get', () => {
  test.each(CONNECTIONS.map((connection) => [connection.name, connection] as const))(
    '%s',
    async (_name, connection) => {
      @Module({ controllers: [WorkTools] })
      class WorkModule {}
      const app = await McpApplication.create(WorkModule, {
        logger: new MemoryLogger(),
        limits: { rate: { limit: 20, per: 'hour' } },
      });
      closing.push(() => app.close());
      const client = await connection.connect(app);
      closing.push(() => client.close());
      const send = (method: string, params?: Record<string, unknown>) =>
        client.send(method, params).catch((error: unknown) => error);
      for (const [method, params] of [
        ['prompts/get', { name: 'greet' }],
        ['resources/read', { uri: 'work://log' }],
      ] as const) {
        await client.send(method, params);
        expect(await send(method, params)).toMatchObject({
          code: -32603,
          data: { code: 'RATE_LIMITED', retryAfter: 3600 },
        });
      }
      const few = { name: 'work', arguments: { action: 'few' } };
      await client.send('tools/call', few);
      await client.send('tools/call', few);
      expect(factsOf((await client.send('tools/call', few)) as never)).toMatchObject({
        code: 'QUOTA_EXCEEDED',
      });
      const completion = {
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'text', value: 'h' },
      };
      expect(await client.send('completion/complete', completion)).toMatchObject({
        completion: { values: ['hi'] },
      });
      for (let call = 0; call < 20; call += 1) await send('tools/list');
      expect(await send('tools/list')).toMatchObject({ code: -32603, data: { code: 'RATE_LIMITED' } });
    },
  );
});

describe('a call in several rounds', () => {
  class Sure {
    @IsString() reason!: string;
  }
  @ToolGroup('work')
  class Asking {
    ran = 0;
    @Action() @RateLimit({ limit: 2, per: 'hour' }) async ask(ctx: ToolContext): Promise<string> {
      const { action } = await ctx.ask(Sure, 'Sure?');
      this.ran += 1;
      return action;
    }
  }
  const routes = CONNECTIONS.filter(({ era, canBeAsked }) => era === '2026' && canBeAsked);

  test.each(routes.map((route) => [route.name, route] as const))('is one call: %s', async (_name, route) => {
    @Module({ controllers: [Asking] })
    class AskingModule {}
    const app = await McpApplication.create(AskingModule, { logger: new MemoryLogger() });
    closing.push(() => app.close());
    const client = await route.connect(app, {
      onElicitation: () => ({ action: 'accept', content: { reason: 'yes' } }),
    });
    closing.push(() => client.close());
    const call = ['tools/call', { name: 'work', arguments: { action: 'ask' } }] as const;
    expect(textOf((await client.send(...call)) as never)).toBe('accept');
    expect(textOf((await client.send(...call)) as never)).toBe('accept');
    expect(factsOf((await client.send(...call)) as never)).toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('the plain API', () => {
  const tool = () =>
    createTool('clock').action({
      name: 'now',
      handler: () => 'noon',
      limits: { rate: { limit: 1, per: 'hour' }, concurrency: [{ limit: 1 }] },
    });

  test('limits actions of builders', async () => {
    const builder = tool();
    expect(textOf(await builder.execute({ action: 'now' }))).toBe('noon');
    expect(factsOf(await builder.execute({ action: 'now' }))).toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('counts in the store of the registry, with its limits', async () => {
    const time = new Time();
    const limits = { store: time.store, rate: { limit: 2, per: 'hour' } } as const;
    const registry = new ToolRegistry({ limits }).register(tool());
    expect(textOf(await registry.routeCall('clock', { action: 'now' }))).toBe('noon');
    expect(factsOf(await registry.routeCall('clock', { action: 'now' }))).toMatchObject({ retryAfter: 3600 });
    time.now += 3_600_000;
    expect(textOf(await registry.routeCall('clock', { action: 'now' }))).toBe('noon');
  });

  test('refuses limits that cannot be', () => {
    const limits = { rate: { limit: 0, per: 'minutes' } } as never;
    expect(() => createTool('clock').action({ name: 'now', handler: () => 'noon', limits })).toThrow(
      /limits\.rate\.limit/,
    );
  });
});

test('reports every wrong limit of a class at once', async () => {
  @ToolGroup('work')
  @Concurrency({ limit: 1, queue: { size: 1 } as never })
  class Wrong {
    @Action() @RateLimit({ limit: 1 } as never) @Quota({ limit: 1, per: 'week' as never }) run(): string {
      return 'done';
    }
    @RateLimit({ limit: 1, per: 'day' }) nothing(): void {
      // No action
    }
  }
  const error: unknown = await start(Wrong).catch((thrown: unknown) => thrown);
  const message = String(error);
  expect(message).toContain('lacks the option queue.timeout');
  expect(message).toContain('lacks the option per');
  expect(message).toContain('sets per to "week"');
  expect(message).toContain('has @RateLimit but no @Action');
});
