import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError } from '../../../src/cli/output/cli-error.ts';
import { nameBundleFile } from '../../../src/cli/pack/bundle.ts';
import { listBundleFiles } from '../../../src/cli/pack/bundle-files.ts';
import type { PackedProject } from '../../../src/cli/pack/project.ts';
import { errorOf } from '../../support/thrown.ts';

const MANIFEST = { name: 'notes', bin: 'dist/main.js', dependencies: { greeter: '1' } };

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bundle-'));
  folder = join(home, 'notes');
  write('notes/dist/main.js', 'run');
  write('notes/package.json', '{}');
  addPackage('node_modules/greeter', { dependencies: { words: '2' } });
  addPackage('node_modules/words');
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

function addPackage(path: string, manifest: object = {}): void {
  write(`notes/${path}/package.json`, JSON.stringify(manifest));
  write(`notes/${path}/index.js`, 'code');
}

const list = (manifest: object = MANIFEST): readonly string[] =>
  listBundleFiles({ folder, manifest, created: undefined } as unknown as PackedProject).map(
    ({ name }) => name,
  );
const refuse = (manifest?: object): string => {
  const error = errorOf(() => list(manifest), CliError);
  expect(error.code).toBe('TW_CLI_PACK');
  return error.message;
};

const PACKAGES = [
  'node_modules/greeter/index.js',
  'node_modules/greeter/package.json',
  'node_modules/words/index.js',
  'node_modules/words/package.json',
];

test('a bundle has the program, what package.json names, and the packages that run with it', () => {
  write('notes/dist/deep/part.js', '');
  write('notes/templates/letter.txt', '');
  write('notes/LICENSE', '');
  for (const unused of [
    'dist/main.js.map',
    'dist/main.d.ts',
    'dist/.env',
    '.env',
    'src/main.ts',
    'dist/node_modules/x.js',
  ])
    write(`notes/${unused}`, 'secret');
  write('notes/node_modules/greeter/README.md', '');
  write('notes/node_modules/greeter/LICENSE', '');
  write('notes/node_modules/.bin/greet', '');
  addPackage('node_modules/typescript');
  const files = ['dist/**/*.js', './templates/', '!dist/secret', 'missing'];
  expect(list({ ...MANIFEST, files, devDependencies: { typescript: '6' } })).toEqual([
    ...['LICENSE', 'dist/deep/part.js', 'dist/main.js', 'node_modules/greeter/LICENSE'],
    ...PACKAGES,
    ...['package.json', 'templates/letter.txt'],
  ]);
});

test('packages are found as Node finds them, and each once', () => {
  addPackage('node_modules/greeter/node_modules/words', { dependencies: { greeter: '1' } });
  addPackage('node_modules/shared');
  const peers = { peerDependencies: { shared: '1', absent: '1' }, optionalDependencies: { never: '1' } };
  addPackage('node_modules/words', peers);
  const found = list({ ...MANIFEST, dependencies: { greeter: '1', words: '1' } });
  expect(found.filter((name) => name.endsWith('package.json') && name !== 'package.json')).toEqual([
    'node_modules/greeter/node_modules/words/package.json',
    'node_modules/greeter/package.json',
    'node_modules/shared/package.json',
    'node_modules/words/package.json',
  ]);
});

test('what Toolwright compiles TypeScript with is left out', () => {
  addPackage('node_modules/toolwright', {
    name: 'toolwright',
    optionalDependencies: { 'oxc-transform': '1' },
  });
  addPackage('node_modules/oxc-transform');
  expect(list({ ...MANIFEST, dependencies: { toolwright: '1' } }).join(' ')).not.toContain('oxc');
});

