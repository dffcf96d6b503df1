import { describe, expect, test } from '@jest/globals';
import { IsOptional, IsString } from 'class-validator';
import {
  Action,
  Complete,
  Concurrency,
  createTool,
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
} from 'toolwright';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { JobsModule } from '../support/jobs-module.ts';
import { closing, person, start, Time } from '../support/limited-app.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { filledIn, TaskRequests } from '../support/task-requests.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Message {
  @IsString() @IsOptional() text?: string;
}

@ToolGroup('work')
class WorkTools {
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
  @Module({ controllers: [Asking] })
  class AskingModule {}
  const routes = CONNECTIONS.filter(({ era, canBeAsked }) => era === '2026' && canBeAsked);

  test.each(routes.map((route) => [route.name, route] as const))('is one call: %s', async (_name, route) => {
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

  test('counts answers that come again as calls, though they run nothing', async () => {
    const app = await McpApplication.create(AskingModule, { logger: new MemoryLogger() });
    closing.push(() => app.close());
    const client = new TaskRequests((request) => app.fetch(request));
    const call = { name: 'work', arguments: { action: 'ask' } };
    const asked = await client.result('tools/call', call);
    const [name = ''] = Object.keys(asked['inputRequests'] as object);
    const requestState = asked['requestState'];
    const inputResponses = { [name]: filledIn({ reason: 'yes' }) };
    const answer = () => client.result('tools/call', { ...call, requestState, inputResponses });
    // The question and its first answer are one call
    for (let time = 0; time < 2; time += 1) expect(textOf((await answer()) as never)).toBe('accept');
    expect(factsOf(await answer())).toMatchObject({ code: 'RATE_LIMITED' });
    expect(factsOf(await client.result('tools/call', call))).toMatchObject({ code: 'RATE_LIMITED' });
    expect(app.get(Asking).ran).toBe(1);
  });
});

describe('polls for a task', () => {
  test('have a limit of their own: they use up no call, and calls use up none of them', async () => {
    const limits = { polls: { limit: 3, per: 'minute' }, rate: { limit: 2, per: 'minute' } } as const;
    const app = await McpApplication.create(JobsModule, { limits, logger: new MemoryLogger() });
    closing.push(() => app.close());
    const client = new TaskRequests((request) => app.fetch(request));
    const taskId = await client.begin('jobs_heavy', { label: 'a' });
    for (let poll = 0; poll < 3; poll += 1) expect(await client.get(taskId)).toHaveProperty('status');
    const { error } = await client.send('tasks/get', { taskId });
    expect(error).toMatchObject({ code: -32603, data: { code: 'RATE_LIMITED', retryAfter: 20 } });
    const greet = () => client.result('tools/call', { name: 'jobs_greet', arguments: { name: 'Ada' } });
    expect(textOf((await greet()) as never)).toBe('Hello, Ada!');
    expect(factsOf(await greet())).toMatchObject({ code: 'RATE_LIMITED' });
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
    const limits = { rate: { limit: 2, per: 'hour' } } as const;
    const backplane = { counter: time.store };
    const registry = new ToolRegistry({ limits, backplane }).register(tool());
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
