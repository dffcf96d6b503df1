import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../pins/docs/example.ts';

/** One file of `src`. */
export interface SourceFile {
  /** Below `src`. */
  readonly path: string;
  readonly lines: number;
  /** The files of `src` that import it, each once. */
  readonly users: readonly string[];
}

/** Folders that stand beside the framework's own: each has figures of its own, and no part in those of the framework. */
export const ADDED_FOLDERS: readonly string[] = [
  'cli',
  'audit',
  'auth',
  'sign-in',
  'backplane',
  'telemetry',
  'operations',
  'nest',
  'openapi',
  'proxy',
  'apps',
  'skills',
  'evals',
  'loader',
  'tokens',
  'explorer',
];

/** The TypeScript files of `src` with those that import them. */
export function readSourceTree(): readonly SourceFile[] {
  const names = readdirSync(`${ROOT}src`, { recursive: true }).map((name) =>
    String(name).replaceAll('\\', '/'),
  );
  const texts = names
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((path) => [path, readFileSync(`${ROOT}src/${path}`, 'utf8')] as const);
  return sourceTreeOf(new Map(texts));
}

/** The same of texts by their paths. */
export function sourceTreeOf(texts: ReadonlyMap<string, string>): readonly SourceFile[] {
  const users = new Map<string, Set<string>>([...texts.keys()].map((path) => [path, new Set()]));
  for (const [path, text] of texts) {
    for (const imported of importsOf(path, text)) users.get(imported)?.add(path);
  }
  return [...texts].map(([path, text]) => ({
    path,
    lines: linesOf(text),
    users: [...(users.get(path) ?? [])],
  }));
}

/** The name of each folder of `src`, and of each file that stands in none, without what was added to the framework. */
export function ownEntries(tree: readonly SourceFile[]): readonly string[] {
  return [...new Set(tree.map(({ path }) => entryOf(path)))]
    .filter((entry) => !ADDED_FOLDERS.includes(entry))
    .sort();
}

/** The files of the framework itself, then those of each folder that was added to it. */
export function partsOf(tree: readonly SourceFile[]): ReadonlyMap<string, readonly SourceFile[]> {
  const own = tree.filter(({ path }) => !ADDED_FOLDERS.includes(entryOf(path)));
  const added = ADDED_FOLDERS.map(
    (folder) => [folder, tree.filter(({ path }) => entryOf(path) === folder)] as const,
  );
  return new Map([['framework', own], ...added.filter(([, files]) => files.length > 0)]);
}

function entryOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function importsOf(path: string, text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => posix.join(posix.dirname(path), fileName));
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
