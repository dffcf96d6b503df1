import { describe, expect, test } from '@jest/globals';
import { Ctx, Inject, Input, Prompt } from '../../../src/decorators/members.ts';
import { Injectable, Module } from '../../../src/decorators/classes.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import type { Provider } from '../../../src/metadata/module-options.ts';
import {
  decorate,
  moduleWith as controllersAndProviders,
  problemOf,
  problemsOf,
  providerOf,
  scan,
} from '../../support/scan-helpers.ts';

interface Config {
  readonly url: string;
}
@Injectable()
class Clock {}

function moduleWith(...providers: readonly Provider[]): unknown {
  @Module({ providers })
  class Root {}
  return Root;
}

function controllerModule(controller: Class): unknown {
  return controllersAndProviders([controller], [Clock]);
}

describe('what is injected', () => {
  test('mixes types and tokens, a lazy one included', () => {
    @Injectable()
    class Service {
      constructor(
        readonly clock: Clock,
        @Inject('URL') readonly url: Config,
        @Inject(() => Late) readonly late: unknown,
      ) {}
    }
    @Injectable()
    class Late {}
    const application = scan(moduleWith(Service, Clock, Late, { provide: 'URL', useValue: 'x' }));
    expect(providerOf(application, 'Service').dependencies.map(({ key }) => key)).toEqual(
      ['Clock', '"URL"', 'Late'].map((name) => providerOf(application, name).key),
    );
  });

  test('an inherited constructor is checked and supplied, even without a decorator on the subclass', () => {
    @Injectable()
    class Base {
      constructor(readonly clock: Clock) {}
    }
    class Derived extends Base {}
    const application = scan(moduleWith(Derived, Clock));
    expect(providerOf(application, 'Derived').dependencies).toEqual([
      { key: providerOf(application, 'Clock').key },
    ]);
    expect(problemOf(moduleWith(Derived)).where).toBe('Derived constructor #1');
  });

  test('@Ctx() stands for the ToolContext', () => {
    @Injectable({ scope: 'request' })
    class Service {
      constructor(@Ctx() readonly ctx: unknown) {}
    }
    const application = scan(moduleWith(Service));
    expect(providerOf(application, 'Service').dependencies).toEqual([
      { key: providerOf(application, 'ToolContext').key },
    ]);
  });

  test('an optional dependency without a provider is undefined', () => {
    @Injectable()
    class Service {
      constructor(@Inject(Clock, { optional: true }) readonly clock?: Clock) {}
    }
    expect(providerOf(scan(moduleWith(Service)), 'Service').dependencies).toEqual([{ key: undefined }]);
  });
});

describe('TW_SCAN_DEPENDENCY_UNKNOWN', () => {
  test('a class that no module provides', () => {
    @Injectable()
    class Service {
      constructor(readonly clock: Clock) {}
    }
    expect(problemOf(moduleWith(Service))).toMatchObject({
      code: 'TW_SCAN_DEPENDENCY_UNKNOWN',
      where: 'Service constructor #1',
      what: 'needs Clock, which no module provides.',
      fix: 'add it to providers: @Module({ providers: [Clock] }) on Root, or @Inject(Clock, { optional: true }) where it may be missing',
    });
  });

  test('a token that @Inject names is never optional by accident', () => {
    @Injectable()
    class Service {
      constructor(@Inject(Clock) readonly clock: Clock) {}
    }
    expect(problemOf(moduleWith(Service)).fix).toBe(
      'add it to providers: @Module({ providers: [Clock] }) on Root',
    );
  });

  test('a misspelt text gets the nearest one', () => {
    @Injectable()
    class Service {
      constructor(@Inject('DATABSE') readonly db: unknown) {}
    }
    expect(problemOf(moduleWith(Service, { provide: 'DATABASE', useValue: 1 })).fix).toBe(
      'did you mean "DATABASE"?',
    );
  });

  test('another class of the same name is pointed out', () => {
    const Wanted = (() => {
      class Clock {}
      return Clock;
    })();
    @Injectable()
    class Service {
      constructor(@Inject(Wanted) readonly clock: unknown) {}
    }
    expect(problemOf(moduleWith(Service, Clock)).why).toContain('another class named Clock is provided');
  });

  test('a dependency of a factory and the target of an alias count as well', () => {
    const problems = problemsOf(
      moduleWith({ provide: 'A', useFactory: () => 1, inject: ['B'] }, { provide: 'C', useExisting: 'D' }),
    );
    expect(problems.map(({ where, what }) => `${where} ${what}`)).toEqual([
      '"A" factory #1 needs "B", which no module provides.',
      '"C" needs "D", which no module provides.',
    ]);
  });
});

