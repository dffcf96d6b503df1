import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action } from '../../../src/decorators/members.ts';
import { Module, ToolGroup } from '../../../src/decorators/classes.ts';
import { moduleWith, problemOf } from '../../support/scan-helpers.ts';

class Dto {
  @IsString() id!: string;
}

@ToolGroup()
class NoteTools {
  @Action() search(): void {}
}

describe('problems', () => {
  test('TW_SCAN_TOOL_EMPTY', () => {
    @ToolGroup()
    class Empty {}
    expect(problemOf(moduleWith([Empty]))).toMatchObject({
      code: 'TW_SCAN_TOOL_EMPTY',
      where: 'Empty',
      what: 'has no action, so the tool "empty" could do nothing.',
      fix: "@Action('…') on a method of Empty, or of a group with parent: Empty",
    });
  });

  test('TW_SCAN_TOOL_DUPLICATE', () => {
    @ToolGroup('x')
    class One {
      @Action() go(): void {}
    }
    @ToolGroup('x')
    class Two {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([One, Two]))).toMatchObject({
      code: 'TW_SCAN_TOOL_DUPLICATE',
      where: 'Two',
      what: 'is a second tool with the name "x", beside One.',
      fix: "@ToolGroup({ name: '…' }) with another name, or parent: One",
    });
  });

  test('TW_SCAN_ACTION_DUPLICATE', () => {
    @ToolGroup('x')
    class One {
      @Action() go(): void {}
      @Action({ name: 'go' }) run(): void {}
    }
    expect(problemOf(moduleWith([One]))).toMatchObject({
      code: 'TW_SCAN_ACTION_DUPLICATE',
      where: 'One',
      what: 'has two actions with the key "go": One.go() and One.run().',
      fix: "@Action({ name: '…' }) on one of them",
    });
  });

  test('TW_SCAN_CONTROLLER_DUPLICATE', () => {
    @ToolGroup()
    class One {
      @Action() go(): void {}
    }
    @Module({ controllers: [One] })
    class Feature {}
    @Module({ imports: [Feature], controllers: [One] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_CONTROLLER_DUPLICATE',
      where: 'One',
      what: 'is a controller of Feature and of Root.',
      fix: 'list it in one module, and import that module in the other',
    });
    expect(problemOf(moduleWith([One, One]))).toMatchObject({
      code: 'TW_SCAN_CONTROLLER_DUPLICATE',
      where: 'One',
      what: 'stands twice in the controllers of Root.',
      fix: 'remove one of the two entries',
    });
  });

  test('TW_SCAN_GROUP_MISSING: actions without @ToolGroup, inherited ones included', () => {
    class Bare {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([Bare]))).toMatchObject({
      code: 'TW_SCAN_GROUP_MISSING',
      where: 'Bare',
      what: 'has actions but no @ToolGroup.',
      fix: "@ToolGroup('bare') on Bare",
    });
    class Derived extends NoteTools {}
    expect(problemOf(moduleWith([Derived])).why).toContain('the @ToolGroup of NoteTools is not inherited');
  });

  test('TW_SCAN_OPTION_UNKNOWN: misspelt options of @ToolGroup, @Action, @Module and @Injectable', () => {
    @ToolGroup({ descripton: 'x' } as object)
    class One {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([One]))).toMatchObject({
      code: 'TW_SCAN_OPTION_UNKNOWN',
      where: 'One',
      what: 'has the option "descripton", which @ToolGroup does not know.',
      fix: 'did you mean "description"?',
    });
    @ToolGroup()
    class Two {
      @Action({ inptu: Dto } as object) go(): void {}
    }
    expect(problemOf(moduleWith([Two]))).toMatchObject({ where: 'Two.go()', fix: 'did you mean "input"?' });
    @Module({ wholly: 1 } as object)
    class Three {}
    expect(problemOf(Three).fix).toBe(
      'remove it; known are imports, controllers, providers, exports, global',
    );
  });

  test('TW_SCAN_OPTION_VALUE: a value that does not exist', () => {
    @ToolGroup({ expose: 'falt' as 'flat' })
    class One {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([One]))).toMatchObject({
      code: 'TW_SCAN_OPTION_VALUE',
      fix: 'did you mean "flat"?',
    });
  });

  test('TW_SCAN_DECORATOR_TWICE: two @ToolGroup on one class', () => {
    @ToolGroup('a')
    @ToolGroup('b')
    class One {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith([One]))).toMatchObject({
      code: 'TW_SCAN_DECORATOR_TWICE',
      fix: 'keep one @ToolGroup, and give the other group a class of its own',
    });
  });
});
