import { describe, expect, test } from '@jest/globals';
import { Action, Complete, Prompt, Resource, Ctx, ReadOnly } from '../../../src/decorators/members.ts';
import { Destructive } from '../../../src/features/consent/destructive.ts';
import { Injectable, Module, ToolGroup, Middleware } from '../../../src/decorators/classes.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { moduleWith, problemOf, problemsOf, scan } from '../../support/scan-helpers.ts';

function keysOf(...controllers: readonly Class[]): readonly string[] {
  return scan(moduleWith(controllers)).tools.flatMap((tool) => tool.actions.map(({ key }) => key));
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
    expect(scan(moduleWith([Derived])).tools[0]?.actions[0]?.where).toBe('Derived.first()');
  });

  test('drops an action whose override has no @Action', () => {
    @ToolGroup()
    class Derived extends Base {
      override second(): void {}
    }
    expect(keysOf(Derived)).toEqual(['first', 'third']);
  });

  test('takes what is harmless of an override with @Action from the override alone', () => {
    @ToolGroup()
    class Derived extends Base {
      @Action('again') override second(): void {}
    }
    const tool = scan(moduleWith([Derived])).tools[0];
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
    expect(problemOf(moduleWith([Tools]))).toMatchObject({
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
    const problems = problemsOf(moduleWith([Tools]));
    expect(problems.map(({ code, where, what }) => `${code} ${where} ${what}`)).toEqual([
      'TW_SCAN_ACTION_MISSING Tools.a() has @ReadOnly but no @Action.',
      'TW_SCAN_ACTION_MISSING Tools.b() has @Middleware but no @Action, @Prompt or @Resource.',
      'TW_SCAN_ACTION_MISSING Tools.c() has @Ctx but no @Action, @Prompt or @Resource.',
    ]);
    expect(problems[0]?.fix).toBe("@Action('…') on Tools.a(), or remove @ReadOnly");
    expect(problems[1]?.fix).toBe(
      "@Action('…'), @Prompt('…') or @Resource('…') on Tools.b(), or remove @Middleware",
    );
  });

  test('TW_SCAN_DECORATOR_TWICE: two @Action on one method', () => {
    @ToolGroup()
    class Tools {
      @Action('a') @Action('b') go(): void {}
    }
    expect(problemOf(moduleWith([Tools]))).toMatchObject({
      code: 'TW_SCAN_DECORATOR_TWICE',
      where: 'Tools.go()',
      what: 'has @Action twice.',
      fix: 'keep one @Action, and give the other action a method of its own',
    });
  });

  test('TW_SCAN_ROLE_CONFLICT: two of @Action, @Prompt, @Resource and @Complete on one method', () => {
    @ToolGroup()
    class Tools {
      @Action() @Prompt() go(): void {}
      @Prompt() @Resource('x://y') @Complete('other', 'a') stay(): void {}
      @Prompt({ input: { type: 'object' } }) other(): void {}
    }
    const problems = problemsOf(moduleWith([Tools]));
    expect(problems.map(({ code, where, what }) => `${code} ${where} ${what}`)).toEqual([
      'TW_SCAN_ROLE_CONFLICT Tools.go() has @Action and @Prompt.',
      'TW_SCAN_ROLE_CONFLICT Tools.stay() has @Prompt and @Resource and @Complete.',
    ]);
    expect(problems[0]?.fix).toBe('keep one of them, and give the other one a method of its own');
  });

  test('TW_SCAN_MARK_MISPLACED: marks on what is not an action', () => {
    @Injectable()
    class Docs {
      @Prompt() @Destructive() write(): void {}
      @Resource('docs://all') @ReadOnly() all(): void {}
    }
    const problems = problemsOf(moduleWith([Docs]));
    expect(problems.map(({ code, where, what, fix }) => `${code} ${where} ${what} ${fix}`)).toEqual([
      'TW_SCAN_MARK_MISPLACED Docs.all() has @ReadOnly beside @Resource. remove @ReadOnly',
      'TW_SCAN_MARK_MISPLACED Docs.write() has @Destructive beside @Prompt. remove @Destructive',
    ]);
  });

  test('TW_SCAN_CONTROLLER_EMPTY', () => {
    class Base {
      @Prompt() go(): void {}
    }
    @Injectable()
    class Dropped extends Base {
      override go(): void {}
    }
    @Injectable()
    class Service {
      run(): void {}
    }
    const problems = problemsOf(moduleWith([Service, Dropped]));
    expect(problems.map(({ code, where }) => `${code} ${where}`)).toEqual([
      'TW_SCAN_CONTROLLER_EMPTY Dropped',
      'TW_SCAN_CONTROLLER_EMPTY Service',
    ]);
    expect(problems[1]).toMatchObject({
      what: 'is a controller without any action, prompt or resource.',
      fix: "@Action('…'), @Prompt('…') or @Resource('…') on a method of Service, or move Service to providers",
    });
  });

  test('a group of a tree may be empty', () => {
    @ToolGroup()
    class Root {}
    @ToolGroup({ parent: Root })
    class Middle {}
    @ToolGroup({ parent: Middle })
    class Leaf {
      @Action() go(): void {}
    }
    expect(keysOf(Root, Middle, Leaf)).toEqual(['middle.leaf.go']);
  });

  test.each([
    ['@ToolGroup', ToolGroup(), Action()],
    ['@Prompt', Injectable(), Prompt()],
    ['@Resource', Injectable(), Resource('x://y')],
  ])('TW_SCAN_GROUP_MISPLACED: %s in the wrong list', (name, onClass, onMethod) => {
    @onClass
    class Docs {
      @onMethod go(): void {}
    }
    @Module({ providers: [Docs] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_GROUP_MISPLACED',
      where: 'Docs',
      what: `has ${name} but stands in the providers of Root.`,
      fix: '@Module({ controllers: [Docs] }) on Root',
    });
  });

  test('TW_SCAN_ACTION_STATIC', () => {
    @ToolGroup()
    class Tools {
      @Action() go(): void {}
      @Action() static make(): void {}
    }
    @Injectable()
    class Docs {
      @Prompt() static write(): void {}
      @Resource('x://y') static read(): void {}
      @Complete('write', 'a') static values(): void {}
    }
    expect(problemsOf(moduleWith([Docs])).map(({ code, where, what }) => `${code} ${where} ${what}`)).toEqual(
      [
        'TW_SCAN_ACTION_STATIC Docs.read() is static, but a method with @Resource runs on an instance.',
        'TW_SCAN_ACTION_STATIC Docs.values() is static, but a method with @Complete runs on an instance.',
        'TW_SCAN_ACTION_STATIC Docs.write() is static, but a method with @Prompt runs on an instance.',
      ],
    );
    expect(problemOf(moduleWith([Tools]))).toMatchObject({
      code: 'TW_SCAN_ACTION_STATIC',
      where: 'Tools.make()',
      fix: 'remove `static` from Tools.make()',
    });
  });
});
