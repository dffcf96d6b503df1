import { expect, test } from '@jest/globals';
import { rename, rm } from 'node:fs/promises';
import {
  atOnce,
  connect,
  createProject,
  edit,
  endLater,
  FILES,
  serve,
  serveProject,
} from '../../support/dev-session.ts';
import { addressOf } from '../../support/example-process.ts';
import { tries } from '../../support/thorough.ts';

const TOOLS = 'notifications/tools/list_changed';

test('a changed description reaches clients of both eras, in the same session, with one notification', async () => {
  const { project, url, said } = await serve();
  const clients = [await connect(url, '2025'), await connect(url, '2026')];
  for (const [index, { call }] of clients.entries())
    expect(await call('add')).toBe(`first ${String(index + 1)}`);
  await edit(project, 'controller.ts', "description: 'Counts'", "description: 'Counts on'");
  await said('Swapped controller.ts');
  for (const { client, notified, count } of clients) {
    await count(1);
    expect(notified).toEqual([TOOLS]);
    expect((await client.listTools())[0]?.description).toContain('Counts on');
  }
});

test('a changed body is served without a notification, and untouched state lives on', async () => {
  const { project, url, said } = await serve();
  const { call, notified, count } = await connect(url, '2025');
  expect(await call('add')).toBe('first 1');
  await edit(project, 'controller.ts', 'first', 'second');
  await said('no list changed');
  expect(await call('add')).toBe('second 2');
  await edit(project, 'store.ts', 'count = 0', 'count = 10');
  await said('Swapped store.ts');
  expect(await call('add')).toBe('second 11');
  // The first notification is of this last save.
  await edit(project, 'controller.ts', 'Add one', 'Add 1');
  await count(1);
  expect(await call('add')).toBe('second 12');
  expect(notified).toEqual([TOOLS]);
});

test('with --fresh nothing lives on', async () => {
  const { project, url, said } = await serve('--fresh');
  const { call } = await connect(url, '2025');
  expect(await call('add')).toBe('first 1');
  await edit(project, 'controller.ts', 'first', 'second');
  await said('Swapped controller.ts');
  expect(await call('add')).toBe('second 1');
});

test('after a broken save the former application answers, until a good one clears the problems', async () => {
  const { project, url, said, server } = await serve();
  const { call, notified } = await connect(url, '2025');
  await project.write('controller.ts', `${FILES['controller.ts']}\nconst x = ;\n`);
  await said('TW_LOADER_SYNTAX: controller.ts');
  expect(await call('add')).toBe('first 1');
  // What is between the two edits is good
  await atOnce(server, async () => {
    await edit(project, 'controller.ts', 'const x = ;', '');
    await edit(
      project,
      'controller.ts',
      '(private readonly store: Store,',
      '(private readonly store: string,',
    );
  });
  await said('TW_SCAN_DEPENDENCY_UNTYPED');
  expect(await call('add')).toBe('first 2');
  await project.write('controller.ts', FILES['controller.ts']);
  await said('is served again');
  expect(await call('add')).toBe('first 3');
  await edit(project, 'controller.ts', 'first', 'second');
  await said('Swapped controller.ts');
  expect(await call('add')).toBe('second 4');
  expect(notified).toEqual([]);
  expect(server.stdout).toEqual([url]);
});

test('a file that comes later completes the import that missed it', async () => {
  const { project, url, said } = await serve();
  const { call } = await connect(url, '2025');
  const text = FILES['controller.ts'].replace('`first', '`${word}');
  await project.write('controller.ts', `import { word } from './word.js';\n${text}`);
  await said('word.js');
  await project.write('word.ts', "export const word = 'third';\n");
  await said('Swapped');
  expect(await call('add')).toBe('third 1');
});

test('a page may call from the port of the server only', async () => {
  const { url } = await serve();
  const statusFor = async (origin: string): Promise<number> =>
    (await fetch(url, { method: 'OPTIONS', headers: { origin } })).status;
  expect(await statusFor(new URL(url).origin)).toBe(204);
  expect(await statusFor('http://localhost:9')).toBe(403);
});

