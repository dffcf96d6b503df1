import { describe, expect, test } from '@jest/globals';
import type { MiddlewareCall, Next } from '../../../src/call/middleware.ts';
import { Action } from '../../../src/decorators/members.ts';
import { Injectable, Module, ToolGroup, Middleware } from '../../../src/decorators/classes.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { actionOf, problemOf, providerOf, scan } from '../../support/scan-helpers.ts';

const named = (name: string) => Object.assign((_call: MiddlewareCall, next: Next) => next(), { label: name });

@Injectable()
class Audit {
  use(_call: MiddlewareCall, next: Next): unknown {
    return next();
  }
}

function moduleWith(...controllers: readonly Class[]): Class {
  @Module({ controllers, providers: [Audit] })
  class Root {}
  return Root;
}

function labels(key: string, root: unknown, middleware: readonly unknown[] = []): readonly unknown[] {
  return actionOf(scan(root, { middleware }), key).middleware.map((entry) =>
    entry.kind === 'function' ? (entry.run as unknown as { label: string }).label : entry.kind,
  );
}

describe('the order of middleware', () => {
  @ToolGroup('root')
  @Middleware(named('root'))
  class Root {}
  @ToolGroup({ name: 'sub', parent: Root })
  @Middleware(named('sub 1'))
  @Middleware(named('sub 2'), named('sub 3'))
  class Sub {
    @Action() @Middleware(named('action 1')) @Middleware(named('action 2')) go(): void {}
  }
  @ToolGroup({ name: 'other', parent: Root })
  @Middleware(named('other'))
  class Other {
    @Action({ groups: [Sub] }) @Middleware(named('guest')) visit(): void {}
  }

  test('is global, then group outer to inner, then action; the upper of stacked ones is the outer', () => {
    expect(labels('sub.go', moduleWith(Root, Sub, Other), [named('global')])).toEqual([
      'global',
      'root',
      'sub 1',
      'sub 2',
      'sub 3',
      'action 1',
      'action 2',
    ]);
  });

  test('follows the place of an action with several parents', () => {
    expect(labels('other.visit', moduleWith(Root, Sub, Other))).toEqual(['root', 'other', 'guest']);
    expect(labels('sub.visit', moduleWith(Root, Sub, Other))).toEqual([
      'root',
      'sub 1',
      'sub 2',
      'sub 3',
      'guest',
    ]);
  });

  test('of a base class comes before that of the class, once', () => {
    @Middleware(named('base'))
    class Base {
      @Action() go(): void {}
    }
    @ToolGroup()
    @Middleware(named('own'))
    class Derived extends Base {}
    expect(labels('go', moduleWith(Derived))).toEqual(['base', 'own']);
    @ToolGroup({ parent: Root, name: 'x' })
    class Child extends Root {
      @Action() go(): void {}
    }
    expect(labels('x.go', moduleWith(Root, Child))).toEqual(['root']);
  });
});

test('hasMiddleware does not count global ones', () => {
  @ToolGroup()
  class Tools {
    @Action() a(): void {}
    @Action() @Middleware(named('x')) b(): void {}
  }
  const application = scan(moduleWith(Tools), { middleware: [named('global')] });
  expect(actionOf(application, 'a').hasMiddleware).toBe(false);
  expect(actionOf(application, 'b').hasMiddleware).toBe(true);
});

describe('the forms of middleware', () => {
  test('a class becomes a provider key, looked up in the module of its group', () => {
    @ToolGroup()
    @Middleware(Audit)
    class Tools {
      @Action() go(): void {}
    }
    const application = scan(moduleWith(Tools), { middleware: [Audit] });
    const key = providerOf(application, 'Audit').key;
    expect(actionOf(application, 'go').middleware).toEqual([
      { kind: 'provider', key },
      { kind: 'provider', key },
    ]);
  });

  test('an object keeps its `this`, and a `function` is a function', async () => {
    const counter = {
      count: 0,
      use(_call: unknown, next: Next): unknown {
        this.count += 1;
        return next();
      },
    };
    function plain(_call: unknown, next: Next): unknown {
      return next();
    }
    @ToolGroup()
    @Middleware(counter, plain)
    class Tools {
      @Action() go(): void {}
    }
    const [first, second] = actionOf(scan(moduleWith(Tools)), 'go').middleware;
    if (first?.kind !== 'function') throw new Error('no function');
    expect(await first.run({} as never, () => Promise.resolve('inner'))).toBe('inner');
    expect(counter.count).toBe(1);
    expect(second).toEqual({ kind: 'function', run: plain });
  });
});

describe('problems', () => {
  test('TW_SCAN_MIDDLEWARE_UNKNOWN: the class is provided nowhere', () => {
    class Guard {
      use(): void {}
    }
    @ToolGroup()
    class Tools {
      @Action() @Middleware(Guard) go(): void {}
    }
    expect(problemOf(moduleWith(Tools))).toMatchObject({
      code: 'TW_SCAN_MIDDLEWARE_UNKNOWN',
      where: 'Tools.go()',
      what: 'needs Guard, which no module provides.',
      fix: 'add it to providers: @Module({ providers: [Guard] }) on Root',
    });
    @ToolGroup()
    class Fine {
      @Action() go(): void {}
    }
    expect(problemOf(moduleWith(Fine), { middleware: [Guard] })).toMatchObject({ where: 'test middleware' });
  });

  test('TW_SCAN_DEPENDENCY_HIDDEN: it is provided elsewhere', () => {
    @ToolGroup()
    @Middleware(Audit)
    class Tools {
      @Action() go(): void {}
    }
    @Module({ providers: [Audit] })
    class AuditModule {}
    @Module({ imports: [AuditModule], controllers: [Tools] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_DEPENDENCY_HIDDEN',
      where: 'Tools',
      fix: '@Module({ exports: [Audit] }) on AuditModule',
    });
  });

  test.each([
    [class NoUse {}, 'the class NoUse', 'add use(call, next) to NoUse'],
    [{}, 'an object', 'write a function (call, next) => next(), or a class with use(call, next)'],
    ['x', '"x"', 'write a function (call, next) => next(), or a class with use(call, next)'],
  ])('TW_SCAN_MIDDLEWARE_INVALID: %p', (entry, name, fix) => {
    @ToolGroup()
    class Tools {
      @Action() @Middleware(entry as never) go(): void {}
    }
    expect(problemOf(moduleWith(Tools))).toMatchObject({
      code: 'TW_SCAN_MIDDLEWARE_INVALID',
      what: `uses ${name} as middleware, which has no use(call, next).`,
      fix,
    });
  });

  test('TW_SCAN_UNDEFINED: the middleware does not exist yet', () => {
    @ToolGroup()
    class Tools {
      @Action() @Middleware(undefined as never) go(): void {}
    }
    expect(problemOf(moduleWith(Tools))).toMatchObject({
      code: 'TW_SCAN_UNDEFINED',
      what: 'names something undefined: a middleware.',
    });
  });
});
