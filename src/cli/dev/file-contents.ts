import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What files contain, as hashes; undefined for a file that cannot be read. */
export type FileContents = ReadonlyMap<string, string | undefined>;

export function readContents(files: Iterable<string>): FileContents {
  return new Map([...files].map((file) => [file, hashOf(file)]));
}

/** The files of folders, by their full paths; none of a folder that is away. */
export function filesIn(folders: readonly string[]): readonly string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => join(folder, name)),
    );
}

/** The files whose content differs, and those that were not known. */
export function changedFiles(before: FileContents, now: FileContents): readonly string[] {
  const isSame = (file: string, hash: string | undefined): boolean =>
    before.has(file) && before.get(file) === hash;
  return [...now].filter(([file, hash]) => !isSame(file, hash)).map(([file]) => file);
}

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('base64');
  } catch {
    return undefined;
  }
}
