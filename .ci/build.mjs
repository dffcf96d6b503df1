/**
 * Builds dist/. The compiler writes declarations, and JavaScript in which decorated classes keep their metadata.
 * Both are bundled: opening hundreds of files takes longer than everything they do at start-up, and declarations of
 * what is internal are in everybody's way. What is imported dynamically stays apart, and what several entries of the
 * package share is there once: two declarations of a class with private members do not fit each other.
 *
 * The source maps are for those who have the sources: no file names its map, and none is packed. With
 * `npm run build -- --link-source-maps` the files name them.
 *
 * Every command that needs the package builds it first. When nothing changed since the last build, there is nothing to
 * do; `--force` builds anyway.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import MagicString from 'magic-string';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { buildCommandLine } from './build-command-line.mjs';
import { buildExplorerPage } from './build-explorer-page.mjs';
import { buildVocabulary } from './build-vocabulary.mjs';
import { vendored, writeLicences } from './vendored.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const NAMES_STAY = { keep_fnames: true, keep_classnames: true };
const compiled = `${root}.cache/compiled/`;
const vendoredFiles = `${root}.cache/vendored/`;
const output = `${root}dist/`;
const sourcemap = process.argv.includes('--link-source-maps') ? true : 'hidden';

/** The modules behind the entries of the package, by their name in dist/. */
function readEntries(extension) {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const names = Object.values(exports).flatMap(
    (entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.default)?.[1] ?? [],
  );
  return Object.fromEntries(names.map((name) => [name, `${compiled}${name}${extension}`]));
}

/** Hands over the source maps, so that those of the bundles lead to the sources as well. */
const sourceMaps = {
  name: 'source-maps',
  load(file) {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.json')) return { code: `export default ${text}`, map: { mappings: '' } };
    return {
      code: text.replace(/\n\/\/# sourceMappingURL=.*/, ''),
      map: readFileSync(`${file}.map`, 'utf8'),
    };
  },
};

/**
 * A start parses all that it loads, so there are no comments and no indentation. All names stay, also those of parameters
 * and private members, and no function becomes part of another: names are in stacks, and in what V8 says of a mistake
 * (`request.messages.map is not a function`).
 * V8 keeps a file in two bytes for each character if one of them is beyond Latin-1: those are written as escapes.
 */
const short = {
  name: 'short',
  renderChunk: (code) =>
    transform(code, {
      configFile: false,
      swcrc: false,
      sourceMaps: true,
      minify: true,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'ecmascript' },
        output: { charset: 'ascii' },
        minify: {
          module: true,
          compress: {
            ...NAMES_STAY,
            inline: 0,
            reduce_funcs: false,
            reduce_vars: false,
            collapse_vars: false,
          },
          mangle: false,
          format: { comments: false, ascii_only: true },
        },
      },
    }),
};

/** A line for each statement and member, since a stack says the line. */
const lines = {
  name: 'lines',
  renderChunk(code) {
    const text = new MagicString(code);
    const breakLines = (node) => {
      for (const value of Object.values(node)) {
        const nodes = Array.isArray(value) ? value : [value];
        for (const each of nodes) if (typeof each?.type === 'string') breakLines(each);
      }
      if (!Array.isArray(node.body)) return;
      for (const { start } of node.body)
        if (start > 0 && code[start - 1] !== '\n') text.appendLeft(start, '\n');
    };
    breakLines(this.parse(code));
    return { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) };
  },
};

/** Changes with everything that a build reads. */
function digestOfInputs() {
  const hash = createHash('sha256').update(process.version).update(String(sourcemap));
  const sources = ['src', '.ci'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  );
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const file of [...settings.map((name) => `${root}${name}`), ...sources.toSorted()])
    hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

const digest = digestOfInputs();
// Written last, so that a build that did not end counts for nothing
const built = `${output}.built`;
if (!process.argv.includes('--force') && existsSync(built) && readFileSync(built, 'utf8') === digest) {
  console.log('dist/ is up to date.');
  process.exit();
}

for (const directory of [output, compiled, vendoredFiles])
  rmSync(directory, { recursive: true, force: true });
