import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Node's words for a class whose file has not run yet, because it waits for the one that uses it. */
const TOO_EARLY = /^Cannot access '(.+)' before initialization$/;

/** Files that import each other, and the name that one of them used too early. */
export interface ImportCircle {
  readonly name: string;
  /** The file that used it first, and last once more. */
  readonly files: readonly string[];
}

/** The circle of imports behind an error of Node; undefined for other errors, and where none is found. */
export function findImportCircle(cause: unknown): ImportCircle | undefined {
  const [, name] = (cause instanceof ReferenceError && TOO_EARLY.exec(cause.message)) || [];
  const file = cause instanceof Error ? firstFile(cause.stack ?? '') : undefined;
  if (name === undefined || file === undefined) return undefined;
  const files = circleThrough(file);
  return files === undefined ? undefined : { name, files };
}

/** The shortest way from a file back to itself. */
function circleThrough(start: string): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  // Grows while it is read
  for (const way of ways) {
    for (const file of importsOf(way.at(-1) ?? start)) {
      if (file === start) return [...way, file];
      if (seen.has(file)) continue;
      seen.add(file);
      ways.push([...way, file]);
    }
  }
  return undefined;
}

const FRAME = /(file:\/\/[^\s()]+?|\/[^\s()]+?|[A-Z]:\\[^\s()]+?)(?:\?tw=\d+)?:\d+(?::\d+)?\)?$/;

/** The file of the topmost frame that belongs to no package. */
function firstFile(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, place] = FRAME.exec(line.trim()) ?? [];
    if (place === undefined || /node_modules|node:/.test(place)) continue;
    return place.startsWith('file:') ? fileURLToPath(place) : place;
  }
  return undefined;
}

/** Imports and re-exports of files beside; those of types alone leave nothing at run time. */
const IMPORT =
  /(?:^|[;}\n])\s*(?:import|export)(?!\s+type\s)(?:[^'";]*?\bfrom\s*|\s*)['"](\.{1,2}\/[^'"]+)['"]/g;

function importsOf(file: string): readonly string[] {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch {
    // the file may be gone
    return [];
  }
  const specifiers = [...source.matchAll(IMPORT)].map(([, specifier = '']) => specifier);
  return specifiers
    .map((specifier) => fileAt(resolve(dirname(file), specifier)))
    .filter((path) => path !== undefined);
}

function fileAt(path: string): string | undefined {
  const stem = path.replace(/\.([cm]?)js$/, '.$1ts');
  const names = [
    path,
    stem,
    ...['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'].map((end) => path + end),
  ];
  return names.find((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true);
}
