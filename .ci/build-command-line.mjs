/**
 * Builds dist/cli, the command `toolwright`, in pieces that load when a command needs them. It uses the entries of the
 * package as users do, so that their classes are the same, and brings along what only it needs. Called alone, it
 * builds nothing else.
 */
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = `${root}dist/cli/`;
const INSTALLED = /^(commander|picocolors|oxc-transform|pg)$/;

/** The source of each entry of the package, and of what it shares with them, with its place as seen from dist/cli. */
function readEntries() {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const names = Object.values(exports).flatMap(
    ({ default: file = '' }) => /^\.\/dist\/(.+)\.js$/.exec(file)?.[1] ?? [],
  );
  return new Map([...names, 'shared/yaml'].map((name) => [join(root, 'src', `${name}.ts`), `../${name}.js`]));
}

/** @returns what esbuild says of its inputs */
export async function buildCommandLine({ sourcemap = 'external' } = {}) {
  const entries = readEntries();
  const asInstalled = {
    name: 'as-installed',
    setup: ({ onResolve }) => {
      onResolve({ filter: INSTALLED }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: /^\./ }, ({ path, importer }) => {
        const entry = entries.get(join(dirname(importer), path));
        return entry === undefined ? undefined : { path: entry, external: true };
      });
    },
  };
  rmSync(output, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: `${root}src/cli/main.ts` },
    outdir: output,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap,
    sourcesContent: false,
    logLevel: 'warning',
    metafile: true,
    plugins: [asInstalled],
  });
  chmodSync(`${output}main.js`, 0o755);
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildCommandLine();
