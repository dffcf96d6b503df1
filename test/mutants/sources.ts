import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of the TypeScript files below a folder, by their paths from there. */
export function readTexts(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
