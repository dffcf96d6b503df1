import { expect, test } from '@jest/globals';
import { Action, createTool, Idempotent, Module, ToolGroup, ToolRegistry, type Class } from 'toolwright';
import { assembleApplication, type ApplicationParts } from '../../../src/application/assemble-application.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';

class Base {
  #count = 0;
  @Action() @Idempotent({ key: 'arguments' }) @Idempotent({ key: 'idempotencyKey' }) twice() {
    return (this.#count += 1);
  }
  @Action() @Idempotent({ key: 'arguments' }) overridden() {
    return (this.#count += 1);
  }
}

@ToolGroup('counter')
class Counter extends Base {
  #own = 0;
  @Action() override overridden() {
    return (this.#own += 1);
  }
}

@Module({ controllers: [Counter] })
class CounterModule {}

function start(options: object = {}, module: Class = CounterModule, before?: ApplicationParts) {
  const given = { name: 'counter', logger: new MemoryLogger(), ...options };
  return assembleApplication(module, given, async () => undefined, before);
}

async function call({ server }: ApplicationParts, action: string, args: object = {}) {
  const { content } = await server.localCalls.call('counter', { action, ...args });
  return content.map((block) => (block.type === 'text' ? block.text : block));
}

test('Of two uses of @Idempotent on a method, the lower one counts; an override has to repeat it', async () => {
  const parts = await start();
  expect(JSON.stringify(await call(parts, 'twice'))).toContain('idempotencyKey is required');
  expect(await call(parts, 'twice', { idempotencyKey: 'a' })).toEqual(['1']);
  expect(await call(parts, 'twice', { idempotencyKey: 'a' })).toEqual(['1']);
  expect(await call(parts, 'overridden')).toEqual(['1']);
  expect(await call(parts, 'overridden')).toEqual(['2']);
  await parts.server.close();
});

test('An application in the place of one with the same options knows its calls', async () => {
  const before = await start();
  const after = await start({}, CounterModule, before);
  const patient = await start({ questionTtl: 1000 }, CounterModule, before);
  const records = ({ service }: ApplicationParts) => service.settings.states['idempotency'];
  expect(records(after)).toBe(records(before));
  expect(records(patient)).not.toBe(records(before));
  for (const { server } of [before, after, patient]) await server.close();
});

test('A registry without an application runs a call once for its key', async () => {
  let count = 0;
  const handler = () => (count += 1);
  const tool = createTool('counter').action({ name: 'add', idempotent: { key: 'arguments' }, handler });
  const registry = new ToolRegistry().register(tool);
  const results = [
    await registry.routeCall('counter', { action: 'add' }),
    await registry.routeCall('counter', { action: 'add' }),
  ];
  expect(results.map(({ content }) => content)).toEqual([
    [{ type: 'text', text: '1' }],
    [{ type: 'text', text: '1' }],
  ]);
});

test('Wrong options of @Idempotent are reported where they stand, once', async () => {
  @ToolGroup('counter')
  class Wrong {
    @Action() @Idempotent({ key: 'body' as 'arguments' }) add() {
      return 1;
    }
  }
  @Module({ controllers: [Wrong] })
  class WrongModule {}
  const failed = String(await start({}, WrongModule).catch((error: unknown) => error));
  expect(failed.split('Wrong.add() sets key to "body"')).toHaveLength(2);
});
