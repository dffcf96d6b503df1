import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  container as globalContainer,
  inject,
  injectable,
  Lifecycle,
  scoped,
  singleton,
  type DependencyContainer,
} from 'tsyringe';
import {
  Action,
  hostApplications,
  Injectable,
  McpApplication,
  Module,
  ToolGroup,
  type Class,
} from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
import { textOf } from '../../support/text-of.ts';

let container: DependencyContainer;
let seen: string[];
beforeEach(() => {
  container = globalContainer.createChildContainer();
  seen = [];
});
afterEach(() => {
  globalContainer.reset();
});

/** Says what is done with it. */
class Watched {
  onModuleInit(): void {
    seen.push(`start ${this.constructor.name}`);
  }
  onModuleDestroy(): void {
    seen.push(`end ${this.constructor.name}`);
  }
  dispose(): void {
    seen.push(`dispose ${this.constructor.name}`);
  }
}

const silent = { logger: () => undefined };

test('instances of the container have no hooks and outlive the application, others do not', async () => {
  @singleton()
  class Theirs extends Watched {}
  @scoped(Lifecycle.ContainerScoped)
  class Scoped extends Watched {}
  @scoped(Lifecycle.ResolutionScoped)
  class OfCall extends Watched {}
  @injectable()
  class Fresh extends Watched {}
  @Injectable()
  class Ours extends Watched {}
  @ToolGroup('tools')
  class Tools {
    constructor(
      readonly ours: Ours,
      readonly scoped: Scoped,
    ) {}
    @Action() run(theirs: Theirs, ofCall: OfCall, fresh: Fresh) {
      return [theirs, ofCall, fresh].length;
    }
  }
  const factory = { provide: 'handed on', useFactory: (theirs: Theirs) => theirs, inject: [Theirs] };
  @Module({ controllers: [Tools], providers: [Ours, Theirs, factory] })
  class Root {}
  const application = await createTestApplication(Root, { container, ...silent });
  expect(seen).toEqual(['start Ours', 'start Scoped']);
  seen = [];
  await application.call('tools.run');
  // As every transient, what is made for an injection is the caller's
  expect(seen).toEqual(['dispose OfCall']);
  seen = [];
  await application.close();
  expect(seen.sort()).toEqual(['dispose Ours', 'dispose Scoped', 'end Ours', 'end Scoped']);
  seen = [];
  await container.dispose();
  expect(seen).toEqual(['dispose Theirs']);
});

test('applications share what the container has, and nothing else; nothing is registered in it', async () => {
  @singleton()
  class Shared {}
  @Injectable()
  class Own {}
  @ToolGroup('tools')
  class Tools {
    constructor(
      readonly shared: Shared,
      readonly own: Own,
    ) {}
    @Action() run() {
      return 'ran';
    }
  }
  @Module({ controllers: [Tools], providers: [Own, { provide: 'word', useValue: 'ours' }] })
  class Root {}
  const applications = [
    await McpApplication.create(Root, { container, ...silent }),
    await McpApplication.create(Root, silent),
    (await createTestApplication(Root, { container, ...silent })).app,
  ];
  const tools = applications.map((application) => application.get(Tools));
  expect(new Set(tools.map(({ shared }) => shared))).toEqual(new Set([globalContainer.resolve(Shared)]));
  expect(new Set(tools.map(({ own }) => own)).size).toBe(3);
  for (const each of [container, globalContainer]) {
    expect([Tools, Own, 'word', Root].filter((token) => each.isRegistered(token as Class))).toEqual([]);
  }
  for (const application of applications) await application.close();
});

test('what is asked for leaves no trace in the container, however many applications ask', async () => {
  const sizes = (): readonly unknown[] => {
    const { _registry, interceptors } = container as unknown as Readonly<Record<string, object>>;
    return [_registry, ...Object.values<object>(interceptors as never)].map(
      (lists) => (lists as { readonly _registryMap: ReadonlyMap<unknown, unknown> })._registryMap.size,
    );
  };
  container.registerInstance('word', 'theirs');
  const before = sizes();
  @Injectable()
  class Own {}
  @ToolGroup('tools')
  class Tools {
    constructor(readonly own: Own) {}
    @Action() run(@inject('absent', { isOptional: true }) absent?: string) {
      return String(absent);
    }
  }
  @Module({ controllers: [Tools], providers: [Own] })
  class Root {}
  const application = await createTestApplication(Root, { container, ...silent });
  await application.call('tools.run');
  await application.close();
  expect(sizes()).toEqual(before);
});

