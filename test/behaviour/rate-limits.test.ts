import { describe, expect, test } from '@jest/globals';
import { IsInt } from 'class-validator';
import { Action, Module, Quota, RateLimit, ToolGroup, type AuthInfo } from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { closing, person, start } from '../support/limited-app.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Count {
  @IsInt() count!: number;
}

@ToolGroup('work')
class WorkTools {
  ran = 0;
  @Action() @RateLimit({ limit: 1, per: 'second', burst: 5 }) run(): string {
    this.ran += 1;
    return 'done';
  }
  @Action() @RateLimit({ limit: 2, per: 'minute' }) checked(input: Count): string {
    return String(input.count);
  }
  @Action() @Quota({ limit: 2, per: 'day' }) few(): string {
    return 'done';
  }
}

describe('a rate', () => {
  test('lets a burst of 5 run, and asks the others to try again in a second', async () => {
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
