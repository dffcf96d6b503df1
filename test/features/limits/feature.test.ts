import { describe, expect, test } from '@jest/globals';
import {
  Action,
  Concurrency,
  createTool,
  McpApplication,
  Module,
  Prompt,
  Quota,
  RateLimit,
  ToolGroup,
  type LimitCharge,
} from 'toolwright';
import { MemoryLogger } from '../../support/memory-logger.ts';

const MANY = { limit: 100, per: 'hour', by: 'all' } as const;

@RateLimit(MANY)
@Quota({ ...MANY, per: 'day' })
@ToolGroup('desk')
class Desk {}

@RateLimit(MANY)
@ToolGroup({ name: 'tickets', parent: Desk })
class Tickets extends Desk {
  @Action() @Quota(MANY) @Concurrency({ limit: 2 }) @RateLimit(MANY) close() {
    return 'closed';
  }
  @Prompt() @RateLimit(MANY) ask() {
    return 'Which one?';
  }
}

function second() {
  @ToolGroup('second')
  class Tickets {
    @Action() @RateLimit(MANY) open() {
      return 'open';
    }
  }
  return Tickets;
}

@Module({ controllers: [Desk, Tickets, second()] })
class DeskModule {}

/** The keys by which the calls of an application are counted. */
async function keysOf(work: (app: McpApplication) => Promise<unknown>): Promise<readonly string[]> {
  const keys: string[] = [];
  const counter = {
    charge: (charges: readonly LimitCharge[]) => {
      keys.push(...charges.map(({ key }) => key));
      return undefined;
    },
  };
  const limits = { rate: MANY };
  const options = { name: 'desk', logger: new MemoryLogger(), limits, backplane: { counter } };
  const app = await McpApplication.create(DeskModule, options);
  await work(app);
  await app.close();
  return keys;
}

describe('a call is counted by names that all processes know', () => {
  test('of the application, of the groups from the outermost, and of the method; each place once', async () => {
    expect(await keysOf((app) => app.call('desk', { action: 'tickets.close' }))).toEqual([
      'application#0 all',
      'Desk#0 all',
      'Desk#1 all',
      'Tickets#0 all',
      'Tickets.close#0 all',
      'Tickets.close#2 all',
    ]);
  });

  test('of a second class of the same name', async () => {
    expect(await keysOf((app) => app.call('second', { action: 'open' }))).toEqual([
      'application#0 all',
      'Tickets~2.open#0 all',
    ]);
  });

  test('of builders, as they were when they were given', async () => {
    const limits = { rate: { ...MANY, per: 'day' as 'day' | 'hour' } };
    const tool = createTool('files').group('old', (group) =>
      group.limits(limits).action({ name: 'list', handler: () => 'none', limits: { quota: MANY } }),
    );
    (limits as { rate: unknown }).rate = [];
    const keys = await keysOf(async (app) => {
      app.registry.register(tool);
      await app.call('files', { action: 'old.list' });
    });
    expect(keys).toEqual(['application#0 all', 'files/old#0 all', 'files/old.list#0 all']);
  });
});
