import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import {
  atOnce,
  connect,
  createProject,
  edit,
  FILES,
  serve,
  serveProject,
} from '../../support/dev-session.ts';

/** A provider that no file of the project makes again. */
const LASTING = {
  ...FILES,
  'server.ts': FILES['server.ts']
    .replace('providers: [Store, Gate]', "providers: [Store, Gate, { provide: 'hits', useFactory: make }]")
    .replace(
      '@Module(',
      'const make = ((globalThis as { makeHits?: () => object }).makeHits ??= () => ({ count: 0 }));\n\n@Module(',
    ),
  'controller.ts': FILES['controller.ts']
    .replace('import { Action, ToolGroup }', 'import { Action, Inject, ToolGroup }')
    .replace(
      'private readonly gate: Gate)',
      "private readonly gate: Gate, @Inject('hits') private readonly hits: { count: number })",
    )
    .replace('this.store.count += 1', 'this.hits.count += 1'),
};

test('a broken save that is taken back costs no state', async () => {
  const { project, url, said } = await serve();
  const { call } = await connect(url, '2025');
  expect(await call('add')).toBe('first 1');
  await project.write('store.ts', `${FILES['store.ts']}\nconst x = ;\n`);
  await said('TW_LOADER_SYNTAX: store.ts');
  await project.write('store.ts', FILES['store.ts']);
  await said('is served again');
  await edit(project, 'controller.ts', 'first', 'second');
  await said('Swapped controller.ts');
  expect(await call('add')).toBe('second 2');
});

test('a broken file that is saved again without a change is not reported again', async () => {
  const { project, server, said } = await serve();
  const broken = `${FILES['store.ts']}\nconst x = ;\n`;
  await project.write('store.ts', broken);
  await said('TW_LOADER_SYNTAX: store.ts');
  // As a whole: half of it is broken in another way
  await atOnce(server, () => project.write('store.ts', broken));
  // A save of its own
  await pause(150);
  await atOnce(server, () => project.write('store.ts', `${broken}\n`));
  await said('TW_LOADER_SYNTAX: store.ts', 2);
  await project.write('store.ts', FILES['store.ts']);
  await said('is served again');
  expect(server.stderr.filter((line) => line.includes('TW_LOADER_SYNTAX'))).toHaveLength(2);
});

test('what a factory from elsewhere made lives on, and with --fresh it does not', async () => {
  for (const [options, answer] of [
    [[], 'second 2'],
    [['--fresh'], 'second 1'],
  ] as const) {
    const project = await createProject(LASTING);
    const { url, said } = await serveProject(project, ...options);
    const { call } = await connect(url, '2025');
    expect(await call('add')).toBe('first 1');
    await edit(project, 'controller.ts', 'first', 'second');
    await said('Swapped');
    expect(await call('add')).toBe(answer);
  }
});

test('a call may take longer than closing may: its application closes when it has ended', async () => {
  const project = await createProject({
    ...FILES,
    'server.ts': FILES['server.ts'].replace("{ name: 'counter' }", "{ name: 'counter', drainTimeout: 50 }"),
  });
  const { url, said } = await serveProject(project);
  const { call } = await connect(url, '2025');
  const waiting = call('wait');
  await said('waiting');
  await edit(project, 'controller.ts', 'first', 'second');
  await said('Swapped controller.ts');
  await pause(300);
  await call('open');
  expect(await waiting).toBe('first');
});
