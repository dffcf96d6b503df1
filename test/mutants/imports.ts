import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import type { Sources } from './place.ts';

/** The files of `src` and `test` that a file imports, by their paths below the root: `src/index.ts`. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** A file that is started as a process is named by its address. */
const NAMED = /'(\.{1,2}\/[^'\n]+\.ts)'/g;

/** Reads what imports what, also dynamically, by the names of the package, and as a process of its own. */
export function readImports(files: Sources, entries: ReadonlyMap<string, string>): Imports {
  const imports = new Map<string, readonly string[]>();
  for (const [path, text] of files) {
    const { importedFiles } = ts.preProcessFile(text, true, true);
    const names = [...importedFiles.map(({ fileName }) => fileName), ...startedFiles(text)];
    const found = names.map((name) => entries.get(name) ?? posix.join(posix.dirname(path), name));
    imports.set(
      path,
      [...new Set(found)].filter((each) => files.has(each)),
    );
  }
  return imports;
}

function startedFiles(text: string): readonly string[] {
  return [...text.matchAll(NAMED)].map(([, name = '']) => name);
}

/** The file of `src` behind each name that the package can be imported by. */
export function readEntries(root: string): ReadonlyMap<string, string> {
  const { name, exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, { readonly default?: string } | string>>;
  };
  const entries = new Map<string, string>();
  for (const [place, entry] of Object.entries(exports)) {
    const built = typeof entry === 'string' ? undefined : entry.default;
    if (built !== undefined) entries.set(posix.join(name, place), sourceFile(built));
  }
  return entries;
}

/** `./dist/model/index.js` → `src/model/index.ts`. */
function sourceFile(built: string): string {
  return built.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
}

/** All files that a file loads, with how many imports lead there. */
export function distancesFrom(path: string, imports: Imports): ReadonlyMap<string, number> {
  const distances = new Map([[path, 0]]);
  // What is added to a map while it is read comes last
  for (const [file, distance] of distances) {
    for (const imported of imports.get(file) ?? []) {
      if (!distances.has(imported)) distances.set(imported, distance + 1);
    }
  }
  return distances;
}
