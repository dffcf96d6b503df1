/**
 * Builds dist/. The compiler writes the declarations, and JavaScript in which decorated classes keep their metadata.
 * That JavaScript is bundled: opening hundreds of files takes longer than everything they do at start-up. What is
 * imported dynamically stays apart, and what several entries of the package share is there once.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiled = `${root}.cache/compiled/`;
const output = `${root}dist/`;

/** The modules behind the entries of the package, by their name in dist/. */
function readEntries() {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const names = Object.values(exports).flatMap(
    (entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.default)?.[1] ?? [],
  );
  return Object.fromEntries(names.map((name) => [name, `${compiled}${name}.js`]));
}

/** Hands over the source maps, so that those of the bundles lead to the sources as well. */
const sourceMaps = {
  name: 'source-maps',
  load: (file) => ({
    code: readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*/, ''),
    map: readFileSync(`${file}.map`, 'utf8'),
  }),
};

for (const directory of [output, compiled]) rmSync(directory, { recursive: true, force: true });
const compiler = [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`];
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
if (status !== 0) process.exit(1);

const isPackage = (specifier) => !/^[./]/.test(specifier);
const bundle = await rollup({
  input: readEntries(),
  external: isPackage,
  plugins: [sourceMaps],
  logLevel: 'warn',
  // The helpers that the compiler writes for decorators look for others at `this`, and know that there may be none.
  onLog: (level, log, print) => {
    if (log.code !== 'THIS_IS_UNDEFINED') print(level, log);
  },
});
await bundle.write({
  dir: output,
  chunkFileNames: 'chunks/[name]-[hash].js',
  minifyInternalExports: false,
  // every file costs: small ones join another, and none imports ahead what the files below it import
  experimentalMinChunkSize: 10_000,
  hoistTransitiveImports: false,
  sourcemap: true,
  sourcemapExcludeSources: true,
});
await bundle.close();
