import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import type { PackedPackage } from '../package-source.ts';
import { packageManifest, packageRoot } from '../package-version.ts';

/** The kinds of projects, with what makes the choice. */
export const TEMPLATES = {
  http: 'a server with an address, at which clients find it',
  stdio: 'a package, which clients start and speak with over stdin and stdout',
} as const;

export type Template = keyof typeof TEMPLATES;

/** Copied from the example, which the tests of this package run. */
const FILES: readonly string[] = [
  '.github/workflows/ci.yml',
  'README.md',
  'src/note-store.ts',
  'src/notes-controller.ts',
  'src/server.ts',
  'test/notes.test.ts',
  'toolwright.lock.json',
  'tsconfig.build.json',
  'tsconfig.json',
];
const MAIN = 'src/main.ts';

/** Where the packed file of this package is in a project that cannot get it from a registry. */
const VENDOR = 'vendor/';

/** The files of a new project by their paths. @param packed this package, for a project that is to have its file */
export function projectFiles(
  name: string,
  template: Template,
  packed?: PackedPackage,
): ReadonlyMap<string, string | Uint8Array> {
  const copied = template === 'stdio' ? [...FILES, MAIN] : FILES;
  const vendored = packed === undefined ? undefined : `${VENDOR}${packed.name}`;
  const parts = [template, ...(vendored === undefined ? [] : ['vendored'])];
  return new Map<string, string | Uint8Array>([
    ['package.json', `${JSON.stringify(manifestOf(name, template, vendored), null, 2)}\n`],
    // npm leaves a .gitignore out of packages, so that it cannot be copied
    ['.gitignore', 'node_modules/\ndist/\n'],
    ...copied.map((path) => [path, filledIn(path, name, parts)] as const),
    ...(packed === undefined ? [] : [[`${VENDOR}${packed.name}`, packed.bytes] as const]),
  ]);
}

/** A part between `<!-- http -->` and `<!-- /http -->` is for projects of this kind; the others leave it out. */
function filledIn(path: string, name: string, parts: readonly string[]): string {
  const text = readFileSync(join(packageRoot(), 'examples/starter', path), 'utf8');
  return text
    .replaceAll(/<!-- (\w+) -->\n+([^]*?)<!-- \/\1 -->\n+/g, (_all, part: string, inner: string) =>
      parts.includes(part) ? inner : '',
    )
    .replaceAll(/\bstarter\b/g, name);
}

function manifestOf(name: string, template: Template, vendored: string | undefined): object {
  const { version, engines, devDependencies: tested } = packageManifest();
  const published = { bin: { [name]: 'dist/main.js' }, files: ['dist'] };
  return {
    name,
    version: '0.1.0',
    ...(template === 'http' ? { private: true } : {}),
    type: 'module',
    engines,
    ...(template === 'stdio' ? published : {}),
    // What the commands take where a command line names no file
    toolwright: { entry: 'src/server.ts' },
    scripts: {
      start: template === 'stdio' ? 'toolwright run --stdio' : 'toolwright run',
      dev: 'toolwright dev',
      test: 'node --import toolwright/register --test test/*.test.ts',
      check: 'toolwright check',
      lock: 'toolwright lock',
      typecheck: 'tsc',
      build: 'tsc -p tsconfig.build.json',
      ...(template === 'stdio' ? { prepack: 'npm run build' } : {}),
    },
    dependencies: {
      ...versionsOf(tested, 'class-transformer', 'class-validator'),
      toolwright: vendored === undefined ? `^${version}` : `file:${vendored}`,
    },
    devDependencies: versionsOf(tested, '@types/node', 'typescript'),
  };
}

/** The versions with which this release was tested. */
function versionsOf(
  tested: Readonly<Record<string, string>>,
  ...names: readonly string[]
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, tested[name] ?? '*']));
}

/** A package cannot have the name of another one that it imports, nor these two of npm. */
const TAKEN = [
  'toolwright',
  'class-transformer',
  'class-validator',
  'typescript',
  'node_modules',
  'favicon.ico',
];
const LONGEST_NAME = 214;
const SUFFIX = '-server';

/** The name of a package that fits its folder (docs.npmjs.com: package.json, name). */
export function packageNameOf(directory: string): string {
  const name = basename(directory)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .slice(0, LONGEST_NAME - SUFFIX.length)
    .replaceAll(/^[._~-]+|[._~-]+$/g, '');
  if (name === '') return 'mcp-server';
  return TAKEN.includes(name) || isBuiltin(name) ? name + SUFFIX : name;
}
