import { describe, expect, test } from '@jest/globals';
import { Action, Injectable, McpApplication, Module, Prompt, Resource, ToolGroup } from 'toolwright';
import type { RequestContext, Retry } from '../../src/call/request-context.ts';
import { withCacheHint, withReadHint } from '../../src/runtime/lists/lists.ts';

const exchangeOf = (retry: Retry | undefined): RequestContext => ({ retry }) as RequestContext;
const first = exchangeOf({ requestState: undefined, inputResponses: {} });
const answering = exchangeOf({ requestState: 'sealed', inputResponses: {} });
const earlier = exchangeOf(undefined);

describe('How long a result may be kept', () => {
  test('is nothing that earlier eras know', () => {
    expect(withCacheHint({ tools: [] }, earlier, { ttl: 1000, scope: 'public' })).toEqual({ tools: [] });
  });

  test('is not allowed, and not shared, by default', () => {
    expect(withCacheHint({ tools: [] }, first)).toEqual({ tools: [], ttlMs: 0, cacheScope: 'private' });
    expect(withCacheHint({}, first, { ttl: 5 })).toEqual({ ttlMs: 5, cacheScope: 'private' });
  });

  test('does not count for the answer to a question', () => {
    const cache = { ttl: 1000, scope: 'public' } as const;
    expect(withReadHint({ contents: [] }, first, cache)).toMatchObject({ ttlMs: 1000, cacheScope: 'public' });
    expect(withReadHint({ contents: [] }, answering, cache)).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  test('is not said of a question', () => {
    const question = { resultType: 'input_required' };
    expect(withReadHint(question, first, { ttl: 1000 })).toBe(question);
  });
});

@ToolGroup('clock')
class ClockTools {
  @Action('Now') now(): string { return 'noon'; } // oxfmt-ignore
}

@Injectable()
class Pages {
  @Prompt('Greet') greet(): string { return 'Hello'; } // oxfmt-ignore
  @Resource('page://home', { cache: { ttl: 60_000, scope: 'public' } }) home(): string { return 'home'; } // oxfmt-ignore
}

@Module({ controllers: [ClockTools, Pages] })
class PagesModule {}

test.each([{ ttl: -1 }, { ttl: 1.5 }, { ttl: Number.NaN }, { scope: 'everybody' }, { seconds: 5 }])(
  'An application refuses the hint %j',
  async (cache) => {
    await expect(McpApplication.create(PagesModule, { cache: cache as never })).rejects.toMatchObject({
      problems: [{ code: 'TW_APPLICATION_OPTION', where: 'McpApplication.create()' }],
    });
  },
);

@Injectable()
class WrongPages {
  @Resource('page://a', { cache: { ttl: -1 } }) a(): string { return ''; } // oxfmt-ignore
  @Resource('page://b', { cache: { scope: 'all' as never } }) b(): string { return ''; } // oxfmt-ignore
  @Resource('page://c', { cache: { time: 1 } as never }) c(): string { return ''; } // oxfmt-ignore
}

@Module({ controllers: [WrongPages] })
class WrongPagesModule {}

test('A resource with a hint that cannot be is a start-up problem', async () => {
  await expect(McpApplication.create(WrongPagesModule)).rejects.toMatchObject({
    problems: [
      { code: 'TW_SCAN_OPTION_VALUE', where: expect.stringContaining('a()') },
      { code: 'TW_SCAN_OPTION_VALUE', where: expect.stringContaining('b()') },
      { code: 'TW_SCAN_OPTION_UNKNOWN', where: expect.stringContaining('c()') },
    ],
  });
});
