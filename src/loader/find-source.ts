import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TsconfigPaths } from './tsconfig-paths.ts';

const PACKAGES = /[\\/]node_modules[\\/]/;

/** Whether the file belongs to an installed package. */
export function isInPackages(path: string): boolean {
  return PACKAGES.test(path);
}

/** What the source may be called where an import names its JavaScript. */
const SOURCES: Readonly<Record<string, string>> = { '.js': '.ts', '.mjs': '.mts' };
const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.mts', '/index.js'];

/** Finds what TypeScript accepts in imports and Node does not. */
export class SourceFinder {
  readonly #tsconfig = new TsconfigPaths();

  /** The URL of the file, for an import that Node resolves to nothing; undefined where there is none. */
  find(specifier: string, parent: string | undefined): string | undefined {
    if (parent === undefined || !parent.startsWith('file:')) return undefined;
    const importer = fileURLToPath(parent);
    if (isInPackages(importer)) return undefined;
    if (/^(\.{1,2}(\/|$)|\/|file:)/.test(specifier)) {
      const url = new URL(specifier, parent);
      return fileAt(fileURLToPath(url));
    }
    for (const path of this.#tsconfig.candidates(specifier, dirname(importer))) {
      const found = fileAt(path);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function fileAt(path: string): string | undefined {
  const [, ending = ''] = /(\.m?js)$/.exec(path) ?? [];
  const source = SOURCES[ending];
  const names = [
    path,
    ...(source === undefined ? [] : [`${path.slice(0, -ending.length)}${source}`]),
    ...ENDINGS.map((each) => path.replace(/[\\/]$/, '') + each),
  ];
  const found = names.find((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true);
  return found === undefined ? undefined : pathToFileURL(found).href;
}
