import { afterThisTurn, builtin } from './platform.ts';

/** A copy of a package that this process has loaded: its directory, and what its file exports. */
export interface LoadedCopy<Exports> {
  readonly directory: string;
  readonly exports: Partial<Exports>;
}

/** Kept for one scan, during which no package is loaded. */
const ofThisTurn = new Map<RegExp, readonly LoadedCopy<unknown>[]>();

/**
 * Every copy of a package of CommonJS that this process has loaded, by a file of it. Node loads such packages in one way,
 * however they are imported, so the cache of `require` has them all. A bundle is not in it, and other run times may have no
 * such cache.
 *
 * @param file matches the path of the file, with the directory of the package as its first group
 */
export function loadedCopies<Exports>(file: RegExp): readonly LoadedCopy<Exports>[] {
  if (ofThisTurn.size === 0)
    afterThisTurn(() => {
      ofThisTurn.clear();
    });
  const known = ofThisTurn.get(file) ?? findCopies(file);
  ofThisTurn.set(file, known);
  return known;
}

function findCopies(file: RegExp): readonly LoadedCopy<unknown>[] {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  // All files have the same cache; the program of the process is a path that every system takes, and empty in workers.
  const path = process?.execPath || '/';
  const { cache = {} }: Partial<NodeJS.Require> = builtin('node:module')?.createRequire(path) ?? {};
  return Object.keys(cache).flatMap((name) => {
    const directory = file.exec(name)?.[1];
    if (directory === undefined) return [];
    return [{ directory, exports: (cache[name]?.exports ?? {}) as object }];
  });
}
