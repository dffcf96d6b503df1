import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  container as globalContainer,
  delay,
  inject,
  injectable,
  Lifecycle,
  scoped,
  singleton,
  type DependencyContainer,
} from 'tsyringe';
import {
  Action,
  Inject,
  Injectable,
  Module,
  ToolGroup,
  type ApplicationOptions,
  type Class,
  type Provider,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';

let container: DependencyContainer;
beforeEach(() => {
  container = globalContainer.createChildContainer();
});
afterEach(() => {
  globalContainer.reset();
});

/** The problems of an application whose only tool needs the class or token. */
async function problemsWith(
  needed: Class | string,
  providers: readonly Provider[] = [],
  options: ApplicationOptions = {},
): Promise<string> {
  @ToolGroup('tools')
  class Tools {
    @Action() run() {
      return 'ran';
    }
  }
  Inject(needed)(Tools, undefined, 0);
  @Module({ controllers: [Tools], providers })
  class Root {}
  const started = createTestApplication(Root, { container, logger: () => undefined, ...options });
  return started.then(
    async (application) => {
      await application.close();
      return 'started';
    },
    (error: unknown) => (error as Error).message,
  );
}

class Store {
  readonly notes: string[] = [];
}

test('a token that neither knows', async () => {
  const text = await problemsWith('absent');
  expect(text).toContain(
    'TW_SCAN_DEPENDENCY_UNKNOWN: Tools constructor #1 needs "absent", which no module provides',
  );
  expect(text).toContain('your tsyringe container does not know it either: it is not registered there');
});

test('a class that neither knows', async () => {
  const text = await problemsWith(Store);
  expect(text).toContain('it is not registered there, and no @injectable() on it is known');
});

test('an edge from what the container makes to what a module provides', async () => {
  @singleton()
  class Repository {
    constructor(readonly store: Store) {}
  }
  const text = await problemsWith(Repository, [Store]);
  expect(text).toContain(
    'TW_SCAN_CONTAINER_BOUNDARY: Repository constructor #1 needs Store of Root, but your tsyringe container makes Repository',
  );
  expect(text).toContain('the container would make another Store');
  expect(text).toContain('{ provide: Repository, useClass: Repository }');
  const ours = { provide: Repository, useClass: Repository };
  expect(await problemsWith(Repository, [Store, ours])).toBe('started');
});

test('such an edge behind others, with a token and with what Toolwright provides', async () => {
  @injectable()
  class Far {
    constructor(@inject('word') readonly word: string) {}
  }
  @injectable()
  class Near {
    constructor(@inject(delay(() => Far)) readonly far: object) {}
  }
  @singleton()
  class Repository {
    constructor(readonly near: Near) {}
  }
  const word = { provide: 'word', useValue: 'a word' };
  expect(await problemsWith(Repository, [word])).toContain(
    'BOUNDARY: Far constructor #1 needs "word" of Root',
  );
  expect(await problemsWith(Repository)).toContain(
    'UNKNOWN: Far constructor #1 needs "word", which is not registered in your tsyringe container',
  );
  container.registerInstance('word', 'another word');
  expect(await problemsWith(Repository, [word])).toBe('started');
});

test('an override that what the container makes would not see', async () => {
  @singleton()
  class Clock {}
  @singleton()
  class Repository {
    constructor(readonly clock: Clock) {}
  }
  const overrides = [{ provide: Clock, useValue: {} }];
  expect(await problemsWith(Repository, [], { overrides })).toContain(
    'BOUNDARY: Repository constructor #1 needs Clock of an override',
  );
  expect(await problemsWith(Clock, [], { overrides })).toBe('started');
  expect(await problemsWith(Store, [], { overrides: [{ provide: Store, useValue: {} }] })).toContain(
    'TW_SCAN_OVERRIDE_UNKNOWN',
  );
});

test('missing metadata of what the container makes', async () => {
  class Untyped {
    constructor(readonly store: Store) {}
  }
  @singleton()
  class Repository {
    constructor(readonly untyped: Untyped) {}
  }
  expect(await problemsWith(Repository)).toContain(
    'TW_SCAN_DEPENDENCY_UNTYPED: Repository constructor #1 cannot be injected: tsyringe does not know what Untyped needs',
  );
  globalContainer.registerSingleton(Untyped);
  expect(await problemsWith(Untyped)).toContain('TW_SCAN_DEPENDENCY_UNTYPED: Untyped cannot be made');
});

test('a decorator of Toolwright that the container does not read', async () => {
  @singleton()
  class Repository {
    constructor(@Inject('word') readonly word: string) {}
  }
  const word = { provide: 'word', useValue: 'a word' };
  expect(await problemsWith(Repository, [word])).toContain(
    'Repository constructor #1 has @Inject of Toolwright',
  );
});

test('rings, in the container and across modules', async () => {
  @injectable({ token: 'Left' })
  class Left {
    constructor(@inject('Right') readonly right: object) {}
  }
  @injectable({ token: 'Right' })
  class Right {
    constructor(@inject('Left') readonly left: object) {}
  }
  container.registerSingleton(Left);
  expect(await problemsWith(Left)).toContain(
    'TW_SCAN_PROVIDER_CYCLE: Left needs itself: Left → Right → Left',
  );
  expect(await problemsWith(Right, [Right])).toContain('TW_SCAN_PROVIDER_CYCLE');
  expect(await problemsWith('Right')).toContain('@inject(delay(() => TheClass))');
});

test('a singleton that would keep what lives for one call', async () => {
  @scoped(Lifecycle.ResolutionScoped)
  class Unit {}
  @Injectable()
  class Keeper {
    constructor(readonly unit: Unit) {}
  }
  @Injectable()
  class Later {
    constructor(@inject(delay(() => Unit)) readonly unit: object) {}
  }
  for (const type of [Keeper, Later]) {
    const text = await problemsWith(type, [type]);
    expect(text).toContain(`TW_SCAN_SCOPE_CAPTURE: ${type.name} constructor #1 would keep Unit`);
  }
});

test('what is undefined because files import each other', async () => {
  @Injectable()
  class Early {
    constructor(@inject(undefined as never) readonly late: object) {}
  }
  @Injectable()
  class Delayed {
    constructor(@inject(delay(() => undefined as never)) readonly late: object) {}
  }
  expect(await problemsWith(Early, [Early])).toContain('TW_SCAN_UNDEFINED');
  expect(await problemsWith(Delayed, [Delayed])).toContain('TW_SCAN_UNDEFINED');
});

test('what the container throws is named, and a container that is none is refused', async () => {
  container.register('broken', {
    useFactory: () => {
      throw new Error('no connection');
    },
  });
  @Injectable()
  class Keeper {
    constructor(@inject('broken') readonly broken: object) {}
  }
  const text = await problemsWith(Keeper, [Keeper]);
  expect(text).toContain(
    'TW_CONTAINER_PROVIDER_FAILED: "broken" could not be resolved by your tsyringe container: no connection',
  );
  expect(await problemsWith('absent', [], { container: {} as never })).toContain('TW_APPLICATION_OPTION');
});

describe('a container that keeps what is registered otherwise than tsyringe 4.10', () => {
  const strange = (value: object | undefined, member: string): DependencyContainer =>
    Object.defineProperty(globalContainer.createChildContainer(), member, { value });
  const childOfStrange = (): DependencyContainer => {
    const parent = globalContainer.createChildContainer();
    const child = parent.createChildContainer();
    Object.defineProperty(parent, '_registry', { value: undefined });
    return child;
  };
  const delegate = (): object => ({
    resolve: (token: never): unknown => globalContainer.resolve(token),
    isRegistered: (token: never): boolean => globalContainer.isRegistered(token),
    createChildContainer: () => globalContainer.createChildContainer(),
  });
  const shapes: Readonly<Record<string, () => object>> = {
    'no registry': () => strange(undefined, '_registry'),
    'another registry': () => strange({}, '_registry'),
    'no interceptors': () => strange(undefined, 'interceptors'),
    'other interceptors': () => strange({}, 'interceptors'),
    'no method that resolves a registration': () => strange(undefined, 'resolveRegistration'),
    'no method that runs interceptors': () => strange(undefined, 'executePreResolutionInterceptor'),
    'a parent without a registry': childOfStrange,
    'an object with the public methods alone': delegate,
  };
  test.each(Object.entries(shapes))('%s', async (_, shape) => {
    const text = await problemsWith(Store, [Store], { container: shape() as DependencyContainer });
    expect(text).toContain(
      'TW_CONTAINER_UNREADABLE: the tsyringe container does not show what is registered in it',
    );
    expect(text).toContain('npm install tsyringe@~4.10.0');
  });
});
