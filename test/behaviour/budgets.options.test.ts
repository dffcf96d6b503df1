import { describe, expect, test } from '@jest/globals';
import { Equals, IsArray, IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import {
  Action,
  Budget,
  createTool,
  Injectable,
  McpApplication,
  Module,
  Page,
  Prompt,
  ToolGroup,
  ToolRegistry,
  type CallToolResult,
  type Class,
} from 'toolwright';
import { MemoryLogger } from '../support/memory-logger.ts';
import { factsOf, textOf } from '../support/text-of.ts';

class Range {
  @IsInt() @IsOptional() count?: number;
}

/** As they are sent. */
function bytesOf({ content: blocks, structuredContent }: CallToolResult): number {
  const structure = structuredContent === undefined ? '' : JSON.stringify(structuredContent);
  return Buffer.byteLength(JSON.stringify(blocks) + structure);
}

/** An application of one class, for this machine. */
async function start(controller: Class, options: object = {}): Promise<McpApplication> {
  @Module({ controllers: [controller] })
  class SmallModule {}
  return McpApplication.create(SmallModule, { logger: new MemoryLogger(), ...options });
}

@ToolGroup('plain')
class Plain {
  @Action() text({ count = 10 }: Range) {
    return 'p'.repeat(count);
  }
}

describe('the budget of an application', () => {
  test('is 1 MiB, and what nobody could read is not stored', async () => {
    const app = await start(Plain);
    const size = 1024 * 1024;
    const fitting = await app.call('plain', { action: 'text', count: size - 27 });
    expect([textOf(fitting).length, bytesOf(fitting)]).toEqual([size - 27, size]);
    const cut = await app.call('plain', { action: 'text', count: size - 26 });
    expect(textOf(cut)).toMatch(/p\n\[cut here: \d+ of 1048550 bytes are missing\]$/);
    expect(bytesOf(cut)).toBeLessThanOrEqual(size);
    await app.close();
  });

  test('is an option, like how tokens are counted; a store that fails leaves a cut text', async () => {
    const logger = new MemoryLogger();
    const counted: string[] = [];
    const store = {
      put: () => Promise.reject(new Error('full')),
      get: () => Promise.resolve(undefined),
      delete: () => Promise.resolve(false),
    };
    const countTokens = (text: string): number => counted.push(text) * 0 + text.length;
    const limits = { budget: { tokens: 600 }, countTokens };
    const app = await start(Plain, { logger, limits, backplane: { store } });
    expect(textOf(await app.call('plain', { action: 'text', count: 50 }))).toHaveLength(50);
    expect(counted).toEqual([]);
    const cut = await app.call('plain', { action: 'text', count: 1000 });
    expect(bytesOf(cut)).toBe(600);
    expect(logger.records).toMatchObject([{ event: 'result.store-failed', level: 'error' }]);
    await app.close();
  });

  test('counts for builders, and a registry has none unless it says so', async () => {
    const tool = () =>
      createTool('b')
        .action({ name: 'own', limits: { budget: { bytes: 1024 } }, handler: () => 'o'.repeat(3000) })
        .action({ name: 'around', handler: () => 'o'.repeat(3000) });
    const registry = new ToolRegistry({ limits: { budget: { bytes: 2048 } } }).register(tool());
    expect(bytesOf(await registry.routeCall('b', { action: 'own' }))).toBe(1024);
    expect(bytesOf(await registry.routeCall('b', { action: 'around' }))).toBe(2048);
    const open = new ToolRegistry().register(tool());
    expect(textOf(await open.routeCall('b', { action: 'around' }))).toHaveLength(3000);
  });
});

describe('@Budget', () => {
  test('is refused where it is too small, stands twice, or belongs to no action', async () => {
    @ToolGroup('tasks')
    @Budget({ bytes: 100 })
    class Tasks {
      @Action('List') @Budget({ tokens: 600 }) @Budget({ bytes: 2048 }) list() {
        return [];
      }
    }
    @Injectable()
    class Prompts {
      @Prompt('Explain') @Budget({ bytes: 2048 }) explain() {
        return '';
      }
    }
    @Module({ controllers: [Tasks, Prompts] })
    class WrongModule {}
    const failed = McpApplication.create(WrongModule);
    await expect(failed).rejects.toThrow('Tasks sets bytes to 100, which @Budget does not accept.');
    await expect(failed).rejects.toThrow('TW_SCAN_DECORATOR_TWICE: Tasks.list() has @Budget twice.');
    await expect(failed).rejects.toThrow('Prompts.explain() has @Budget beside @Prompt.');
  });
});

describe('@Page', () => {
  test('is refused where it cannot be cut: no list, two lists, or a cursor that nobody makes', async () => {
    class NoList {
      @IsString() @Page() text!: string;
    }
    class TwoLists {
      @IsArray() @IsString({ each: true }) @Page() one!: string[];
      @IsArray() @IsString({ each: true }) @Page() two!: string[];
    }
    class Gap {
      @IsArray() @IsString({ each: true }) @Page() items!: string[];
      @IsString() @IsOptional() nextCursor?: string;
    }
    @ToolGroup('wrong')
    class Wrong {
      @Action({ output: NoList }) first() {
        return { text: '' };
      }
      @Action({ output: TwoLists }) second() {
        return { one: [], two: [] };
      }
      @Action({ output: Gap }) third() {
        return { items: [] };
      }
    }
    const failed = start(Wrong);
    await expect(failed).rejects.toThrow('TW_SHAPE_PAGE: NoList.text has @Page and is not a list.');
    await expect(failed).rejects.toThrow('TW_SHAPE_PAGE: TwoLists.one is one of two lists with @Page.');
    await expect(failed).rejects.toThrow('TW_SHAPE_PAGE: Gap.items may be cut, and then nobody knows');
  });

  test('is not cut to nothing, nor to what another rule of its output refuses', async () => {
    class Whole {
      @IsArray() @IsString({ each: true }) @Page() items!: string[];
      @IsBoolean() @IsOptional() truncated?: boolean;
    }
    class Uncut {
      @IsArray() @IsString({ each: true }) @Page() items!: string[];
      @Equals(false) @IsOptional() truncated?: boolean;
    }
    @ToolGroup('large')
    @Budget({ bytes: 1024 })
    class Large {
      @Action({ output: Whole }) first() {
        return { items: ['x'.repeat(2000), 'y'] };
      }
      @Action({ output: Uncut }) second() {
        return { items: ['x'.repeat(300), 'y'.repeat(300), 'z'.repeat(300)] };
      }
    }
    const app = await start(Large);
    for (const action of ['first', 'second']) {
      expect(factsOf(await app.call('large', { action }))).toMatchObject({ code: 'RESULT_TOO_LARGE' });
    }
    await app.close();
  });
});
