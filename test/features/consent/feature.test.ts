import { expect, test } from '@jest/globals';
import {
  Action,
  createTool,
  Destructive,
  InMemoryStore,
  Module,
  ReadOnly,
  ToolGroup,
  ToolRegistry,
  type Class,
  type Store,
} from 'toolwright';
import { assembleApplication, type ApplicationParts } from '../../../src/application/assemble-application.ts';
import { ownerName } from '../../../src/call/subject.ts';
import type { Telemetry } from '../../../src/kernel/call/telemetry.ts';
import { ONCE } from '../../../src/runtime/replay/answer-once.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

class Base {
  @Action() @Destructive({ confirm: true }) @Destructive({ confirm: 'twice' }) lower(): string {
    return 'lower';
  }
  @Action() @Destructive({ confirm: 'twice' }) silent(): string {
    return 'silent';
  }
  @Action() @Destructive({ confirm: 'twice' }) harmless(): string {
    return 'harmless';
  }
  @Action() @Destructive({ confirm: 'twice' }) bold(): string {
    return 'bold';
  }
}

@ToolGroup('doors')
class Doors extends Base {
  @Action() override silent(): string {
    return 'silent';
  }
  @Action() @ReadOnly() override harmless(): string {
    return 'harmless';
  }
  @Action() @Destructive({ confirm: false }) override bold(): string {
    return 'bold';
  }
}

@Module({ controllers: [Doors] })
class DoorsModule {}

function start(options: object = {}, module: Class = DoorsModule, before?: ApplicationParts) {
  const given = { name: 'doors', logger: new MemoryLogger(), ...options };
  return assembleApplication(module, given, async () => undefined, before);
}

test('Of two uses of @Destructive the lower one counts; an override keeps it, unless it says otherwise', async () => {
  const parts = await start();
  const [definition] = parts.registry.getAllTools();
  const asked = definition?.actions().map(({ key, confirm }) => [key, confirm]);
  expect(Object.fromEntries(asked ?? [])).toEqual({
    lower: 'twice',
    silent: 'twice',
    harmless: undefined,
    bold: undefined,
  });
  for (const action of ['lower', 'silent', 'harmless', 'bold']) {
    const { isError } = await parts.server.localCalls.call('doors', { action });
    expect([action, isError === true]).toEqual([action, ['lower', 'silent'].includes(action)]);
  }
  await parts.server.close();
});

test('A tool lists the mode last, and leaves it out where nobody is asked', async () => {
  const parts = await start();
  const [lower, , harmless] = parts.registry.getAllTools()[0]?.actions() ?? [];
  expect(Object.keys(lower ?? {}).at(-1)).toBe('confirm');
  expect(harmless).not.toHaveProperty('confirm');
  await parts.server.close();
});

test('An application in the place of one with the same page keeps its consents', async () => {
  const url = () => 'https://desk.example';
  const before = await start({ consent: { url } });
  const after = await start({ consent: { url } }, DoorsModule, before);
  const without = await start({}, DoorsModule, before);
  const consents = ({ service }: ApplicationParts) => service.settings.states['consent'];
  expect(consents(after)).toBe(consents(before));
  expect(consents(without)).not.toBe(consents(before));
  expect(after.service.settings.clock).toBe(before.service.settings.clock);
  for (const { server } of [before, after, without]) await server.close();
});

test('A registry without an application asks as well, by what the plain API says', async () => {
  const handler = () => 'done';
  const tool = createTool('doors')
    .action({ name: 'break', destructive: { confirm: 'twice' }, handler })
    .action({ name: 'open', destructive: true, handler });
  const registry = new ToolRegistry().register(tool);
  const ask = await registry.routeCall('doors', { action: 'break' });
  expect(JSON.stringify(ask)).toContain('CONSENT_REQUIRED');
  expect(await registry.routeCall('doors', { action: 'open' })).not.toHaveProperty('isError');
});

test('Wrong options of @Destructive are reported where they stand, once', async () => {
  @ToolGroup('doors')
  class Wrong {
    @Action() @Destructive({ confirm: 'thrice' as 'twice' }) open(): string {
      return '';
    }
  }
  @Module({ controllers: [Wrong] })
  class WrongModule {}
  const failed = String(await start({}, WrongModule).catch((error: unknown) => error));
  expect(failed.split('Wrong.open() sets confirm to "thrice"')).toHaveLength(2);
});

test('@Destructive on a method without @Action is one mistake, with options or without', async () => {
  @ToolGroup('doors')
  class Wrong {
    @Action() open(): string {
      return '';
    }
    @Destructive({ confirm: true }) shut(): string {
      return '';
    }
  }
  @Module({ controllers: [Wrong] })
  class WrongModule {}
  const failed = String(await start({}, WrongModule).catch((error: unknown) => error));
  expect(failed.split('Wrong.shut()')).toHaveLength(failed.split('TW_SCAN_ACTION_MISSING').length + 1);
  expect(failed.split('TW_SCAN_ACTION_MISSING')).toHaveLength(2);
});

test('Consents and answers are in one collection of one store, which forgets a person once', async () => {
  const telemetry: Telemetry = {
    spans: [],
    begin: () => ({
      run: (work) => work(),
      enter: (_part, work) => work(),
      leave: (_part, work) => work(),
      inject: (params) => params,
      detach: () => undefined,
      end: () => undefined,
    }),
    add: () => undefined,
    record: () => undefined,
  };
  const forgotten: string[] = [];
  class WatchedStore extends InMemoryStore {
    override async forget(collection: string, owner: string): Promise<number> {
      forgotten.push(collection);
      return super.forget(collection, owner);
    }
  }
  const parts = await start({ backplane: { store: new WatchedStore() }, telemetry });
  const { removed } = await parts.forgetting.forget({ subject: 'ada' });
  expect(forgotten.filter((collection) => collection === ONCE)).toHaveLength(1);
  expect(new Set(forgotten).size).toBe(forgotten.length);
  expect(removed[ONCE]).toBe(0);
  await parts.server.close();
});

test('Consents and answers in memory have stores of their own, and both forget a person', async () => {
  const parts = await start();
  const { replayEngine, states } = parts.service.settings;
  const stores = [replayEngine.store, states.consent?.store as Store];
  expect(stores[0]).not.toBe(stores[1]);
  const owner = ownerName({ issuer: undefined, sub: 'ada', tenant: undefined });
  for (const store of stores) {
    for (const one of [owner, 'a'.repeat(22)]) await store.put(ONCE, `${one}.x`, { value: 'x', ttl: 1000 });
  }
  const { removed } = await parts.forgetting.forget({ subject: 'ada' });
  expect(removed[ONCE]).toBe(2);
  await parts.server.close();
});