test('what `files` excludes stays at home, except the program', () => {
  for (const name of [
    'key.json',
    'deep/key.json',
    'deep/part.test.js',
    'deep/part.js',
    'drafts/a.txt',
    'b.pem',
  ])
    write(`notes/dist/${name}`, '');
  const files = [
    ...['dist//./', '!dist/key.json', '!*.test.js', '!dist/drafts/', '!**/*.{pem,key}', '!dist/main.js'],
  ];
  expect(list({ ...MANIFEST, files }).filter((name) => name.startsWith('dist'))).toEqual([
    ...['dist/deep/key.json', 'dist/deep/part.js', 'dist/main.js'],
  ]);
  expect(list({ ...MANIFEST, files: ['!**/key.json'] })).not.toContain('dist/deep/key.json');
});

test('credentials, keys of a licence, earlier bundles and pipes are no part of it', () => {
  for (const name of ['.npmrc', '.git/config', 'license.key', 'dist/notes-1.0.0.mcpb', 'dist/x.mcpb.part'])
    write(`notes/${name}`, 'secret');
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'dist/pipe')]);
  expect(list({ ...MANIFEST, files: ['.npmrc', '.git'] })).toEqual([
    'dist/main.js',
    ...PACKAGES,
    'package.json',
  ]);
});

test('the file of a bundle is in its folder, whatever a package is called', () => {
  expect(nameBundleFile({ name: '@ann/notes' }, '1.0.0-rc.1+5')).toBe('notes-1.0.0-rc.1+5.mcpb');
  expect(nameBundleFile({ name: '../../notes' }, '1/../../../notes')).toBe(
    '..-..-notes-1-..-..-..-notes.mcpb',
  );
});

describe('refuses', () => {
  test.each([
    [{ bin: undefined }, /package\.json names no program that clients start/],
    [{ bin: { notes: './dist/other.js' } }, /dist\/other\.js does not exist[^]*fix: npm run build/],
    [{ bin: '../main.js' }, /"\.\.\/main\.js" leads out of the folder/],
    [{ bin: '/etc/passwd' }, /"\/etc\/passwd" leads out/],
    [{ files: ['dist/../../secrets'] }, /leads out of the folder/],
    [{ dependencies: { '../../secrets': '1' } }, /"\.\.\/\.\.\/secrets" leads out/],
    [
      { dependencies: { absent: '1' } },
      /node_modules\/absent is not there, and package\.json needs it[^]*npm install/,
    ],
  ])('%j', (more, message) => {
    expect(refuse({ ...MANIFEST, ...more })).toMatch(message);
  });

  test('links that lead out, and packages that are links', () => {
    write('secret.txt', 'secret');
    symlinkSync(join(home, 'secret.txt'), join(folder, 'dist/secret.txt'));
    expect(refuse()).toMatch(/dist\/secret\.txt is a link/);
    rmSync(join(folder, 'dist/secret.txt'));
    symlinkSync(join(folder, 'dist/main.js'), join(folder, 'dist/again.js'));
    expect(list()).toContain('dist/again.js');
    write('notes/.env', 'KEY=secret');
    symlinkSync(join(folder, '.env'), join(folder, 'dist/settings'));
    expect(refuse()).toMatch(/dist\/settings is a link to a folder, to a hidden file/);
    rmSync(join(folder, 'dist/settings'));
    symlinkSync(home, join(folder, 'dist/home'), 'junction');
    expect(refuse()).toMatch(/dist\/home is a link to a folder/);
    rmSync(join(folder, 'dist/home'));
    symlinkSync(home, join(folder, 'shared'), 'junction');
    expect(refuse({ ...MANIFEST, files: ['shared/secret.txt'] })).toMatch(/shared is a link to a folder/);
    write('linked/package.json', '{}');
    symlinkSync(join(home, 'linked'), join(folder, 'node_modules/linked'), 'junction');
    expect(refuse({ ...MANIFEST, dependencies: { linked: '1' } })).toMatch(
      /node_modules\/linked is a link[^]*install-links/,
    );
  });

  test('a file of 600 MB, which it does not read', () => {
    write('notes/dist/model.bin', '');
    truncateSync(join(folder, 'dist/model.bin'), 600_000_000);
    expect(refuse()).toMatch(
      /dist\/model\.bin has 600000000 bytes: with it, the bundle has more than 512 MiB/,
    );
  });
});
