import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCli } from '../support/cli-process.ts';
import { LineProcess } from '../support/line-process.ts';
import { LoaderProject } from '../support/loader-project.ts';
import { EXAMPLES, LOCKED_ENTRIES } from '../support/example-process.ts';
import { NOTES } from './notes-project.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSC = `${ROOT}node_modules/typescript/bin/tsc`;
const projects: LoaderProject[] = [];

afterEach(async () => {
  for (const project of projects.splice(0)) await project.remove();
});

async function create(files: Readonly<Record<string, string>>, type?: 'module'): Promise<LoaderProject> {
  const project = await LoaderProject.create(files, type);
  projects.push(project);
  return project;
}

async function outputOf(started: LineProcess): Promise<string> {
  expect([await started.ended, started.output()]).toEqual([0, expect.anything()]);
  return started.output();
}

async function failureOf(started: LineProcess): Promise<string> {
  expect(await started.ended).toBe(1);
  return started.output();
}

const ANSWER = '{ "at": 5, "text": "milk", "color": "red", "level": 1 }';

describe.each(['module', undefined] as const)('in a package of type %s', (type) => {
  test('decorated TypeScript runs without a tsconfig.json and a build, and injects by types', async () => {
    const project = await create(NOTES, type);
    expect(await outputOf(project.run('server.ts'))).toMatch(/^[0-9a-f]{64} /);
    expect(await outputOf(project.run('server.ts'))).toContain(ANSWER);
  });
});

test('offers what the code of tsc offers, imported enums included', async () => {
  const project = await create(
    {
      ...NOTES,
      'notes.ts': (NOTES['notes.ts'] ?? '')
        .replace("'./clock'", "'./clock/index.js'")
        .replace("'./kinds'", "'./kinds.js'"),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...{ target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true, types: [] },
          ...{ experimentalDecorators: true, emitDecoratorMetadata: true, outDir: 'dist', noCheck: true },
        },
      }),
    },
    'module',
  );
  await outputOf(new LineProcess({ args: [TSC, '-p', '.'], cwd: project.folder }));
  const compiled = new LineProcess({ args: ['dist/server.js'], cwd: project.folder });
  expect(await outputOf(project.run('server.ts'))).toBe(await outputOf(compiled));
});

describe('the examples', () => {
  const output = `${ROOT}.cache/loader/examples`;
  // With the data that they read
  beforeAll(async () => {
    await rm(output, { recursive: true, force: true });
    await cp(EXAMPLES, output, { recursive: true });
    const emit = ['--noEmit', 'false', '--outDir', output, '--rootDir', '.', '--noCheck'];
    await outputOf(new LineProcess({ args: [TSC, '-p', '.', ...emit], cwd: EXAMPLES }));
  });

  test.each(Object.entries(LOCKED_ENTRIES))('%s has the lock of its compiled code', async (name, entry) => {
    const lock = join(EXAMPLES, name, 'toolwright.lock.json');
    const compiled = join(output, name, entry.replace(/\.ts$/, '.js'));
    const cwd = join(output, name);
    const { code, stderr } = await runCli(['lock', compiled, '--check', '-o', lock], { cwd });
    expect({ code, changes: stderr.includes('out of date') }).toEqual({ code: 0, changes: false });
  });
});

test('a class that is imported as a type alone is diagnosed, and never injected as undefined', async () => {
  const notes = (NOTES['notes.ts'] ?? '')
    .replace('import { Clock }', 'import type { Clock }')
    .replace('providers: [Clock]', 'providers: []');
  const output = await failureOf((await create({ ...NOTES, 'notes.ts': notes })).run('server.ts'));
  expect(output).toContain('TW_SCAN_DEPENDENCY_UNTYPED: Notes constructor');
  expect(output).toContain('fix:');
});

test('a syntax error is shown with its file, line and code', async () => {
  const project = await create({ ...NOTES, 'kinds.ts': 'export enum Color {}\nexport const Level = ;\n' });
  const output = await failureOf(project.run('server.ts'));
  expect(output).toContain('TW_LOADER_SYNTAX: kinds.ts:2:22 does not compile: Unexpected token');
  expect(output).toContain('2 | export const Level = ;');
});

test('an error of a handler names the line of the TypeScript', async () => {
  const project = await create({
    'server.ts': `
interface Long {
  readonly text: string;
}
const long: Long = { text: 'x' };
function fail(): never {
  throw new Error(long.text);
}
fail();
`,
  });
  expect(await failureOf(project.run('server.ts'))).toMatch(/at fail \(.*server\.ts:7:9\)/);
});

test('resolves what TypeScript accepts in imports, by the paths of tsconfig.json too', async () => {
  const project = await create({
    'server.ts': `
import { a } from './a.js';
import { b } from './b.mjs';
import { c } from './c';
import { d } from './d';
import { e } from '@own/e';
import { f } from 'f';
console.log(a, b, c, d, e, f);
`,
    'tsconfig.json': `{
  // comments and trailing commas are allowed
  "extends": "./base.json",
}`,
    'base.json': '{ "compilerOptions": { "paths": { "@own/*": ["./own/*"], "f": ["./own/f.ts"], } } }',
    ...Object.fromEntries(
      ['a.ts', 'b.mts', 'c.ts', 'd/index.ts', 'own/e.ts', 'own/f.ts'].map((name) => {
        const [letter = ''] = /[a-f](?=\/index|\.)/.exec(name) ?? [];
        return [name, `export const ${letter} = '${letter}';\n`];
      }),
    ),
  });
  expect(await outputOf(project.run('server.ts'))).toBe('a b c d e f');
});

test('an import of nothing is refused by Node as always', async () => {
  const project = await create({ 'server.ts': "import './nothing.js';\n" });
  expect(await failureOf(project.run('server.ts'))).toContain('ERR_MODULE_NOT_FOUND');
});

test('a tsconfig.json that cannot be read is named', async () => {
  const project = await create({
    'server.ts': "import '@own/a';\n",
    'tsconfig.json': '{ "compilerOptions": ',
  });
  expect(await failureOf(project.run('server.ts'))).toContain(
    'TW_LOADER_TSCONFIG: tsconfig.json cannot be read',
  );
});

test('refuses TypeScript for CommonJS, and what is installed', async () => {
  const project = await create({
    'server.cts': 'export = 1;\n',
    'other.ts': "import 'installed';\n",
    'node_modules/installed/package.json': '{ "name": "installed", "exports": "./index.ts" }',
    'node_modules/installed/index.ts': 'export const a = 1;\n',
  });
  const refused = await failureOf(project.run('server.cts'));
  expect(refused).toContain('TW_LOADER_REFUSED: server.cts is not loaded');
  expect(refused).toContain('fix: rename it to server.ts');
  const installed = await failureOf(project.run('other.ts'));
  expect(installed).toContain('TW_LOADER_REFUSED: node_modules/installed/index.ts is not loaded');
});
