import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action } from '../../../src/decorators/members.ts';
import { ToolGroup } from '../../../src/decorators/classes.ts';
import { actionOf, moduleWith, problemOf, problemsOf, scan, toolOf } from '../../support/scan-helpers.ts';

class Site {
  @IsString() site!: string;
}
class Floor {
  @IsString() floor!: string;
}

@ToolGroup({ name: 'office', tags: ['office'], common: Site, unknownFields: 'strip' })
class Office {}
@ToolGroup({ name: 'eu', description: 'Europe', parent: Office, tags: ['eu'] })
class Europe {}
@ToolGroup({ name: 'rooms', parent: () => Europe, common: Floor, unknownFields: 'strict' })
class Rooms {
  @Action({ tags: ['book'] }) book(_floor: Floor, _site: Site): void {}
}
@ToolGroup({ name: 'desks', description: 'Desks', parent: Office })
class Desks {
  @Action({ groups: [Rooms] }) free(_site: Site): void {}
}

describe('a tree of groups is one tool', () => {
  // Not in tree order: files and lists may come in any order.
  const application = scan(moduleWith([Desks, Rooms, Europe, Office]));
  const tool = toolOf(application, 'office');

  test('whose keys are the path below the root', () => {
    expect(application.tools).toHaveLength(1);
    expect(tool.mode).toBe('hierarchical');
    expect(tool.actions.map(({ key, group, name }) => [key, group, name])).toEqual([
      ['desks.free', 'desks', 'free'],
      ['eu.rooms.book', 'eu.rooms', 'book'],
      ['eu.rooms.free', 'eu.rooms', 'free'],
    ]);
  });

  test('whose groups are those with actions or a description', () => {
    expect(tool.groups).toEqual([
      { path: 'desks', description: 'Desks' },
      { path: 'eu', description: 'Europe' },
      { path: 'eu.rooms', description: undefined },
    ]);
  });

  test('whose common fields, tags and modes add up along the path', () => {
    expect(tool.common).toBe(Site);
    expect(actionOf(application, 'eu.rooms.book')).toMatchObject({
      groupCommon: [Floor],
      tags: ['office', 'eu', 'book'],
      unknownFields: 'strict',
      input: undefined,
      handler: {
        parameters: [
          { kind: 'common', source: Floor },
          { kind: 'common', source: Site },
        ],
      },
    });
    expect(actionOf(application, 'desks.free')).toMatchObject({ groupCommon: [], unknownFields: 'strip' });
  });

  test('where an action with `groups` takes the common fields, tags and mode of each place', () => {
    expect(actionOf(application, 'eu.rooms.free')).toMatchObject({
      where: 'Desks.free()',
      groupCommon: [Floor],
      tags: ['office', 'eu'],
      unknownFields: 'strict',
    });
  });
});

test('`groups` may name another tool, and the handler stays with its own controller', () => {
  @ToolGroup()
  class OneTools {
    @Action({ groups: [() => TwoTools] }) shared(): void {}
  }
  @ToolGroup()
  class TwoTools {
    @Action() own(): void {}
  }
  const application = scan(moduleWith([OneTools, TwoTools]));
  expect(toolOf(application, 'two').actions.map(({ key }) => key)).toEqual(['own', 'shared']);
  expect(toolOf(application, 'two').actions[1]?.handler).toMatchObject({
    controller: application.modules[0]?.controllers[0],
  });
});

describe('problems', () => {
  test('TW_SCAN_PARENT_UNKNOWN: the parent is not listed, or is not a group', () => {
    @ToolGroup({ parent: Office })
    class Sub {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([Sub]))).toMatchObject({
      code: 'TW_SCAN_PARENT_UNKNOWN',
      where: 'Sub',
      what: 'names Office as its parent, which is not part of the application.',
      fix: '@Module({ controllers: [Office] }) on a module of the application',
    });
    @ToolGroup({ parent: Site })
    class Odd {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([Odd])).fix).toBe('@ToolGroup() on Site');
  });

  test('TW_SCAN_PARENT_UNKNOWN: so is a further group', () => {
    @ToolGroup()
    class One {
      @Action({ groups: [Office] }) go(): void {}
    }
    expect(problemOf(moduleWith([One]))).toMatchObject({
      where: 'One.go()',
      what: 'names Office as a further group, which is not part of the application.',
    });
  });

  test('TW_SCAN_UNDEFINED: a parent or further group that does not exist yet', () => {
    @ToolGroup({ parent: undefined as never })
    class Sub {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([Sub]))).toMatchObject({
      code: 'TW_SCAN_UNDEFINED',
      fix: 'parent: () => TheGroup',
    });
    @ToolGroup()
    class One {
      @Action({ groups: [undefined as never] }) go(): void {}
    }
    expect(problemOf(moduleWith([One]))).toMatchObject({
      code: 'TW_SCAN_UNDEFINED',
      fix: 'groups: [() => TheGroup]',
    });
  });

  test('TW_SCAN_PARENT_CYCLE prints the ring', () => {
    @ToolGroup({ parent: () => B })
    class A {
      @Action() go(): void {}
    }
    @ToolGroup({ parent: A })
    class B {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([A, B]))).toMatchObject({
      code: 'TW_SCAN_PARENT_CYCLE',
      where: 'A',
      what: 'is its own parent: A → B → A.',
      fix: 'remove `parent` from one of them, which is then the tool',
    });
  });

  test('TW_SCAN_ROOT_OPTION: discriminator, expose, describe, separator and prefix count at the root only', () => {
    @ToolGroup({
      parent: Office,
      discriminator: 'op',
      expose: 'flat',
      describe: 'toon',
      separator: '-',
      prefix: '',
    })
    class Sub {
      @Action() go(): void {}
    }
    const problems = problemsOf(moduleWith([Office, Sub]));
    expect(problems.map(({ code, what }) => `${code} ${what.split(' ')[1]!}`)).toEqual(
      ['describe,', 'discriminator,', 'expose,', 'prefix,', 'separator,'].map(
        (option) => `TW_SCAN_ROOT_OPTION ${option}`,
      ),
    );
    expect(problems[0]?.fix).toBe('move describe to the @ToolGroup of Office');
  });

  test('TW_SCAN_MODE_MIXED: own actions beside sub-groups', () => {
    @ToolGroup('office')
    class Mixed {
      @Action() go(): void {}
    }
    @ToolGroup({ parent: Mixed })
    class Sub {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([Mixed, Sub]))).toMatchObject({
      code: 'TW_SCAN_MODE_MIXED',
      where: 'Mixed',
      what: 'has actions of its own (Mixed.go()) beside the sub-group Sub.',
      why: 'a tool has either actions or groups with actions: "office" would have both.',
      fix: 'move its actions to a class with @ToolGroup({ parent: Mixed }), or remove `parent` from Sub, which is then a tool of its own',
    });
  });

  test('TW_SCAN_ACTION_DUPLICATE names the full key', () => {
    @ToolGroup({ name: 'sub', parent: Office })
    class A {
      @Action() go(): void {}
    }
    @ToolGroup({ name: 'sub', parent: Office })
    class B {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([Office, A, B])).what).toBe(
      'has two actions with the key "sub.go": A.go() and B.go().',
    );
  });
});
