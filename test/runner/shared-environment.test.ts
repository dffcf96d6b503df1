import { expect, test } from '@jest/globals';
import { classesCalled, counter, OfOneSuite } from './own-state.ts';

interface Environment {
  teardown(): Promise<void>;
}

const { default: SharedEnvironment } = (await import(
  new URL('./shared-environment.mjs', import.meta.url).href
)) as {
  readonly default: new (config: { projectConfig: object }) => Environment;
};

const open = (): Environment => new SharedEnvironment({ projectConfig: { fakeTimers: {} } });

test('what a suite changes of the globals is put back for the next one', async () => {
  const { setTimeout: timer, console: before } = globalThis;
  const exit = process.exit;
  const environment = open();
  globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout;
  globalThis.console = {} as Console;
  process.exit = () => undefined as never;
  process.env['TOOLWRIGHT_OF_A_SUITE'] = 'left';
  const path = process.env['PATH'];
  process.env['PATH'] = '';
  await environment.teardown();
  expect(globalThis.setTimeout).toBe(timer);
  expect(globalThis.console).toBe(before);
  expect(process.exit).toBe(exit);
  expect(process.env['TOOLWRIGHT_OF_A_SUITE']).toBeUndefined();
  expect(process.env['PATH']).toBe(path);
});

test('what packages keep in globals stays', async () => {
  const environment = open();
  const key = Symbol.for('toolwright:kept-by-a-package');
  Object.assign(globalThis, { [key]: 'kept' });
  await environment.teardown();
  expect(Reflect.get(globalThis, key)).toBe('kept');
  Reflect.deleteProperty(globalThis, key);
});

// The other suite of these helpers does the same, in whichever order, and in the same process or not
test('a suite has helpers and validated classes of its own; those of the sources stay', async () => {
  expect(counter.add()).toBe(1);
  expect(classesCalled('OfOneSuite')).toEqual([OfOneSuite]);
  const { StartInput } = await import('../../src/workflow/module/tool-schemas.ts');
  expect(classesCalled('StartInput')).toEqual([StartInput]);
});