const compiler = [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`];
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
if (status !== 0) process.exit(1);

const { plugin: vendor, metafile: vendoredInputs } = await vendored(root, vendoredFiles);
// The tokenizer is built apart, with all that it imports.
const external = (specifier) =>
  /[\\/]o200k\.js$/.test(specifier) ||
  (!/^[./]/.test(specifier) && vendor.resolveId(specifier) === undefined);
// The helpers that the compiler writes for decorators look for others at `this`, and know that there may be none.
// Types of the parts of public types need no public name of their own. What is imported for what it does has no types.
const EXPECTED = /THIS_IS_UNDEFINED|EMPTY_BUNDLE|references private shared type exports/;
const onLog = (level, log, print) => {
  if (!EXPECTED.test(`${log.code} ${log.message}`)) print(level, log);
};

async function write(input, options) {
  const bundle = await rollup({ external, logLevel: 'warn', onLog, ...input });
  const written = await bundle.write({ dir: output, minifyInternalExports: false, ...options });
  await bundle.close();
  return written.output;
}

/**
 * To import `node:crypto` loads some twenty modules of Node, and a start needs none of them. The same functions, of a
 * module that is loaded with the first call.
 */
function writeLateCrypto(chunks) {
  const names = new Set(chunks.flatMap(({ importedBindings }) => importedBindings?.['#crypto'] ?? []));
  const functions = [...names].toSorted().map(
    (name) => `export function ${name}(...given) {
  return loaded().${name}(...given);
}`,
  );
  const loaded = `let crypto;
function loaded() {
  return (crypto ??= process.getBuiltinModule('node:crypto'));
}`;
  // For workers, where a module has to be imported to be there. A file, because bundlers resolve no name of Node here
  writeFileSync(`${output}crypto.js`, `export { ${[...names].toSorted().join(', ')} } from 'node:crypto';\n`);
  writeFileSync(`${output}late-crypto.js`, `${[loaded, ...functions].join('\n')}\n`);
}

/** All that a module imports, and what that imports, but for what is imported dynamically. */
function closureOf(name, getModuleInfo, found = new Set()) {
  const id = name.startsWith('/') ? name : `${compiled}${name}.js`;
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of getModuleInfo(id)?.importedIds ?? []) closureOf(imported, getModuleInfo, found);
  return found;
}

/** Modules that need hardly any others, and that entries of the package share. */
const LEAVES = [
  'errors/toolwright-error',
  'shared/protocol',
  'shared/line-reader',
  'shared/byte-collector',
  'shared/once-made',
];

/**
 * What an application loads is in few files: each of them is found, opened and linked of its own. What other entries of
 * the package share with it stays apart, so that they do not load all of it. Each way to serve has what the other does
 * not need; workers load `http`, and nothing of the servers of Node.
 */
const placeIn = (getModuleInfo) => {
  const closures = (...names) => new Set(names.flatMap((name) => [...closureOf(name, getModuleInfo)]));
  const core = closures('index');
  const shared = (...names) => [...closures(...names)].filter((id) => core.has(id));
  const http = closures('transports/http/http-handler');
  const stdio = closures('transports/stdio/serve-stdio', 'transports/serve-transport');
  const everyTransport = [...http].filter((id) => stdio.has(id));
  const fetching = closures('transports/fetch/create-fetch-handler');
  const everyServer = [...closures('transports/http/serve-http')].filter((id) => fetching.has(id));
  // The first that has a module is its place
  const places = {
    base: new Set([...closures(...LEAVES), ...shared('model/index', 'loader/hooks-thread')]),
    version: new Set(shared('version/index')),
    schema: new Set(shared('formats/index')),
    core,
    application: new Set([...closures('application/assemble-application'), ...everyTransport]),
    http: new Set([...http, ...everyServer]),
    stdio,
  };
  return (id) => Object.keys(places).find((name) => places[name].has(id));
};

// What is to run before anything else shares no file with it.
const { 'stdio-guard/index': first, ...entries } = readEntries('.js');
// What Node, the command line and other files load by its place.
for (const name of ['loader/hooks-thread', 'loader/decorator-helpers', 'shared/yaml'])
  entries[name] = `${compiled}${name}.js`;
await write(
  { input: { 'stdio-guard/index': first }, plugins: [sourceMaps] },
  { plugins: [short, lines], sourcemap, sourcemapExcludeSources: true },
);
const entryFiles = new Set(Object.values(entries));
let placeOf;
const chunks = await write(
  { input: entries, plugins: [vendor, sourceMaps] },
  {
    chunkFileNames: 'chunks/[name]-[hash].js',
    // every file costs: small ones join another, and none imports ahead what the files below it import
    experimentalMinChunkSize: 10_000,
    hoistTransitiveImports: false,
    // `imports` of package.json: what is written below, and outside of Node the module itself
    paths: { 'node:crypto': '#crypto' },
    manualChunks: (file, { getModuleInfo }) => {
      placeOf ??= placeIn(getModuleInfo);
      return entryFiles.has(file) ? undefined : placeOf(file);
    },
    plugins: [short, lines],
    sourcemap,
    sourcemapExcludeSources: true,
  },
);

writeLateCrypto(chunks);

const tokenizer = await buildVocabulary();
const commandLine = await buildCommandLine({ sourcemap: sourcemap === true ? 'linked' : 'external' });

const page = await buildExplorerPage();

const types = { input: readEntries('.d.ts'), plugins: [dts({ tsconfig: `${root}tsconfig.build.json` })] };
await write(types, {
  entryFileNames: '[name].d.ts',
  chunkFileNames: ({ name }) => `types/${name.replace(/\.d$/, '')}.d.ts`,
});

writeLicences(root, `${output}third-party-licenses.txt`, [vendoredInputs, tokenizer, commandLine, page]);
writeFileSync(built, digest);
