import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { Problem } from '../errors/problem-list.ts';
import type { Class } from '../shared/class-type.ts';
import { PLAIN_TO_CLASS } from './transformer-metadata.ts';

type Storage = typeof defaultMetadataStorage;

/** One copy of class-transformer: its directory, and what its decorators wrote. */
interface Copy {
  readonly directory: string;
  readonly storage: Storage;
}

// Since 0.3 it lies below cjs/, before that beside the entry of the package.
const STORAGE_FILE = /^(.*[\\/]class-transformer)[\\/](?:cjs[\\/])?storage\.js$/;

/**
 * Every copy that this process has loaded. Node loads class-transformer as CommonJS, however it is imported, so the
 * cache of `require` has them all. A bundle is not in it, and other run times may have no such cache.
 */
function loadedCopies(): readonly Copy[] {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const modules = process?.getBuiltinModule?.('node:module');
  // All files have the same cache; the program of the process is a path that every system takes.
  const cache = modules?.createRequire(process?.execPath ?? '/').cache ?? {};
  return Object.keys(cache).flatMap((file) => {
    const directory = STORAGE_FILE.exec(file)?.[1];
    const { defaultMetadataStorage: storage } = (cache[file]?.exports ?? {}) as {
      readonly defaultMetadataStorage?: Storage;
    };
    return directory === undefined || storage === undefined ? [] : [{ directory, storage }];
  });
}

let copiesOfThisTurn: readonly Copy[] | undefined;

/** A scan asks for every class, and nothing is loaded meanwhile. */
function copies(): readonly Copy[] {
  if (copiesOfThisTurn === undefined) queueMicrotask(() => (copiesOfThisTurn = undefined));
  return (copiesOfThisTurn ??= loadedCopies());
}

/** What another copy of class-transformer was told about a class is seen by nobody here. */
export function copyProblem(
  target: Class,
  where: string,
  properties: readonly string[],
): Problem | undefined {
  const own = copies().find(({ storage }) => storage === defaultMetadataStorage);
  const other = copies().find((copy) => copy !== own && hasDecorated(copy.storage, target, properties));
  if (other === undefined) return undefined;
  return {
    code: 'TW_SHAPE_TRANSFORMER_COPIES',
    where,
    what: 'has decorators of another copy of class-transformer than the one that reads them.',
    why: `each copy keeps what its decorators say to itself: they are of ${other.directory}, read by ${own?.directory ?? 'toolwright'}.`,
    fix: 'leave one copy: `npm ls class-transformer` shows who brings the other one, `npm dedupe` makes one of equal versions',
  };
}

function hasDecorated(storage: Storage, target: Class, properties: readonly string[]): boolean {
  return (
    storage.getExposedMetadatas(target).length > 0 ||
    storage.getExcludedMetadatas(target).length > 0 ||
    properties.some(
      (property) =>
        storage.findTypeMetadata(target, property) !== undefined ||
        storage.findTransformMetadatas(target, property, PLAIN_TO_CLASS).length > 0,
    )
  );
}