describe('TW_SCAN_DEPENDENCY_UNTYPED', () => {
  test('an interface leaves nothing', () => {
    @Injectable()
    class Service {
      constructor(readonly config: Config) {}
    }
    expect(problemOf(moduleWith(Service))).toMatchObject({
      code: 'TW_SCAN_DEPENDENCY_UNTYPED',
      where: 'Service constructor #1',
      what: 'cannot be injected: its class is not known.',
      fix: '@Inject(Token) on parameter #1 of Service, or use a class, imported without `type`',
    });
  });

  test('a primitive is not a token', () => {
    @Injectable()
    class Service {
      constructor(
        readonly clock: Clock,
        readonly url: string,
      ) {}
    }
    expect(problemOf(moduleWith(Service, Clock))).toMatchObject({
      where: 'Service constructor #2',
      why: 'its type is String, which is not a token.',
      fix: '@Inject(Token) on parameter #2 of Service, or use a class',
    });
  });

  test('the compiler emitted nothing, and one parameter has no token', () => {
    class Service {
      constructor(
        readonly a: unknown,
        readonly b: unknown,
      ) {}
    }
    (Inject(Clock) as (...args: unknown[]) => void)(Service, undefined, 0);
    Injectable()(Service);
    expect(problemOf(moduleWith(Service, Clock))).toMatchObject({
      where: 'Service constructor #2',
      why: 'the compiler wrote no parameter types: `emitDecoratorMetadata` is off, or it is esbuild or tsx, which never do.',
      fix: 'set "emitDecoratorMetadata": true in tsconfig.json (tsc, swc and oxc obey it), or @Inject(Token) on parameter #2 of Service',
    });
  });

  test('only the methods have decorators, and the compiler writes types', () => {
    class Prompts {
      constructor(readonly clock: Clock) {}
      @Prompt() review(): string {
        return 'x';
      }
    }
    expect(problemOf(controllerModule(Prompts))).toMatchObject({
      code: 'TW_SCAN_DEPENDENCY_UNTYPED',
      why: 'Prompts has decorators on its methods only; compilers write the types of a constructor for a decorated class.',
      fix: '@Injectable() on Prompts, or @Inject(Token) on parameter #1 of Prompts',
    });
  });

  test('only the methods have decorators, and the compiler writes no types either', () => {
    class Prompts {
      constructor(readonly clock: Clock) {}
      review(): string {
        return 'x';
      }
    }
    decorate(Prompts.prototype, 'review', [Prompt()]);
    expect(problemOf(controllerModule(Prompts)).fix).toBe(
      '@Injectable() on Prompts, and set "emitDecoratorMetadata": true in tsconfig.json (tsc, swc and oxc obey it); or @Inject(Token) on parameter #1 of Prompts',
    );
  });

  test('the constructor is that of a base class without a decorator', () => {
    class Base {
      constructor(readonly clock: Clock) {}
    }
    @Injectable()
    class Service extends Base {}
    @Injectable()
    class Index extends WeakSet {}
    const problems = problemsOf(moduleWith(Service, Clock, Index));
    expect(problems.map(({ where, fix }) => `${where}: ${fix}`)).toEqual([
      'Service constructor #1: @Injectable() on Base, or a constructor in Service that calls super(…)',
    ]);
    @Injectable()
    class Failure extends Error {}
    expect(problemOf(moduleWith(Failure)).fix).toBe('a constructor in Failure that calls super(…)');
  });

  test('Object needs nothing, so a mixin may be applied to it', () => {
    type Base = new (...args: unknown[]) => object;
    const Counted = (base: Base): Base =>
      class extends base {
        readonly count: number;
        constructor(...args: unknown[]) {
          super(...args);
          this.count = args.length;
        }
      };
    @Injectable()
    class Service extends Counted(Object) {}
    expect(providerOf(scan(moduleWith(Service)), 'Service').dependencies).toEqual([]);
  });

  test('a class without any decorator has no types', () => {
    class Service {
      constructor(readonly clock: Clock) {}
    }
    expect(problemOf(moduleWith(Service, Clock))).toMatchObject({
      why: 'Service has no decorator, so the compiler wrote no types for it.',
      fix: '@Injectable() on Service, or @Inject(Token) on parameter #1 of Service',
    });
  });
});

test('TW_SCAN_UNDEFINED: @Inject of a class that does not exist', () => {
  @Injectable()
  class Service {
    constructor(@Inject(undefined as never) readonly x: unknown) {}
  }
  expect(problemOf(moduleWith(Service))).toMatchObject({
    code: 'TW_SCAN_UNDEFINED',
    fix: '@Inject(() => TheClass)',
  });
});

test('TW_SCAN_PARAMETER_UNKNOWN: a constructor has no input', () => {
  @Injectable()
  class Service {
    constructor(@Input() readonly x: unknown) {}
  }
  expect(problemOf(moduleWith(Service))).toMatchObject({
    code: 'TW_SCAN_PARAMETER_UNKNOWN',
    where: 'Service constructor #1',
    fix: '@Inject(Token), or take the input in the action',
  });
});
