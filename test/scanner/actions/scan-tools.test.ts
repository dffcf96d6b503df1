import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, ReadOnly } from '../../../src/decorators/members.ts';
import { Destructive } from '../../../src/features/consent/destructive.ts';
import { Idempotent } from '../../../src/features/idempotency/decorator.ts';
import { Module, OpenWorld, ToolGroup } from '../../../src/decorators/classes.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { actionOf, moduleWith, problemOf, scan, toolOf } from '../../support/scan-helpers.ts';

class Dto {
  @IsString() id!: string;
}

@ToolGroup({
  title: 'Notes',
  description: 'Take notes',
  tags: ['a', 'b'],
  discriminator: 'op',
  expose: 'flat',
  separator: '-',
  describe: 'toon',
  annotations: { openWorldHint: false },
  unknownFields: 'strip',
  icons: [{ src: 'x' }],
  meta: { k: 1 },
})
class NoteTools {
  @Action({
    name: 'find',
    title: 'Find',
    description: 'Find notes',
    tags: ['b', 'c'],
    result: 'toon',
    output: Dto,
  })
  @ReadOnly()
  @OpenWorld()
  search(): void {}

  @Action()
  @Destructive()
  @Idempotent()
  delete(_input: Dto): void {}
}

describe('a tool', () => {
  const application = scan(moduleWith([NoteTools]));
  const tool = toolOf(application, 'note');

  test('carries what @ToolGroup says', () => {
    expect(tool).toMatchObject({
      where: 'NoteTools',
      title: 'Notes',
      description: 'Take notes',
      discriminator: 'op',
      mode: 'flat',
      expose: 'flat',
      separator: '-',
      describe: 'toon',
      annotations: { openWorldHint: false },
      tags: ['a', 'b'],
      icons: [{ src: 'x' }],
      meta: { k: 1 },
      common: undefined,
      groups: [],
    });
  });

  test('carries what @Action and the marks say', () => {
    expect(tool.actions[0]).toMatchObject({
      key: 'find',
      name: 'find',
      group: undefined,
      where: 'NoteTools.search()',
      title: 'Find',
      description: 'Find notes',
      input: undefined,
      output: Dto,
      isDestructive: false,
      isReadOnly: true,
      isIdempotent: false,
      isOpenWorld: true,
      tags: ['a', 'b', 'c'],
      unknownFields: 'strip',
      result: 'toon',
      hasMiddleware: false,
    });
    expect(tool.actions[1]).toMatchObject({
      key: 'delete',
      input: Dto,
      isDestructive: true,
      isReadOnly: false,
      isIdempotent: true,
      isOpenWorld: undefined,
      result: 'json',
    });
    expect(tool.actions[1]?.handler).toEqual({
      kind: 'method',
      controller: application.modules[0]?.controllers[0],
      member: 'delete',
      parameters: [{ kind: 'input' }],
    });
  });

  test('is frozen through and through', () => {
    for (const part of [
      tool,
      tool.tags,
      tool.actions,
      tool.actions[0],
      tool.actions[0]?.tags,
      tool.actions[0]?.middleware,
      tool.groups,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

test('expose, describe and unknownFields come from the application unless the tool says otherwise', () => {
  @ToolGroup()
  class PlainTools {
    @Action() go(): void {}
  }
  const options = { expose: 'flat', describe: 'toon', unknownFields: 'strip' } as const;
  expect(scan(moduleWith([PlainTools])).tools[0]).toMatchObject({
    expose: 'grouped',
    describe: 'plain',
    separator: '_',
    prefix: 'plain',
    discriminator: 'action',
  });
  expect(actionOf(scan(moduleWith([PlainTools])), 'go').unknownFields).toBe('strict');
  expect(scan(moduleWith([PlainTools]), options).tools[0]).toMatchObject({
    expose: 'flat',
    describe: 'toon',
  });
  expect(actionOf(scan(moduleWith([PlainTools]), options), 'go').unknownFields).toBe('strip');
});

test('tools come imported modules first, controllers as listed, actions in source order', () => {
  @ToolGroup()
  class ATools {
    @Action() z(): void {}
    @Action() a(): void {}
    @Action() m(): void {}
  }
  @ToolGroup()
  class BTools {
    @Action() go(): void {}
  }
  @ToolGroup()
  class CTools {
    @Action() go(): void {}
  }
  @Module({ controllers: [CTools] })
  class Feature {}
  @Module({ imports: [Feature], controllers: [BTools, ATools] })
  class Root {}
  const { tools } = scan(Root);
  expect(tools.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  expect(tools[2]?.actions.map(({ key }) => key)).toEqual(['z', 'a', 'm']);
});

describe('names', () => {
  test.each([
    ['TasksController', 'tasks'],
    ['NoteTools', 'note'],
    ['UserAdminToolGroup', 'user-admin'],
    ['HTTPServerGroup', 'http-server'],
    ['Tools', 'tools'],
    ['Office', 'office'],
    ['My_Team2Tools', 'my-team2'],
  ])('%s is %s by default', (className, name) => {
    const type = {
      [className]: class {
        go(): void {}
      },
    }[className] as Class;
    Action()(type.prototype as object, 'go', Object.getOwnPropertyDescriptor(type.prototype, 'go')!);
    ToolGroup()(type);
    expect(scan(moduleWith([type])).tools[0]?.name).toBe(name);
  });

  test('TW_SCAN_NAME_INVALID: a dotted tool name, an empty action name, a symbol without a name', () => {
    const member = Symbol('secret');
    @ToolGroup('a.b')
    class Dotted {
      @Action() go(): void {}
    }
    for (const prefix of ['a.b', 7 as unknown as string]) {
      @ToolGroup({ prefix })
      class Prefixed {
        @Action() go(): void {}
      }
      const found = typeof prefix === 'string' ? '"a.b"' : '7';
      const what = `has the prefix ${found}, which is not allowed.`;
      expect(problemOf(moduleWith([Prefixed]))).toMatchObject({ code: 'TW_SCAN_NAME_INVALID', what });
    }
    expect(problemOf(moduleWith([Dotted]))).toMatchObject({
      code: 'TW_SCAN_NAME_INVALID',
      where: 'Dotted',
      what: 'has the tool name "a.b", which is not allowed.',
      why: 'a name is a text without dots; dots are kept for compound keys.',
      fix: "@ToolGroup({ name: 'a-b' })",
    });
    @ToolGroup()
    class Empty {
      @Action({ name: '' }) go(): void {}
    }
    expect(problemOf(moduleWith([Empty]))).toMatchObject({
      where: 'Empty.go()',
      what: 'has the action name "", which is empty.',
      fix: "@Action({ name: 'a-name' })",
    });
    for (const name of [' ', ' a', 'a ', 'a\nb', '\u0007', '\u200b', '\t']) {
      @ToolGroup()
      class Blank {
        @Action({ name }) go(): void {}
      }
      const { code, why } = problemOf(moduleWith([Blank]));
      expect([name, code, why]).toEqual([
        name,
        'TW_SCAN_NAME_INVALID',
        expect.stringContaining('white space'),
      ]);
    }
    for (const name of ['a b', 'größe', 'a/b', '日本', 'a,b', '💡']) {
      @ToolGroup()
      class Named {
        @Action({ name }) go(): void {}
      }
      expect(actionOf(scan(moduleWith([Named])), name).name).toBe(name);
    }
    @ToolGroup()
    class Secret {
      @Action() [member](): void {}
    }
    expect(problemOf(moduleWith([Secret])).where).toBe('Secret.Symbol(secret)()');
  });
});
