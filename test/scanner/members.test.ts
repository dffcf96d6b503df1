import { describe, expect, test } from '@jest/globals';
import { Action } from '../../src/decorators/action.ts';
import { Ctx } from '../../src/decorators/ctx.ts';
import { Destructive } from '../../src/decorators/destructive.ts';
import { Middleware } from '../../src/decorators/middleware.ts';
import { Module } from '../../src/decorators/module.ts';
import { ReadOnly } from '../../src/decorators/read-only.ts';
import { ToolGroup } from '../../src/decorators/tool-group.ts';
import type { Class } from '../../src/shared/class-type.ts';
import { problemOf, problemsOf, scan } from './scan-helpers.ts';

function moduleWith(...controllers: readonly Class[]): Class {
  @Module({ controllers })
  class Root {}
  return Root;
}

function keysOf(...controllers: readonly Class[]): readonly string[] {
  return scan(moduleWith(...controllers)).tools.flatMap((tool) => tool.actions.map(({ key }) => key));
}

describe('inheritance', () => {
  class Base {
    @Action() first(): void {}
    @Action() @ReadOnly() second(): void {}
    @Action() third(): void {}
  }

  test("gives the base class's actions first", () => {
    @ToolGroup()
    class Derived extends Base {
      @Action() own(): void {}
    }
    expect(keysOf(Derived)).toEqual(['first', 'second', 'third', 'own']);
    expect(scan(moduleWith(Derived)).tools[0]?.actions[0]?.where).toBe('Derived.first()');
  });

  test('drops an action whose override has no @Action', () => {
    @ToolGroup()
    class Derived extends Base {
      override second(): void {}
    }
    expect(keysOf(Derived)).toEqual(['first', 'third']);
  });

  test('takes everything of an override with @Action from the override', () => {
    @ToolGroup()
    class Derived extends Base {
      @Action('again') override second(): void {}
    }
    const tool = scan(moduleWith(Derived)).tools[0];
    expect(tool?.actions.map(({ key }) => key)).toEqual(['first', 'third', 'second']);
    expect(tool?.actions[2]).toMatchObject({ description: 'again', isReadOnly: false });
  });
});

describe('problems', () => {
  test('TW_SCAN_MARK_CONFLICT', () => {
    @ToolGroup()
    class Tools {
      @Action() @ReadOnly() @Destructive() go(): void {}
    }
    expect(problemOf(moduleWith(Tools))).toMatchObject({
      code: 'TW_SCAN_MARK_CONFLICT',
      where: 'Tools.go()',
      what: 'is marked both @ReadOnly and @Destructive.',
      fix: 'remove @ReadOnly or @Destructive',
    });
  });

  test('TW_SCAN_ACTION_MISSING: marks, middleware and parameter decorators without @Action', () => {
    @ToolGroup()
    class Tools {
      @Action() go(): void {}
      @ReadOnly() a(): void {}
      @Middleware(() => 1) b(): void {}
      c(@Ctx() _ctx: unknown): void {}
    }
    const problems = problemsOf(moduleWith(Tools));
    expect(problems.map(({ code, where, what }) => `${code} ${where} ${what}`)).toEqual([
      'TW_SCAN_ACTION_MISSING Tools.a() has @ReadOnly but no @Action.',
      'TW_SCAN_ACTION_MISSING Tools.b() has @Middleware but no @Action.',
      'TW_SCAN_ACTION_MISSING Tools.c() has @Ctx but no @Action.',
    ]);
    expect(problems[0]?.fix).toBe("@Action('…') on Tools.a(), or remove @ReadOnly");
  });

  test('TW_SCAN_DECORATOR_TWICE: two @Action on one method', () => {
    @ToolGroup()
    class Tools {
      @Action('a') @Action('b') go(): void {}
    }
    expect(problemOf(moduleWith(Tools))).toMatchObject({
      code: 'TW_SCAN_DECORATOR_TWICE',
      where: 'Tools.go()',
      what: 'has @Action twice.',
      fix: 'keep one @Action, and give the other action a method of its own',
    });
  });

  test('TW_SCAN_ACTION_STATIC', () => {
    @ToolGroup()
    class Tools {
      @Action() go(): void {}
      @Action() static make(): void {}
    }
    expect(problemOf(moduleWith(Tools))).toMatchObject({
      code: 'TW_SCAN_ACTION_STATIC',
      where: 'Tools.make()',
      fix: 'remove `static` from Tools.make()',
    });
  });
});
