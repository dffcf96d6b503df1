import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { ProblemPlace } from '../../errors/problem-list.ts';
import type { Class } from '../../shared/class-type.ts';
import { loadedCopies } from '../../shared/loaded-copies.ts';
import { PLAIN_TO_CLASS } from './transformer-metadata.ts';

type Storage = typeof defaultMetadataStorage;

/** One copy of class-transformer: its directory, and what its decorators wrote. */
interface Copy {
  readonly directory: string;
  readonly storage: Storage;
}

// Since 0.3 it lies below cjs/, before that beside the entry of the package.
const STORAGE_FILE = /^(.*[\\/]class-transformer)[\\/](?:cjs[\\/])?storage\.js$/;

function copies(): readonly Copy[] {
  const loaded = loadedCopies<{ readonly defaultMetadataStorage: Storage }>(STORAGE_FILE);
  return loaded.flatMap(({ directory, exports: { defaultMetadataStorage: storage } }) =>
    storage === undefined ? [] : [{ directory, storage }],
  );
}

/** True if a class has metadata of another installed copy of class-transformer, which has no effect here. */
export function checkCopies(target: Class, properties: readonly string[], here: ProblemPlace): boolean {
  const loaded = copies();
  const own = loaded.find(({ storage }) => storage === defaultMetadataStorage);
  const other = loaded.find((copy) => copy !== own && hasDecorated(copy.storage, target, properties));
  if (other === undefined) return false;
  here.add('TW_SHAPE_TRANSFORMER_COPIES', {
    what: 'has decorators of another copy of class-transformer than the one that reads them.',
    why: `each copy sees only its own decorators: these are of ${other.directory}, read by ${own?.directory ?? 'toolwright'}.`,
    fix: 'leave one copy: `npm ls class-transformer` shows which package brings the other one, and `npm dedupe` merges equal versions',
  });
  return true;
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
