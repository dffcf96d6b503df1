/**
 * The small packages that are bundled: resolving and opening their files takes longer than running them, and most of
 * what they install is never read. Their licences go with the bundle. Nobody else may need the same copy: what an
 * application's own classes are decorated with keeps its records in one place.
 */
import { build } from 'esbuild';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** What src/ imports of them, by the name of the file that is made of it. */
const SPECIFIERS = {
  'semver-version': 'semver/classes/semver.js',
  'semver-range': 'semver/classes/range.js',
  'transform-executor': 'class-transformer/cjs/TransformOperationExecutor.js',
  'lru-cache': 'lru-cache',
  'fastest-levenshtein': 'fastest-levenshtein',
  yaml: 'yaml',
  'openapi-upgrader': '@scalar/openapi-upgrader/2.0-to-3.0',
};

/**
 * What is bundled in place of what src/ names: classes that make their tables with the first instance instead of when
 * they are loaded.
 */
const INSTEAD = {
  'semver/classes/semver.js': 'late:semver/classes/semver.js',
  'semver/classes/range.js': 'late:semver/classes/range.js',
  'class-transformer/cjs/TransformOperationExecutor.js':
    'class-transformer/esm2015/TransformOperationExecutor.js',
};

/** What decorators of class-transformer write is kept by the copy of the application. */
const sharedStorage = {
  name: 'shared-storage',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/storage$/ }, () => ({
      path: 'class-transformer/cjs/storage.js',
      external: true,
    })),
};

const late = {
  name: 'late',
  setup: ({ initialOptions, onResolve, onLoad }) => {
    onResolve({ filter: /^late:/ }, ({ path }) => ({ path: path.slice('late:'.length), namespace: 'late' }));
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => ({
      contents: `export default function (...values) { return new (require('${path}'))(...values); }`,
      resolveDir: initialOptions.absWorkingDir,
    }));
  },
};

/** Makes modules of them. Gives the rollup plugin that finds these, and what esbuild says of its inputs. */
export async function vendored(root, directory) {
  const { metafile } = await build({
    entryPoints: Object.fromEntries(
      Object.entries(SPECIFIERS).map(([name, specifier]) => [name, INSTEAD[specifier] ?? specifier]),
    ),
    plugins: [late, sharedStorage],
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
    metafile: true,
  });
  const files = new Map(
    Object.entries(SPECIFIERS).map(([name, specifier]) => [specifier, `${directory}${name}.js`]),
  );
  const plugin = { name: 'vendored', resolveId: (specifier) => files.get(specifier) };
  return { plugin, metafile };
}

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/**
 * Writes the licences of all packages of which something is in a bundle.
 * @param file where they are written
 * @param metafiles what esbuild says of the bundles
 */
export function writeLicences(root, file, metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = new Map(
    inputs.flatMap((input) => {
      const [folder, name] = PACKAGE.exec(input) ?? [];
      return name === undefined ? [] : [[name, `${root}${folder}`]];
    }),
  );
  const texts = [...folders].toSorted().map(([name, folder]) => {
    const { version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
    const licence = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
    if (licence === undefined) throw new Error(`${name} has no file with its licence`);
    return `${name} ${version}\n\n${readFileSync(`${folder}${licence}`, 'utf8').trim()}\n`;
  });
  writeFileSync(file, `Parts of these packages are bundled with Toolwright.\n\n${texts.join('\n\n')}`);
}
