import { afterEach, describe, expect, test } from '@jest/globals';
import {
  Action,
  createTool,
  Module,
  ReadOnly,
  Timeout,
  ToolGroup,
  type ApplicationOptions,
  type Class,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { textOf } from '../support/text-of.ts';

const forever = (): Promise<never> => new Promise(() => undefined);

let app: TestApplication | undefined;
afterEach(() => app?.close());

async function start(controller: Class, options: ApplicationOptions = {}): Promise<TestApplication> {
  @Module({ controllers: [controller] })
  class WorkModule {}
  app = await createTestApplication(WorkModule, { logger: new MemoryLogger(), drainTimeout: 0, ...options });
  return app;
}

@ToolGroup('work')
class WorkTools {
  @Action() run(): string {
    return 'done';
  }
}

describe('the nearest limit counts', () => {
  const stuckFor = async (work: TestApplication, action: string): Promise<string> =>
    textOf(await work.call('outer', { action }));

  @ToolGroup({ name: 'outer' })
  @Timeout(40)
  class Outer {
    @Action() stuck(): Promise<never> {
      return forever();
    }
    @Action() @Timeout(50) @ReadOnly() own(): Promise<never> {
      return forever();
    }
    @Action() @Timeout(Infinity) async free(): Promise<string> {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return 'at last';
    }
  }

  test('of method, class and application', async () => {
    const work = await start(Outer, { limits: { timeout: 1 } });
    expect(await stuckFor(work, 'stuck')).toContain('Timed out after 40 ms');
    expect(await stuckFor(work, 'own')).toContain('Timed out after 50 ms');
    expect(await stuckFor(work, 'free')).toBe('at last');
  });

  test('of an override, its class, or the method that it overrides', async () => {
    @ToolGroup({ name: 'outer' })
    class Inner extends Outer {
      @Action() override own(): Promise<never> {
        return forever();
      }
    }
    expect(await stuckFor(await start(Inner), 'own')).toContain('Timed out after 50 ms');
  });

  test('of a group and the groups above', async () => {
    @ToolGroup({ name: 'tree' })
    @Timeout(45)
    class Tree {}
    @ToolGroup({ name: 'leaf', parent: Tree })
    class Leaf {
      @Action() stuck(): Promise<never> {
        return forever();
      }
    }
    @Module({ controllers: [Tree, Leaf] })
    class TreeModule {}
    app = await createTestApplication(TreeModule, { logger: new MemoryLogger(), drainTimeout: 0 });
    const result = await app.call('tree', { action: 'leaf.stuck' });
    expect(textOf(result)).toContain('Timed out after 45 ms');
  });

  test('of the application for everything without its own, tools that are registered later too', async () => {
    @ToolGroup('plain')
    class Plain {
      @Action() stuck(): Promise<never> {
        return forever();
      }
    }
    const work = await start(Plain, { limits: { timeout: 55 } });
    work.app.registry.register(createTool('late').action({ name: 'stuck', handler: forever }));
    expect(textOf(await work.call('plain', { action: 'stuck' }))).toContain('Timed out after 55 ms');
    expect(textOf(await work.call('late', { action: 'stuck' }))).toContain('Timed out after 55 ms');
  });
});

describe('a wrong limit', () => {
  test.each([0, -1, Number.NaN, '5s'])('is a problem of its decorator: %p', async (value) => {
    @ToolGroup('work')
    @Timeout(value as number)
    class Wrong {
      @Action() @Timeout(value as number) run(): string {
        return '';
      }
    }
    await expect(start(Wrong)).rejects.toMatchObject({
      problems: [
        { code: 'TW_SCAN_OPTION_VALUE', where: 'Wrong' },
        { code: 'TW_SCAN_OPTION_VALUE', where: 'Wrong.run()' },
      ],
    });
  });

  test('is reported where it has nothing to limit, or stands twice', async () => {
    @ToolGroup('work')
    @Timeout(1)
    @Timeout(2)
    class Wrong {
      @Timeout(1) helper(): string {
        return '';
      }
      @Action() run(): string {
        return '';
      }
    }
    await expect(start(Wrong)).rejects.toMatchObject({
      problems: [
        { code: 'TW_SCAN_DECORATOR_TWICE', where: 'Wrong' },
        { code: 'TW_SCAN_ACTION_MISSING', where: 'Wrong.helper()' },
      ],
    });
  });

  test('is refused as an option', async () => {
    await expect(start(WorkTools, { limits: { timeout: 0 } })).rejects.toThrow('TW_APPLICATION_OPTION');
    await expect(start(WorkTools, { limits: { timout: 5 } as never })).rejects.toThrow(
      'TW_APPLICATION_OPTION',
    );
    const action = { name: 'run', handler: () => '', timeout: -5 };
    expect(() => createTool('plain').action(action)).toThrow('TW_SCAN_OPTION_VALUE');
  });
});