test('twenty saves at once are one swap, of the last content; a touched file is none', async () => {
  const { project, url, said, server } = await serve();
  const { call } = await connect(url, '2025');
  await atOnce(server, async () => {
    await project.write('store.ts', FILES['store.ts']);
    for (let save = 1; save <= 20; save += 1) {
      const text = FILES['controller.ts'].replaceAll('first', `save${String(save)}`);
      await project.write('new.ts', text);
      await rename(project.path('new.ts'), project.path('controller.ts'));
    }
  });
  await said('Swapped');
  expect(await call('add')).toBe('save20 1');
  await atOnce(server, () => edit(project, 'controller.ts', 'save20', 'last'));
  await said('Swapped', 2);
  expect(await call('add')).toBe('last 2');
  expect(server.stderr.filter((line) => line.includes('Swapped'))).toHaveLength(2);
});

test('in whatever way a file is saved, it is one swap, and nothing fails', async () => {
  const { project, url, said, server } = await serve();
  const { call, notified, count } = await connect(url, '2025');
  const file = project.path('controller.ts');
  const half = FILES['controller.ts'].slice(0, 200);
  const text = (word: string): string =>
    FILES['controller.ts'].replaceAll('first', word).replace("'Counts'", `'Counts ${word}'`);
  const ways: Readonly<Record<string, (whole: string) => Promise<void>>> = {
    atOnce: (whole) => project.write('controller.ts', whole),
    inTwoParts: async (whole) => {
      await project.write('controller.ts', half);
      await project.write('controller.ts', whole);
    },
    byRename: async (whole) => {
      await project.write('.controller.ts.swp', whole);
      await rename(project.path('.controller.ts.swp'), file);
    },
    withBackup: async (whole) => {
      await rename(file, `${file}~`);
      await project.write('controller.ts', whole);
      await rm(`${file}~`);
    },
    formatted: async (whole) => {
      await project.write('controller.ts', `${whole}\n\n\n`);
      await project.write('controller.ts', whole);
    },
    checkedOut: async (whole) => {
      for (const name of ['store.ts', 'server.ts', 'controller.ts'] as const) {
        await rm(project.path(name));
        await project.write(name, name === 'controller.ts' ? whole : FILES[name]);
      }
    },
  };
  let saves = 0;
  for (const [way, save] of Object.entries(ways)) {
    saves += 1;
    await atOnce(server, () => save(text(way)));
    await count(saves);
    expect(await call('add')).toBe(`${way} ${String(saves)}`);
  }
  await said('Swapped', saves);
  expect(server.stderr.filter((line) => line.startsWith('advice'))).toEqual([
    'advice TW_ADVICE_OPEN_WORLD: counter does not say whether its tools reach an open world: counter.',
  ]);
  expect(notified).toHaveLength(saves);
  expect(server.stderr.filter((line) => /^(?!advice).*(TW_|Swapped)/.test(line))).toHaveLength(saves);
});

test('what is saved while the save before is loaded takes its place, and is announced alone', async () => {
  const { project, url, said, server } = await serve();
  const { client, call, notified, count } = await connect(url, '2025');
  expect(await call('add')).toBe('first 1');
  const half = [
    "import { existsSync } from 'node:fs';",
    "import { setTimeout as pause } from 'node:timers/promises';",
    "console.log('loading');",
    "while (!existsSync('go')) await pause(1);",
    FILES['controller.ts'].replace("'Counts'", "'Half'"),
  ].join('\n');
  for (const [round, end] of ['', 'throw new Error("half");\n'].entries()) {
    await rm(project.path('go'), { force: true });
    const loadings = server.stderr.filter((line) => line.includes('loading')).length;
    await project.write('controller.ts', half + end);
    await said('loading', loadings + 1);
    await atOnce(server, async () => {
      await edit(project, 'controller.ts', "'Half'", `'Whole ${String(round)}'`);
      await edit(project, 'controller.ts', 'throw new Error("half");', '');
      await project.write('go', '');
    });
    await count(round + 1);
    expect((await client.listTools())[0]?.description).toContain('Whole');
  }
  expect(await call('add')).toBe('first 2');
  expect(notified).toEqual([TOOLS, TOOLS]);
  expect(server.stderr.filter((line) => line.includes('Swapped'))).toHaveLength(2);
  expect(server.stderr.join('\n')).not.toContain('half');
});

