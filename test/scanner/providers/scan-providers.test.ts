import { describe, expect, test } from '@jest/globals';
import { ToolContext } from '../../../src/call/tool-context.ts';
import { Inject } from '../../../src/decorators/members.ts';
import { Injectable, Module } from '../../../src/decorators/classes.ts';
import type { Provider } from '../../../src/metadata/module-options.ts';
import { problemOf, providerOf, scan } from '../../support/scan-helpers.ts';

@Injectable({ scope: 'request' })
class User {}
@Injectable({ scope: 'transient' })
class Helper {
  constructor(readonly user: User) {}
}
@Injectable({ scope: 'transient' })
class Plain {}

function moduleWith(...providers: readonly Provider[]): unknown {
  @Module({ providers })
  class Root {}
  return Root;
}

describe('what lives for one call', () => {
  test('request-scoped providers, and transients and aliases that reach one', () => {
    const application = scan(
      moduleWith(
        User,
        Helper,
        Plain,
        { provide: 'ALIAS', useExisting: Helper },
        {
          provide: 'MADE',
          useFactory: () => 1,
          inject: ['ALIAS'],
          scope: 'transient',
        },
      ),
    );
    const perCall = application.providers.filter(({ isPerCall }) => isPerCall).map(({ where }) => where);
    expect(perCall).toEqual(['ToolContext', 'User', 'Helper', '"ALIAS"', '"MADE"']);
  });

  test('a subclass of a request-scoped class is request-scoped, too', () => {
    class Admin extends User {}
    expect(providerOf(scan(moduleWith(Admin)), 'Admin').scope).toBe('request');
  });
});

describe('TW_SCAN_SCOPE_CAPTURE', () => {
  test('a singleton takes a request-scoped provider', () => {
    @Injectable()
    class Audit {
      constructor(readonly user: User) {}
    }
    expect(problemOf(moduleWith(User, Audit))).toMatchObject({
      code: 'TW_SCAN_SCOPE_CAPTURE',
      where: 'Audit constructor #1',
      what: 'would keep User, which lives for one call only, but Audit is a singleton.',
      fix: "@Injectable({ scope: 'request' }) on Audit",
    });
  });

  test('through a transient and an alias, with the way printed', () => {
    @Injectable()
    class Audit {
      constructor(@Inject('ALIAS') readonly user: unknown) {}
    }
    const problem = problemOf(moduleWith(User, Helper, { provide: 'ALIAS', useExisting: Helper }, Audit));
    expect(problem.what).toContain('("ALIAS" → Helper → User)');
  });

  test('in a factory', () => {
    const problem = problemOf(moduleWith(User, { provide: 'X', useFactory: () => 1, inject: [User] }));
    expect(problem).toMatchObject({
      where: '"X" factory #1',
      fix: `scope: 'request' in the provider of "X"`,
    });
  });

  test('the ToolContext in a constructor', () => {
    @Injectable()
    class Audit {
      constructor(readonly ctx: ToolContext) {}
    }
    expect(problemOf(moduleWith(Audit)).fix).toBe(
      "@Injectable({ scope: 'request' }) on Audit, or take the ToolContext as a parameter of the method",
    );
  });
});

describe('TW_SCAN_PROVIDER_CYCLE', () => {
  test('prints the ring once, wherever it starts', () => {
    @Injectable()
    class A {
      constructor(@Inject(() => B) readonly b: unknown) {}
    }
    @Injectable()
    class B {
      constructor(@Inject('C') readonly c: unknown) {}
    }
    const problem = problemOf(moduleWith(A, B, { provide: 'C', useFactory: () => 1, inject: [A] }));
    expect(problem).toMatchObject({
      code: 'TW_SCAN_PROVIDER_CYCLE',
      where: 'A',
      what: 'needs itself: A → B → "C" → A.',
      fix: 'move what both need to a third provider, or @inject(delay(() => TheClass)) of tsyringe on one parameter',
    });
  });
});
