import { expect, test } from '@jest/globals';
import { START } from '../../src/application/assemble-application.ts';
import { Opened, StartStages } from '../../src/application/start-stages.ts';

test('an application starts in these stages', () => {
  expect(START.names).toEqual([
    'read options',
    'take the container',
    'scan',
    'check',
    'prepare',
    'report problems',
    'construct',
    'place the stages of calls',
    'open the backplane',
    'make states',
    'join other instances',
    'bind',
    'serve',
    'begin',
  ]);
});

test('each stage takes what those before it gave', async () => {
  const stages = StartStages.of<{ readonly name: string }>()
    .stage('greet', async ({ name }) => ({ greeting: `Hello ${name}` }))
    .stage('count', ({ greeting }) => ({ length: greeting.length }));
  expect(await stages.run({ name: 'Ada' })).toEqual({ name: 'Ada', greeting: 'Hello Ada', length: 9 });
  // @ts-expect-error -- no stage gives it
  stages.stage('end', ({ farewell }) => ({ farewell: farewell as unknown }));
});

test('a stage that fails ends the start', async () => {
  const passed: string[] = [];
  const stages = StartStages.of<object>()
    .stage('break', () => Promise.reject(new Error('broken')))
    .stage('go on', () => ({ passed: passed.push('go on') }));
  await expect(stages.run({})).rejects.toThrow('broken');
  expect(passed).toEqual([]);
});

test('what was opened last is closed first, once; a failed start gives up its instances before', async () => {
  const lines: string[] = [];
  const opened = new Opened();
  opened.add(() => void lines.push('store'));
  opened.add(undefined);
  opened.add(() => void lines.push('bus'));
  opened.add(async () => void lines.push('states'));
  opened.onFailure(async (error) => {
    lines.push('instances');
    return new Error('stuck', { cause: error });
  });
  expect(await opened.fail('why')).toMatchObject({ message: 'stuck', cause: 'why' });
  await opened.close();
  expect(lines).toEqual(['instances', 'states', 'bus', 'store']);
});
