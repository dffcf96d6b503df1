import { posix } from 'node:path';
import type { SourceFile } from './source-tree.ts';

/** What is counted of a part of `src`, to steer by. */
export interface Figures {
  readonly files: number;
  readonly lines: number;
  /** Lines of the file in the middle. */
  readonly median: number;
  /** Files of more than 500 lines. */
  readonly longFiles: number;
  /** Files that a single other file imports. */
  readonly singleUser: number;
  /** Folders in which more than 25 files stand side by side. */
  readonly flatFolders: number;
}

const MAX_LINES = 500;
const FULLEST_FOLDER = 25;

export function figuresOf(files: readonly SourceFile[]): Figures {
  return {
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    median: medianOf(files.map(({ lines }) => lines)),
    longFiles: longFiles(files).length,
    singleUser: singleUserFiles(files).length,
    flatFolders: flatFolders(files).length,
  };
}

export function longFiles(files: readonly SourceFile[]): readonly string[] {
  return files.filter(({ lines }) => lines > MAX_LINES).map(({ path }) => path);
}

export function singleUserFiles(files: readonly SourceFile[]): readonly string[] {
  return files.filter(({ users }) => users.length === 1).map(({ path }) => path);
}

export function flatFolders(files: readonly SourceFile[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > FULLEST_FOLDER).map(([folder]) => folder);
}

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  const [low = 0, high = low] = sorted.slice(
    Math.floor((sorted.length - 1) / 2),
    Math.floor(sorted.length / 2) + 1,
  );
  return (low + high) / 2;
}
