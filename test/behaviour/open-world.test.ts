import { describe, expect, test } from '@jest/globals';
import {
  Action,
  createTool,
  McpApplication,
  Module,
  OpenWorld,
  ToolGroup,
  ToolRegistry,
  type ApplicationOptions,
} from 'toolwright';

async function hintOf(root: abstract new () => unknown, options: ApplicationOptions = {}): Promise<unknown> {
  const app = await McpApplication.create(root as never, options);
  try {
    return app.definitions[0]?.annotations.openWorldHint;
  } finally {
    await app.close();
  }
}

/** A tool with two actions; each decorator is there or not. */
function toolWith(said: {
  readonly first?: boolean;
  readonly second?: boolean;
  readonly group?: boolean;
  readonly parent?: boolean;
  readonly module?: boolean;
}): abstract new () => unknown {
  const saying = (isOpen: boolean | undefined): ClassDecorator & MethodDecorator =>
    isOpen === undefined ? () => undefined : OpenWorld(isOpen);
  @ToolGroup('root')
  @saying(said.parent)
  class Root {}
  @ToolGroup({ name: 'leaf', parent: Root })
  @saying(said.group)
  class Leaf {
    @Action('First') @saying(said.first) first(): void {}
    @Action('Second') @saying(said.second) second(): void {}
  }
  @Module({ controllers: [Root, Leaf] })
  @saying(said.module)
  class RootModule {}
  return RootModule;
}

describe('whether a tool reaches an open world', () => {
  test.each([
    ['nobody says', {}, undefined, undefined],
    ['one of two says yes', { first: true }, undefined, true],
    ['one of two says no', { first: false }, undefined, undefined],
    ['both say no', { first: false, second: false }, undefined, false],
    ['they differ', { first: false, second: true }, undefined, true],
    ['the group says no', { group: false }, undefined, false],
    ['the group says no, and an action yes', { group: false, second: true }, undefined, true],
    [
      'the group says yes, and both actions no',
      { group: true, first: false, second: false },
      undefined,
      false,
    ],
    ['the parent says no', { parent: false }, undefined, false],
    ['the parent says no, and its group yes', { parent: false, group: true }, undefined, true],
    ['the module says no', { module: false }, undefined, false],
    ['the module says yes, and the parent no', { module: true, parent: false }, undefined, false],
    ['the application says no', {}, false, false],
    ['the application says no, and the module yes', { module: true }, false, true],
  ])('%s', async (_, said, openWorld, hint) => {
    const options = openWorld === undefined ? {} : { openWorld };
    expect(await hintOf(toolWith(said), options)).toBe(hint);
  });

  test('an override keeps that its base is open, and has to repeat that it is closed', async () => {
    class Base {
      @Action('Search') @OpenWorld() search(): void {}
      @Action('Count') @OpenWorld(false) count(): void {}
    }
    @ToolGroup({ name: 'open', expose: 'flat' })
    class Tools extends Base {
      @Action('Search better') override search(): void {}
      @Action('Count better') override count(): void {}
    }
    @Module({ controllers: [Tools] })
    class RootModule {}
    const app = await McpApplication.create(RootModule);
    const hints = app.definitions.map(({ name, annotations }) => [name, annotations.openWorldHint]);
    expect(Object.fromEntries(hints)).toEqual({ open_search: true, open_count: undefined });
    await app.close();
  });

  test('the plain API says it the same way', () => {
    const registry = new ToolRegistry();
    const closed = { description: 'Counts', openWorld: false, handler: () => 1 };
    registry.register(createTool('counter').action({ name: 'count', ...closed }));
    expect(registry.getAllTools()[0]?.annotations.openWorldHint).toBe(false);
  });

  test('what is neither true nor false is a problem of the start', async () => {
    await expect(hintOf(toolWith({ group: 'no' as never }))).rejects.toThrow('@OpenWorld');
  });
});
