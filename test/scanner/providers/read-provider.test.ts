import { describe, expect, test } from '@jest/globals';
import { Logger } from '../../../src/call/logger.ts';
import { Injectable, Module, ToolGroup } from '../../../src/decorators/classes.ts';
import type { Provider } from '../../../src/metadata/module-options.ts';
import { problemOf, problemsOf, providerOf, scan } from '../../support/scan-helpers.ts';

abstract class Store {}
@Injectable({ scope: 'transient' })
class MemoryStore extends Store {}

function moduleWith(...providers: readonly unknown[]): unknown {
  @Module({ providers: providers as readonly Provider[] })
  class Root {}
  return Root;
}

describe('every form of a provider becomes one', () => {
  const create = (store: Store): readonly Store[] => [store];
  const value = { open: true };
  const application = scan(
    moduleWith(
      MemoryStore,
      { provide: Store, useClass: MemoryStore, scope: 'singleton' },
      { provide: 'VALUE', useValue: value },
      { provide: 'MADE', useFactory: create, inject: [Store, { token: 'NONE', optional: true }] },
      { provide: 'ALIAS', useExisting: Store },
    ),
  );

  test('a class, with its own scope', () => {
    const provider = application.providers.find(({ token }) => token === MemoryStore);
    expect(provider).toMatchObject({
      where: 'MemoryStore',
      module: 'Root',
      scope: 'transient',
      isPerCall: false,
    });
  });

  test('useClass, whose scope wins over that of the class', () => {
    const provider = application.providers.find(({ token }) => token === Store);
    expect(provider).toMatchObject({ scope: 'singleton', recipe: { kind: 'class', type: MemoryStore } });
  });

  test('useValue, the very value, which is not frozen', () => {
    expect(providerOf(application, '"VALUE"').recipe).toEqual({ kind: 'value', value });
    expect(Object.isFrozen(value)).toBe(false);
  });

  test('useFactory, with an optional dependency without a provider', () => {
    const made = providerOf(application, '"MADE"');
    const store = application.providers.find(({ token }) => token === Store);
    expect(made.recipe).toEqual({ kind: 'factory', create });
    expect(made.dependencies).toEqual([{ key: store?.key }, { key: undefined }]);
  });

  test('useExisting, resolved to a key', () => {
    const store = application.providers.find(({ token }) => token === Store);
    expect(providerOf(application, '"ALIAS"').recipe).toEqual({ kind: 'existing', target: store?.key });
  });

  test('everything is frozen, dependencies come first, and module classes are among them', () => {
    const order = application.providers.map(({ where }) => where);
    expect(order.indexOf('"MADE"')).toBeGreaterThan(
      application.providers.findIndex(({ token }) => token === Store),
    );
    expect(order).toContain('Root');
    expect(
      application.providers.every(
        (provider) => Object.isFrozen(provider) && Object.isFrozen(provider.recipe),
      ),
    ).toBe(true);
  });
});

test('dependencies come before those that need them, whatever the order of the list', () => {
  @Injectable()
  class C {}
  @Injectable()
  class B {
    constructor(readonly c: C) {}
  }
  @Injectable()
  class A {
    constructor(readonly b: B) {}
  }
  const order = scan(moduleWith(A, B, C)).providers.map(({ where }) => where);
  expect(order.filter((name) => name.length === 1)).toEqual(['C', 'B', 'A']);
});

describe('overrides', () => {
  test('replace a provider in every module, the logger included', () => {
    const application = scan(moduleWith(MemoryStore), {
      overrides: [
        { provide: MemoryStore, useValue: 'fake' },
        { provide: Logger, useFactory: () => null },
      ],
    });
    expect(providerOf(application, 'MemoryStore').recipe).toEqual({ kind: 'value', value: 'fake' });
    expect(providerOf(application, 'Logger').recipe.kind).toBe('factory');
  });

  test('TW_SCAN_OVERRIDE_UNKNOWN: no module provides the token', () => {
    const root = moduleWith({ provide: 'DATABASE', useValue: 1 });
    expect(problemOf(root, { overrides: [{ provide: 'DATABSE', useValue: 2 }] })).toMatchObject({
      code: 'TW_SCAN_OVERRIDE_UNKNOWN',
      where: 'override of "DATABSE"',
      fix: 'did you mean "DATABASE"?',
    });
  });
});

describe('problems', () => {
  test('TW_SCAN_PROVIDER_DUPLICATE', () => {
    expect(problemOf(moduleWith(MemoryStore, { provide: MemoryStore, useValue: 1 }))).toMatchObject({
      code: 'TW_SCAN_PROVIDER_DUPLICATE',
      where: 'Root',
      what: 'provides MemoryStore twice.',
      fix: 'remove one of the two entries from providers and controllers',
    });
  });

  test.each([
    [42, 'holds 42 at providers[0], which is not a provider.'],
    [() => 1, 'holds a function at providers[0], which is not a provider.'],
    [{ provide: 'X' }, 'has a provider of "X" that says nothing of how it is made.'],
    [
      { provide: 'X', useValue: 1, useClass: MemoryStore },
      'has a provider of "X" that says useClass and useValue.',
    ],
    [{ provide: 'X', useClass: undefined }, 'has a provider of "X" whose useClass is undefined.'],
    [{ provide: undefined, useValue: 1 }, 'has a provider (providers[0]) whose `provide` is undefined.'],
  ])('TW_SCAN_PROVIDER_INVALID: %p', (entry, what) => {
    const problem = problemOf(moduleWith(entry));
    expect(problem).toMatchObject({ code: 'TW_SCAN_PROVIDER_INVALID', where: 'Root', what });
    expect(problem.fix).toContain('{ provide: Token, useClass | useValue | useFactory | useExisting: … }');
  });

  test('TW_SCAN_PROVIDER_INVALID: a controller that is not a class', () => {
    @Module({ controllers: ['x' as never] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_PROVIDER_INVALID',
      fix: 'list classes in controllers',
    });
  });

  test('TW_SCAN_OPTION_UNKNOWN: a misspelt key of a provider', () => {
    expect(problemsOf(moduleWith({ provide: 'X', useVale: 1 }))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'TW_SCAN_OPTION_UNKNOWN',
          what: 'has the option "useVale", which a provider (providers[0]) does not know.',
          fix: 'did you mean "useValue"?',
        }),
      ]),
    );
  });

  test('TW_SCAN_OPTION_VALUE: a scope that does not exist', () => {
    @Injectable({ scope: 'requst' as 'request' })
    class Service {}
    expect(problemOf(moduleWith(Service))).toMatchObject({
      code: 'TW_SCAN_OPTION_VALUE',
      where: 'Service',
      what: 'sets scope to "requst", which @Injectable does not accept.',
      fix: 'did you mean "request"?',
    });
  });

  test('TW_SCAN_OPTION_VALUE: a list that is not an array', () => {
    @Module({ providers: MemoryStore as never })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_OPTION_VALUE',
      fix: 'let providers be a list of providers',
    });
  });

  test('TW_SCAN_GROUP_MISPLACED: a tool group among the providers', () => {
    @ToolGroup()
    class NoteTools {}
    expect(problemOf(moduleWith(NoteTools))).toMatchObject({
      code: 'TW_SCAN_GROUP_MISPLACED',
      where: 'NoteTools',
      fix: '@Module({ controllers: [NoteTools] }) on Root',
    });
  });
});