test('an application that writes into its own folder all the time is swapped', async () => {
  const project = await createProject();
  await project.write(
    'server.ts',
    `import { writeFileSync } from 'node:fs';\n${FILES['server.ts']}setInterval(() => writeFileSync('server.log', 'x'), 1);\n`,
  );
  const { url, said } = await serveProject(project);
  const { call } = await connect(url, '2025');
  await edit(project, 'controller.ts', 'first', 'second');
  await said('Swapped controller.ts');
  expect(await call('add')).toBe('second 1');
});

test('a call that runs during a swap finishes with the code where it began', async () => {
  const { project, url, said } = await serve();
  const { call } = await connect(url, '2025');
  const waiting = call('wait');
  await said('waiting');
  await edit(project, 'controller.ts', 'first', 'second');
  await said('Swapped controller.ts');
  await call('open');
  expect(await waiting).toBe('first');
  expect(await call('wait')).toBe('second');
});

test('a file that is broken from the start is served once it is good', async () => {
  const project = await createProject();
  await project.write('controller.ts', 'const x = ;\n');
  const server = project.command('dev', 'server.ts');
  endLater(async () => {
    server.kill('SIGTERM');
    await server.ended;
  });
  await server.line('stderr', 'Nothing is served yet');
  await project.write('controller.ts', FILES['controller.ts']);
  const { call } = await connect(await addressOf(server), '2026');
  expect(await call('add')).toBe('first 1');
});

test('over stdio, only the protocol is on stdout, and a swap is announced', async () => {
  const project = await createProject();
  const server = project.command('dev', 'server.ts', '--stdio');
  const request = (id: number, method: string, params: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  server.write(
    request(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
  );
  await server.answer(1);
  server.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  await edit(project, 'controller.ts', 'Counts', 'Counts on');
  await server.line('stdout', TOOLS);
  server.write(request(2, 'tools/list', {}));
  expect(JSON.stringify(await server.answer(2))).toContain('Counts on');
  server.end();
  expect(await server.ended).toBe(0);
  expect(server.stdout.map((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc)).toEqual(
    server.stdout.map(() => '2.0'),
  );
  expect(server.stderr.join('\n')).toContain('Swapped controller.ts');
});

test('a file that does not exist is a usage error', async () => {
  const project = await createProject();
  const server = project.command('dev', 'serve.ts');
  expect(await server.ended).toBe(2);
  expect(server.output()).toContain('did you mean "server.ts"');
});

const SWAPS = tries(75, 300);
/** Megabytes: 80 kB for each swap, and some for what the first ones load. */
const MAX_GROWTH = tries(8, 24);

test(`${String(SWAPS)} swaps keep one session, and take less than ${String(MAX_GROWTH)} MB`, async () => {
  const project = await createProject();
  const measured = FILES['controller.ts']
    .replace(
      '`first ',
      '(globalThis as unknown as { gc(): void }).gc(); return `first ${String(process.memoryUsage().heapUsed)} ',
    )
    .replace('return (globalThis', '(globalThis');
  await project.write('controller.ts', measured);
  const server = project.measured('dev', 'server.ts');
  endLater(async () => {
    server.kill('SIGTERM');
    await server.ended;
  });
  const { call } = await connect(await addressOf(server), '2025');
  const heap = async (): Promise<number> => Number((await call('add')).split(' ')[1]);
  const before = await heap();
  for (let swap = 1; swap <= SWAPS; swap += 1) {
    await project.write('controller.ts', measured.replaceAll('first', `save${String(swap)}`));
    while (server.stderr.filter((line) => line.includes('Swapped')).length < swap) await server.next();
  }
  expect((await heap()) - before).toBeLessThan(MAX_GROWTH * 1024 * 1024);
  expect(await call('add')).toMatch(new RegExp(`^save${String(SWAPS)} \\d+ 3$`));
});
