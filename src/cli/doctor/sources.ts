import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { compilerOption, loadTransform } from '../../loader/index.ts';
import { readManifest } from '../manifest.ts';
import type { Finding, Project } from './finding.ts';

/** What compiles TypeScript when a command loads a file. */
export async function examineLoader({ file }: Project): Promise<Finding> {
  const about = 'loader';
  try {
    const transform = await loadTransform();
    transform('doctor.ts', 'export {};');
    return { about, state: 'ok', found: 'oxc-transform compiles TypeScript' };
  } catch (error) {
    if (!ToolwrightError.is(error)) throw error;
    const isNeeded = file === undefined || /ts$/.test(file);
    return { about, state: isNeeded ? 'problem' : 'advice', found: error.what, fix: error.fix };
  }
}

const FLAGS = ['experimentalDecorators', 'emitDecoratorMetadata'];

/** The nearest tsconfig.json: commands do not need it, and tsc, editors and other runners do. */
export function examineTsconfig({ folder }: Project): readonly Finding[] {
  const about = 'tsconfig.json';
  const path = findUpwards('tsconfig.json', folder);
  if (path === undefined)
    return [
      { about, state: 'ok', found: 'none; the commands need none' },
      ...examineVitest(undefined, folder),
    ];
  try {
    return [examineFlags(path), examineModules(path, folder), ...examineVitest(path, folder)];
  } catch (error) {
    if (!ToolwrightError.is(error)) throw error;
    return [{ about, state: 'problem', found: error.message.split('\n')[0] ?? '', fix: error.fix }];
  }
}

const VITEST_CONFIGS = ['vitest.config', 'vite.config'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((ending) => `${name}.${ending}`),
);

/** Vitest leaves decorators as they are, unless a tsconfig.json or the plugin says otherwise, and Node cannot read them. */
function examineVitest(tsconfig: string | undefined, folder: string): readonly Finding[] {
  const about = 'vitest';
  const { dependencies, devDependencies } = (readManifest(folder) ?? {}) as Readonly<Record<string, object>>;
  if (!('vitest' in { ...dependencies, ...devDependencies })) return [];
  const hasFlags = tsconfig !== undefined && FLAGS.every((name) => compilerOption(tsconfig, name) === true);
  const configs = VITEST_CONFIGS.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const hasPlugin = configs.some((path) => readFileSync(path, 'utf8').includes('toolwright/vite'));
  if (hasFlags || hasPlugin) return [{ about, state: 'ok', found: 'Vitest compiles decorators' }];
  return [
    {
      about,
      state: 'advice',
      found:
        'Vitest leaves decorators in the code, so that tests end with "SyntaxError: Invalid or unexpected token"',
      fix: "vitest.config.ts: import { toolwright } from 'toolwright/vite'; export default { plugins: [toolwright()] };",
    },
  ];
}

function examineFlags(path: string): Finding {
  const about = 'tsconfig.json';
  const missing = FLAGS.filter((name) => compilerOption(path, name) !== true);
  if (missing.length === 0) return { about, state: 'ok', found: `${path} has ${FLAGS.join(' and ')}` };
  return {
    about,
    state: 'advice',
    found: `${path} lacks ${missing.join(' and ')}, without which tsc and editors read decorators in another way`,
    fix: `"compilerOptions": { ${missing.map((name) => `"${name}": true`).join(', ')} }`,
  };
}

/** What tsc makes of the files has to be of the kind that the commands make of them: ES modules. */
function examineModules(path: string, folder: string): Finding {
  const about = 'modules';
  const resolution = textOption(path, 'moduleResolution');
  if (['node', 'node10', 'classic'].includes(resolution)) {
    return {
      about,
      state: 'advice',
      found: `"moduleResolution": "${resolution}" finds no entry of a package beside its main one`,
      fix: '"moduleResolution": "nodenext", or "bundler"',
    };
  }
  const kind = textOption(path, 'module');
  const manifest = findUpwards('package.json', folder);
  const isModule = manifest !== undefined && readManifest(dirname(manifest))?.['type'] === 'module';
  const followsPackage = /^node(16|18|20|next)$/.test(kind);
  if (kind === 'commonjs' || (followsPackage && !isModule)) {
    return {
      about,
      state: 'advice',
      found: 'tsc writes CommonJS, and the commands load the same files as ES modules',
      fix: `"type": "module" in package.json${followsPackage ? '' : ', and "module": "nodenext" in tsconfig.json'}`,
    };
  }
  return { about, state: 'ok', found: 'ES modules' };
}

function textOption(path: string, name: string): string {
  const value = compilerOption(path, name);
  return typeof value === 'string' ? value.toLowerCase() : '';
}

function findUpwards(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}
