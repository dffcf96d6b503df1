import { describe, expect, test } from '@jest/globals';
import { Injectable, Module } from '../../../src/decorators/classes.ts';
import type { ModuleReference } from '../../../src/metadata/module-options.ts';
import { problemOf, problemsOf, scan } from '../../support/scan-helpers.ts';

function namesOf(root: unknown): readonly string[] {
  return scan(root).modules.map((module) => module.name);
}

describe('the order of modules', () => {
  test('imported modules come before those that import them, as declared', () => {
    @Module({})
    class A {}
    @Module({ imports: [A] })
    class B {}
    @Module({})
    class C {}
    @Module({ imports: [C, B] })
    class Root {}
    expect(namesOf(Root)).toEqual(['C', 'A', 'B', 'Root']);
  });

  test('a module that is imported twice is one module', () => {
    @Module({})
    class Shared {}
    @Module({ imports: [Shared] })
    class Left {}
    @Module({ imports: [Shared, Left, () => Shared] })
    class Root {}
    expect(namesOf(Root)).toEqual(['Shared', 'Left', 'Root']);
  });

  test('imports take `() => Class`', () => {
    @Module({ imports: [() => Late] })
    class Root {}
    @Module({})
    class Late {}
    expect(namesOf(Root)).toEqual(['Late', 'Root']);
  });
});

describe('dynamic modules', () => {
  @Module({ providers: [{ provide: 'FIXED', useValue: 1 }], exports: ['FIXED'] })
  class Storage {
    static forRoot(url: string): ModuleReference {
      return { module: Storage, providers: [{ provide: url, useValue: url }], exports: [url] };
    }
  }

  test('add their lists to those of @Module', () => {
    @Module({ imports: [Storage.forRoot('db')] })
    class Root {}
    const root = scan(Root).modules.at(-1);
    expect(root?.visible.has('FIXED')).toBe(true);
    expect(root?.visible.has('db')).toBe(true);
  });

  test('are one module by object, and two by two configurations', () => {
    const shared = Storage.forRoot('one');
    @Module({ imports: [shared] })
    class Left {}
    @Module({ imports: [Left, shared, Storage.forRoot('two')] })
    class Root {}
    expect(namesOf(Root)).toEqual(['Storage', 'Left', 'Storage', 'Root']);
  });

  test('may be global', () => {
    @Module({ imports: [{ module: Storage, global: true }] })
    class Config {}
    @Module({})
    class Feature {}
    @Module({ imports: [Config, Feature] })
    class Root {}
    expect(
      scan(Root)
        .modules.find((module) => module.name === 'Feature')
        ?.visible.has('FIXED'),
    ).toBe(true);
  });
});

describe('problems', () => {
  test('TW_SCAN_MODULE_CYCLE prints the ring', () => {
    @Module({ imports: [() => B] })
    class A {}
    @Module({ imports: [() => C] })
    class B {}
    @Module({ imports: [A] })
    class C {}
    @Module({ imports: [A] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_MODULE_CYCLE',
      where: 'A',
      what: 'imports itself: A → B → C → A.',
      fix: 'move what both sides need to a third module that both import',
    });
  });

  test('TW_SCAN_MODULE_UNKNOWN says what stands in imports without being a module', () => {
    @Injectable()
    class Clock {}
    @Module({ imports: [Clock] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_MODULE_UNKNOWN',
      where: 'Root',
      what: 'uses Clock as a module (imports[0]), but it has no @Module.',
      fix: '@Module({}) on Clock, or move Clock to providers or controllers',
    });
  });

  test('TW_SCAN_UNDEFINED diagnoses a circular import of files', () => {
    const Missing = undefined as unknown as ModuleReference;
    @Module({
      imports: [Missing],
      providers: [Missing as never],
      controllers: [Missing as never],
      exports: [Missing],
    })
    class Root {}
    const problems = problemsOf(Root);
    expect(problems.map(({ code, what }) => `${code} ${what}`)).toEqual([
      'TW_SCAN_UNDEFINED names something undefined: controllers[0].',
      'TW_SCAN_UNDEFINED names something undefined: exports[0].',
      'TW_SCAN_UNDEFINED names something undefined: imports[0].',
      'TW_SCAN_UNDEFINED names something undefined: providers[0].',
    ]);
    expect(problems[2]?.fix).toBe('imports: [() => TheModule]');
    expect(problems[2]?.why).toContain('circle');
  });

  test('TW_SCAN_EXPORT_UNKNOWN names what a module exports without having it, and the nearest name', () => {
    @Module({ providers: [{ provide: 'DATABASE', useValue: 1 }], exports: ['DATABSE'] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_EXPORT_UNKNOWN',
      where: 'Root',
      what: 'exports "DATABSE", which it neither provides nor imports.',
      fix: 'did you mean "DATABASE"?',
    });
  });

  test('a module can be exported only where it is imported', () => {
    @Module({})
    class OtherModule {}
    @Module({ exports: [OtherModule] })
    class Root {}
    expect(problemOf(Root).fix).toBe(
      '@Module({ imports: [OtherModule] }) on Root, or remove it from exports',
    );
  });

  test('TW_SCAN_DECORATOR_TWICE is reported for @Module', () => {
    @Module({})
    @Module({})
    class Root {}
    expect(problemOf(Root)).toMatchObject({ code: 'TW_SCAN_DECORATOR_TWICE', what: 'has @Module twice.' });
  });
});
