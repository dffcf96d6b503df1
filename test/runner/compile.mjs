/** Compiles TypeScript as @swc/jest does, once for all processes: code and map are kept on the disk. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const swc = require('@swc/core');
// Parsed for each use: swc and @swc/jest write into what they are given
const OPTIONS = readFileSync(new URL('./swc-options.json', import.meta.url), 'utf8');
const CACHE = fileURLToPath(new URL(`../../.cache/tests/swc-${swc.version}/`, import.meta.url));
mkdirSync(CACHE, { recursive: true });

function cachePath(file, source) {
  return join(CACHE, createHash('sha1').update(OPTIONS).update(file).update(source).digest('hex'));
}

/** The code of a file, without its map, which `mapPath` finds. */
export function compile(file, source) {
  const path = cachePath(file, source);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    const { code, map } = swc.transformSync(source, {
      ...JSON.parse(OPTIONS),
      filename: file,
      swcrc: false,
    });
    write(`${path}.map`, map);
    // For debuggers
    const linked = `${code}\n//# sourceMappingURL=${pathToFileURL(path).href}.map\n`;
    write(path, linked);
    return linked;
  }
}

/** Where the map of a compiled file is. */
export function mapPath(file) {
  return `${cachePath(file, readFileSync(file, 'utf8'))}.map`;
}

/** Workers that compile the same file at once must not read each other's half. */
function write(path, text) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
