import { afterEach, describe, expect, test } from '@jest/globals';
import {
  Action,
  createTool,
  McpApplication,
  Module,
  RateLimit,
  Timeout,
  ToolGroup,
  type Class,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { FEATURES } from '../../../src/app/features.ts';
import { describeInside } from '../../../src/application/explorer/describe-inside.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { moduleWith, scan } from '../../support/scan-helpers.ts';
import { textOf } from '../../support/text-of.ts';

const forever = (): Promise<never> => new Promise(() => undefined);

let app: TestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function start(controller: Class, timeout?: number): Promise<TestApplication> {
  @Module({ controllers: [controller] })
  class DeskModule {}
  const limits = timeout === undefined ? {} : { timeout };
  app = await createTestApplication(DeskModule, { logger: new MemoryLogger(), drainTimeout: 0, limits });
  return app;
}

@ToolGroup('desk')
class Desk {
  @Action() @Timeout(40) open(): string {
    return 'open';
  }
}

describe('the limit of a group of the plain API', () => {
  const outcomeOf = async (action: string): Promise<string> => {
    const work = await start(Desk, 30);
    const slow = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 100, 'at last'));
    work.app.registry.register(
      createTool('archive')
        .group('search', (group) =>
          group
            .timeout(20)
            .action({ name: 'titles', handler: forever })
            .action({ name: 'texts', handler: forever, timeout: 10 }),
        )
        .group('free', (group) => group.timeout(Infinity).action({ name: 'all', handler: slow }))
        .group('plain', (group) => group.action({ name: 'all', handler: forever })),
    );
    return textOf(await work.call('archive', { action }));
  };

  test.each([
    ['search.titles', 'Timed out after 20 ms'],
    ['search.texts', 'Timed out after 10 ms'],
    ['free.all', 'at last'],
    ['plain.all', 'Timed out after 30 ms'],
  ])('%s: %s', async (action, outcome) => {
    expect(await outcomeOf(action)).toContain(outcome);
  });

  test('is what it was before where its callback fails', async () => {
    const work = await start(Desk, 30);
    const tool = createTool('archive').group('search', (group) =>
      group.action({ name: 'titles', handler: forever }),
    );
    const failing = (): never => {
      throw new Error('no');
    };
    expect(() => tool.group('search', (group) => (group.timeout(20), failing()))).toThrow('no');
    work.app.registry.register(tool);
    expect(textOf(await work.call('archive', { action: 'search.titles' }))).toContain('after 30 ms');
  });
});

test('A wrong limit is named after its decorator', async () => {
  @ToolGroup('wrong')
  class Wrong {
    @Action() @Timeout(0) @Timeout(1) run(): string {
      return '';
    }
  }
  await expect(start(Wrong)).rejects.toMatchObject({
    problems: [
      { code: 'TW_SCAN_DECORATOR_TWICE', what: 'has @Timeout twice.', fix: 'keep one of them' },
      {
        code: 'TW_SCAN_OPTION_VALUE',
        what: 'sets @Timeout to 0, which it does not accept.',
        fix: 'let @Timeout be a number of milliseconds above 0, or Infinity',
      },
    ],
  });
});

test('A time limit does not bound how often an action is called', async () => {
  @ToolGroup('counted')
  class Counted {
    @Action() @RateLimit({ limit: 1, per: 'minute' }) run(): string {
      return '';
    }
  }
  @Module({ controllers: [Desk, Counted] })
  class DeskModule {}
  const made = await McpApplication.create(DeskModule, { openWorld: false, logger: new MemoryLogger() });
  const advice = made.advice({ host: 'mcp.example' }).filter(({ code }) => code === 'TW_ADVICE_LIMIT');
  await made.close();
  expect(advice.map(({ what }) => what)).toEqual(['lets everybody call Desk.open() as often as they like.']);
});

test('The explorer says the limit after those of how many calls there may be', () => {
  @ToolGroup('both')
  class Both {
    @Action() @Timeout(40) @RateLimit({ limit: 2, per: 'second' }) run(): string {
      return '';
    }
    @Action() @Timeout(Infinity) free(): string {
      return '';
    }
  }
  const { tools } = scan(moduleWith([Both]), { features: FEATURES });
  const limits = tools[0]?.actions.map(
    (action) => describeInside(action, [], { names: new Map(), features: FEATURES }).limits,
  );
  expect(limits).toEqual([['at most 2 calls in 1000 ms for each caller', 'ends after 40 ms'], []]);
});
