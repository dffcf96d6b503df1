import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { TsconfigPaths } from '../../src/loader/tsconfig-paths.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tsconfig-')));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** The candidates, from the root of the project. */
function candidates(specifier: string, directory = '.'): readonly string[] {
  return new TsconfigPaths()
    .candidates(specifier, join(root, directory))
    .map((path) => path.slice(root.length + 1));
}

const paths = (table: Readonly<Record<string, readonly string[]>>, more: object = {}): object => ({
  compilerOptions: { paths: table, ...more },
});

/** The file that tsc finds. */
function byCompiler(specifier: string): string | undefined {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  );
  const options = { ...config!.options, moduleResolution: ts.ModuleResolutionKind.Bundler };
  const { resolvedModule } = ts.resolveModuleName(specifier, join(root, 'main.ts'), options, ts.sys);
  return resolvedModule?.resolvedFileName.slice(root.length + 1);
}

describe('the best candidate is the file that tsc finds', () => {
  test.each([
    ['an exact name', 'app/exact'],
    ['the longest text before the star', 'app/models/task'],
    ['a shorter one', 'app/other'],
    ['of equally long ones the first', 'app/task.model'],
    ['a star alone', 'anything'],
  ])('%s', (_what, specifier) => {
    write({
      'tsconfig.json': paths({
        '*': ['./rest/*'],
        'app/*': ['./src/*'],
        'app/models/*': ['./models/*'],
        'app/exact': ['./exact.ts'],
        'app/*.model': ['./with-end/*'],
      }),
      ...{ 'rest/anything.ts': '', 'src/other.ts': '', 'models/task.ts': '', 'exact.ts': '' },
      ...{ 'src/exact.ts': '', 'src/models/task.ts': '', 'with-end/task.ts': '', 'src/task.model.ts': '' },
    });
    const [best = ''] = candidates(specifier);
    expect(best.replace(/(?<!\.ts)$/, '.ts')).toBe(byCompiler(specifier));
  });

  test('the paths of a base replace nothing that is nearer', () => {
    write({
      'base.json': paths({ 'app/*': ['./base/*'] }),
      'tsconfig.json': { extends: './base.json', ...paths({ 'app/*': ['./own/*'] }) },
      ...{ 'base/a.ts': '', 'own/a.ts': '' },
    });
    expect(candidates('app/a')).toEqual(['own/a']);
    expect(byCompiler('app/a')).toBe('own/a.ts');
  });

  test('of several bases the last one counts, and paths are relative to the file that has them', () => {
    write({
      'config/one.json': paths({ 'app/*': ['./one/*'] }),
      'config/two.json': paths({ 'app/*': ['./two/*'] }),
      'tsconfig.json': { extends: ['./config/one', './config/two.json'] },
      ...{ 'config/one/a.ts': '', 'config/two/a.ts': '' },
    });
    expect(candidates('app/a')).toEqual(['config/two/a']);
    expect(byCompiler('app/a')).toBe('config/two/a.ts');
  });

  test('a base can be in a package', () => {
    write({
      'node_modules/shared/package.json': { name: 'shared' },
      'node_modules/shared/tsconfig.json': paths({ 'app/*': ['./src/*'] }),
      'node_modules/shared/src/a.ts': '',
      'tsconfig.json': { extends: 'shared/tsconfig.json' },
    });
    expect(candidates('app/a')).toEqual(['node_modules/shared/src/a']);
  });
});

test('all targets of the pattern are candidates, in order', () => {
  write({ 'tsconfig.json': paths({ 'app/*': ['./first/*', './second/*'] }) });
  expect(candidates('app/a/b')).toEqual(['first/a/b', 'second/a/b']);
});

test('baseUrl moves what paths are relative to', () => {
  write({ 'tsconfig.json': paths({ 'app/*': ['lib/*'] }, { baseUrl: './src' }) });
  expect(candidates('app/a')).toEqual(['src/lib/a']);
});

test('the nearest tsconfig.json counts, also one without paths', () => {
  write({
    'tsconfig.json': paths({ 'app/*': ['./src/*'] }),
    'packages/one/tsconfig.json': '{}',
    'packages/two/keep': '',
  });
  expect(candidates('app/a', 'packages/two')).toEqual(['src/a']);
  expect(candidates('app/a', 'packages/one')).toEqual([]);
});

test('nothing matches: no candidates', () => {
  write({ 'tsconfig.json': paths({ 'app/*': ['./src/*'], 'ab*ba': ['./x/*'] }) });
  expect(candidates('./app/a')).toEqual([]);
  // The text before and after the star may not overlap
  expect(candidates('aba')).toEqual([]);
  expect(candidates('abba')).toEqual(['x/']);
});

test('comments, trailing commas and a byte order mark are no mistakes; what looks like one in a text stays', () => {
  write({
    'tsconfig.json': `\uFEFF// of the project
{
  /* what
     matters */
  "compilerOptions": { "paths": { "app//*": ["./src/*", ], "x/*,}": ["./odd/*"], }, // here
  }, /* , } */
}`,
  });
  expect(candidates('app//a')).toEqual(['src/a']);
  expect(candidates('x/a,}')).toEqual(['odd/a']);
});

test('bases that extend each other end', () => {
  write({ 'tsconfig.json': { extends: './other.json' }, 'other.json': { extends: './tsconfig.json' } });
  expect(candidates('app/a')).toEqual([]);
});

test.each(['{ "compilerOptions": ', '[1'])('%j is named as what cannot be read', (text) => {
  write({ 'tsconfig.json': text });
  expect(() => candidates('app/a')).toThrow('tsconfig.json cannot be read.');
});
