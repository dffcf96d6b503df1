import { describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import type { Next } from '../../src/call/middleware.ts';
import { ToolContext } from '../../src/call/tool-context.ts';
import { Action, Resource, Inject, Input } from '../../src/decorators/members.ts';
import { Injectable, ToolGroup, Middleware } from '../../src/decorators/classes.ts';
import type { Class } from '../../src/shared/class-type.ts';
import { moduleWith, problemsOf, providerOf, scan } from '../support/scan-helpers.ts';

class PageRef {
  @IsString() slug!: string;
}
@Injectable()
class Store {}

const named = (label: string) => Object.assign((_call: unknown, next: Next) => next(), { label });

function moduleOf(...controllers: readonly Class[]): Class {
  return moduleWith(controllers, [Store]);
}

describe('list', () => {
  test('names a method of the class; its one parameter is the context unless something else is said', () => {
    class Base {
      inherited(_ctx: ToolContext): void {}
    }
    @Injectable()
    class Docs extends Base {
      @Resource('a://{x}', { list: 'plain' }) a(): void {}
      @Resource('b://{x}', { list: 'none' }) b(): void {}
      @Resource('c://{x}', { list: 'inherited' }) c(): void {}
      @Resource('d://{x}', { list: 'injected' }) d(): void {}
      plain(_ctx: ToolContext): void {}
      none(): void {}
      injected(@Inject(Store) _store: unknown, _ctx: ToolContext, _again: Store): void {}
    }
    const application = scan(moduleOf(Docs));
    const controller = providerOf(application, 'Docs').key;
    const store = { kind: 'provider', key: providerOf(application, 'Store').key };
    expect(application.resources.map(({ list }) => list)).toEqual([
      { kind: 'method', controller, member: 'plain', parameters: [{ kind: 'context' }] },
      { kind: 'method', controller, member: 'none', parameters: [] },
      { kind: 'method', controller, member: 'inherited', parameters: [{ kind: 'context' }] },
      { kind: 'method', controller, member: 'injected', parameters: [store, { kind: 'context' }, store] },
    ]);
  });

  test('TW_SCAN_LIST_INVALID', () => {
    @ToolGroup()
    class Docs {
      readonly pages = 1;
      @Resource('a://{x}', { list: 'al' }) a(): void {}
      @Resource('b://{x}', { list: 'pages' }) b(): void {}
      @Resource('c://{x}', { list: 'act' }) c(): void {}
      @Resource('d://{x}', { list: 'constructor' }) d(): void {}
      @Resource('e://{x}', { list: 7 as unknown as string }) e(): void {}
      @Action() act(): void {}
      all(): void {}
    }
    expect(problemsOf(moduleOf(Docs)).map(({ code, where, what, fix }) => [code, where, what, fix])).toEqual([
      [
        'TW_SCAN_LIST_INVALID',
        'Docs.a()',
        'lists its resources with "al", which is not a method of Docs.',
        'did you mean "all"?',
      ],
      [
        'TW_SCAN_LIST_INVALID',
        'Docs.b()',
        'lists its resources with "pages", which is not a method of Docs.',
        'add a method to Docs, and name it in list',
      ],
      [
        'TW_SCAN_LIST_INVALID',
        'Docs.c()',
        'lists its resources with act(), which has @Action.',
        'name a method of its own in list',
      ],
      [
        'TW_SCAN_LIST_INVALID',
        'Docs.d()',
        'lists its resources with "constructor", which is not a method of Docs.',
        'add a method to Docs, and name it in list',
      ],
      [
        'TW_SCAN_LIST_INVALID',
        'Docs.e()',
        'lists its resources with 7, which is not a method of Docs.',
        'add a method to Docs, and name it in list',
      ],
    ]);
  });

  test('has no input and no middleware', () => {
    @Injectable()
    class Docs {
      @Resource('a://{x}', { list: 'dto' }) a(): void {}
      @Resource('b://{x}', { list: 'second' }) b(): void {}
      @Resource('c://{x}', { list: 'wrapped' }) c(): void {}
      dto(@Input() _ref: PageRef): void {}
      second(_ctx: ToolContext, _more: Store): void {}
      @Middleware(named('x')) wrapped(): void {}
    }
    expect(problemsOf(moduleOf(Docs)).map(({ code, where, why, fix }) => [code, where, why, fix])).toEqual([
      [
        'TW_SCAN_INPUT_UNEXPECTED',
        'Docs.dto()',
        undefined,
        'remove the parameter, or @Inject(Token) or @Ctx() on it',
      ],
      [
        'TW_SCAN_PARAMETER_UNKNOWN',
        'Docs.second() #2',
        'compilers write types for methods with a decorator only.',
        '@Inject(Token) or @Ctx() on parameter #2',
      ],
      expect.arrayContaining(['TW_SCAN_ACTION_MISSING', 'Docs.wrapped()']),
    ]);
  });
});