test('app.get gives what the application has, and then what the container has', async () => {
  class Listed {}
  @singleton()
  class Unused {}
  container.registerInstance('word', 'theirs');
  @Module({ providers: [Listed, { provide: 'own', useValue: 'ours' }] })
  class Root {}
  const application = await McpApplication.create(Root, { container, ...silent });
  expect(application.get('own')).toBe('ours');
  expect(application.get('word')).toBe('theirs');
  expect(application.get(Unused)).toBe(globalContainer.resolve(Unused));
  expect(application.get(Listed)).not.toBe(globalContainer.resolve(Listed));
  expect(() => application.get('absent')).toThrow('TW_CONTAINER_UNKNOWN_PROVIDER');
  await application.close();
});

test('a provider entry of a module, and a scope of @Injectable, count before the container', async () => {
  @singleton()
  class Entry {}
  @singleton()
  @Injectable({ scope: 'request' })
  class PerCall {}
  @singleton()
  @Injectable()
  class Both {}
  @ToolGroup('tools')
  class Tools {
    constructor(
      readonly entry: Entry,
      readonly both: Both,
    ) {}
    @Action() run(perCall: PerCall) {
      return String(perCall !== container.resolve(PerCall));
    }
  }
  @Module({ controllers: [Tools], providers: [{ provide: Entry, useClass: Entry }, PerCall, Both] })
  class Root {}
  const application = await createTestApplication(Root, { container, ...silent });
  expect(textOf(await application.call('tools.run'))).toBe('true');
  const { entry, both } = application.app.get(Tools);
  expect(entry).not.toBe(container.resolve(Entry));
  expect(both).toBe(container.resolve(Both));
  await application.close();
});

test('a class that a module does not export is not made again by tsyringe', async () => {
  @injectable()
  class Hidden {}
  @Module({ providers: [Hidden] })
  class Feature {}
  @ToolGroup('tools')
  class Tools {
    constructor(readonly hidden: Hidden) {}
    @Action() run() {
      return 'ran';
    }
  }
  @Module({ imports: [Feature], controllers: [Tools] })
  class Root {}
  await expect(McpApplication.create(Root, { container, ...silent })).rejects.toThrow(
    'TW_SCAN_DEPENDENCY_HIDDEN',
  );
});

test('overrides replace what only the container knows', async () => {
  @injectable()
  class Clock {
    now(): number {
      return Date.now();
    }
  }
  @ToolGroup('tools')
  class Tools {
    @Action() run(@inject('word') word: string, clock: Clock) {
      return `${word} at ${clock.now()}`;
    }
  }
  container.registerInstance('word', 'real');
  @Module({ controllers: [Tools] })
  class Root {}
  const overrides = [
    { provide: 'word', useValue: 'fake' },
    { provide: Clock, useValue: { now: () => 0 } },
  ];
  const application = await createTestApplication(Root, { container, overrides, ...silent });
  expect(textOf(await application.call('tools.run'))).toBe('fake at 0');
  await application.close();
});

test('a hot swap keeps the singletons that depend on the container, and asks it again for what changed', async () => {
  @singleton()
  class Theirs extends Watched {}
  @Injectable()
  class Keeps {
    constructor(
      readonly theirs: Theirs,
      @inject('word') readonly word: string,
    ) {}
  }
  const kept: Keeps[] = [];
  const createVersion = (): Promise<McpApplication> => {
    @ToolGroup('tools')
    class Tools {
      constructor(readonly keeps: Keeps) {
        kept.push(keeps);
      }
      @Action() run() {
        return 'ran';
      }
    }
    @Module({ controllers: [Tools], providers: [Keeps] })
    class SwappedModule {}
    return McpApplication.create(SwappedModule, { container, ...silent });
  };
  const swap = async (before: McpApplication): Promise<McpApplication> => {
    const release = hostApplications({
      predecessor: before,
      created: () => undefined,
      listen: (_, options, open) => open(options),
      stdio: (_, options, open) => open(options),
    });
    const after = await createVersion().finally(release);
    await before.replaceWith(after).finished;
    await before.close();
    return after;
  };
  container.registerInstance('word', 'first');
  const first = await createVersion();
  await first.listen({ port: 0, signals: false });
  const second = await swap(first);
  container.registerInstance('word', 'second');
  const third = await swap(second);
  await third.close();
  expect(kept[1]).toBe(kept[0]);
  expect(kept[2]).not.toBe(kept[0]);
  expect(kept.map(({ word }) => word)).toEqual(['first', 'first', 'second']);
  expect(new Set(kept.map(({ theirs }) => theirs)).size).toBe(1);
  expect(seen).toEqual([]);
});

test('a container that was disposed cannot be the parent', async () => {
  await container.dispose();
  @Module({})
  class Root {}
  await expect(McpApplication.create(Root, { container, ...silent })).rejects.toThrow('disposed');
});
