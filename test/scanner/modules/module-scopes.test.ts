import { describe, expect, test } from '@jest/globals';
import { Logger } from '../../../src/call/logger.ts';
import { ToolContext } from '../../../src/call/tool-context.ts';
import { Inject } from '../../../src/decorators/members.ts';
import { Injectable, Module } from '../../../src/decorators/classes.ts';
import { problemOf, providerOf, scan } from '../../support/scan-helpers.ts';

@Injectable()
class Clock {}
@Injectable()
class NeedsClock {
  constructor(readonly clock: Clock) {}
}

describe('what a module sees', () => {
  test('its own providers, the exports of its imports, and re-exports', () => {
    @Module({ providers: [Clock], exports: [Clock] })
    class TimeModule {}
    @Module({ imports: [TimeModule], exports: [TimeModule] })
    class KitModule {}
    @Module({ imports: [KitModule], providers: [NeedsClock] })
    class Root {}
    const application = scan(Root);
    const clock = providerOf(application, 'Clock');
    expect(application.modules.at(-1)?.visible.get(Clock)).toBe(clock.key);
    expect(providerOf(application, 'NeedsClock').dependencies).toEqual([{ key: clock.key }]);
  });

  test('a single token may be re-exported, too', () => {
    @Module({ providers: [Clock], exports: [Clock] })
    class TimeModule {}
    @Module({ imports: [TimeModule], exports: [Clock] })
    class KitModule {}
    @Module({ imports: [KitModule], providers: [NeedsClock] })
    class Root {}
    expect(scan(Root).modules.at(-1)?.visible.has(Clock)).toBe(true);
  });

  test('global exports everywhere, below what a module provides itself', () => {
    @Module({ providers: [{ provide: 'NAME', useValue: 'global' }], exports: ['NAME'], global: true })
    class G {}
    @Module({ providers: [{ provide: 'NAME', useValue: 'own' }] })
    class Own {}
    @Module({})
    class Other {}
    @Module({ imports: [G, Own, Other] })
    class Root {}
    const application = scan(Root);
    const valueIn = (name: string): unknown => {
      const key = application.modules.find((module) => module.name === name)?.visible.get('NAME');
      const recipe = application.providers.find((provider) => provider.key === key)?.recipe;
      return recipe?.kind === 'value' ? recipe.value : undefined;
    };
    expect([valueIn('Own'), valueIn('Other')]).toEqual(['own', 'global']);
  });

  test('ToolContext and Logger without any provider', () => {
    @Injectable({ scope: 'request' })
    class Service {
      constructor(
        readonly ctx: ToolContext,
        readonly logger: Logger,
      ) {}
    }
    @Module({ providers: [Service] })
    class Root {}
    const application = scan(Root);
    expect(providerOf(application, 'ToolContext')).toMatchObject({
      scope: 'request',
      isPerCall: true,
      recipe: { kind: 'context' },
    });
    expect(providerOf(application, 'Logger').recipe.kind).toBe('value');
    expect(providerOf(application, 'Service').dependencies.map(({ key }) => key)).toEqual([
      providerOf(application, 'ToolContext').key,
      providerOf(application, 'Logger').key,
    ]);
  });
});

describe('problems', () => {
  test('TW_SCAN_DEPENDENCY_HIDDEN: provided and not exported by an import', () => {
    @Module({ providers: [Clock] })
    class TimeModule {}
    @Module({ imports: [TimeModule], providers: [NeedsClock] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_DEPENDENCY_HIDDEN',
      where: 'NeedsClock constructor #1',
      what: 'needs Clock, which TimeModule provides but does not export.',
      fix: '@Module({ exports: [Clock] }) on TimeModule',
    });
  });

  test('TW_SCAN_DEPENDENCY_HIDDEN: exported by a module that is not imported', () => {
    @Module({ providers: [Clock], exports: [Clock] })
    class TimeModule {}
    @Module({ providers: [NeedsClock] })
    class Feature {}
    @Module({ imports: [TimeModule, Feature] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      what: 'needs Clock, which TimeModule exports and Feature does not import.',
      fix: '@Module({ imports: [TimeModule] }) on Feature',
    });
  });

  test('TW_SCAN_DEPENDENCY_HIDDEN: neither exported nor imported', () => {
    @Module({ providers: [Clock] })
    class TimeModule {}
    @Module({ providers: [NeedsClock] })
    class Feature {}
    @Module({ imports: [TimeModule, Feature] })
    class Root {}
    expect(problemOf(Root).fix).toBe(
      '@Module({ exports: [Clock] }) on TimeModule, and @Module({ imports: [TimeModule] }) on Feature',
    );
  });

  test('TW_SCAN_DEPENDENCY_AMBIGUOUS: two imports give different providers for one dependency', () => {
    @Module({ providers: [{ provide: 'X', useValue: 1 }], exports: ['X'] })
    class A {}
    @Module({ providers: [{ provide: 'X', useValue: 2 }], exports: ['X'] })
    class B {}
    @Injectable()
    class Service {
      constructor(@Inject('X') readonly x: number) {}
    }
    @Module({ imports: [A, B] })
    class Harmless {}
    expect(() => scan(Harmless)).not.toThrow();
    @Module({ imports: [A, B], providers: [Service] })
    class Root {}
    expect(problemOf(Root)).toMatchObject({
      code: 'TW_SCAN_DEPENDENCY_AMBIGUOUS',
      what: 'needs "X", which A and B export with different meanings.',
      fix: 'stop exporting "X" from one of them, or give it another token there',
    });
  });

  test('TW_SCAN_DEPENDENCY_AMBIGUOUS: so do two global modules, unless a nearer provider wins', () => {
    @Module({ providers: [{ provide: 'X', useValue: 1 }], exports: ['X'], global: true })
    class A {}
    @Module({ providers: [{ provide: 'X', useValue: 2 }], exports: ['X'], global: true })
    class B {}
    @Injectable()
    class Service {
      constructor(@Inject('X') readonly x: number) {}
    }
    @Module({ imports: [A, B] })
    class Globals {}
    @Module({ providers: [Service] })
    class Feature {}
    @Module({ imports: [Globals, Feature] })
    class Root {}
    expect(problemOf(Root).code).toBe('TW_SCAN_DEPENDENCY_AMBIGUOUS');
    @Module({ providers: [Service, { provide: 'X', useValue: 3 }] })
    class Own {}
    @Module({ imports: [Globals, Own] })
    class Fine {}
    expect(() => scan(Fine)).not.toThrow();
  });
});
