/**
 * The small packages that are bundled: resolving and opening their files takes longer than running them, and most of
 * what they install is never read. Their licences go with the bundle. Nobody else may need the same copy: what an
 * application's own classes are decorated with is no package to bundle.
 */
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';

/** What src/ imports of them, by the name of the file that is made of it. */
const SPECIFIERS = {
  'semver-version': 'semver/classes/semver.js',
  'semver-range': 'semver/classes/range.js',
  'lru-cache': 'lru-cache',
  'fastest-levenshtein': 'fastest-levenshtein',
  toon: '@toon-format/toon',
  tsyringe: 'tsyringe',
};

const LICENCES = {
  semver: 'LICENSE',
  'lru-cache': 'LICENSE',
  'fastest-levenshtein': 'LICENSE.md',
  '@toon-format/toon': 'LICENSE',
  tsyringe: 'LICENSE',
  tslib: 'LICENSE.txt',
};

/** Makes modules of them, and gives the rollup plugin that finds these. */
export async function vendored(root, directory) {
  await build({
    entryPoints: SPECIFIERS,
    outdir: directory,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    target: 'es2022',
    // lru-cache looks for this clock when it is loaded, and a dozen modules of Node come with it; nothing here has a ttl
    define: { performance: 'undefined' },
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'warning',
    absWorkingDir: root,
    chunkNames: 'shared-[hash]',
  });
  const files = new Map(
    Object.entries(SPECIFIERS).map(([name, specifier]) => [specifier, `${directory}${name}.js`]),
  );
  return { name: 'vendored', resolveId: (specifier) => files.get(specifier) };
}

/** @param file where the licences are written */
export function writeLicences(root, file) {
  const texts = Object.entries(LICENCES).map(([name, licence]) => {
    const { version } = JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8'));
    return `${name} ${version}\n\n${readFileSync(`${root}node_modules/${name}/${licence}`, 'utf8').trim()}\n`;
  });
  writeFileSync(file, `Parts of these packages are bundled with Toolwright.\n\n${texts.join('\n\n')}`);
}
