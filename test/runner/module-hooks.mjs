/**
 * Hooks of Node's module loader for suites that share their modules. `toolwright` and its entries are the sources, which
 * are loaded once for all suites of a process, and so are packages. A suite has its own copy of what tests are made of:
 * a query says which suite a module belongs to, and the modules that it imports inherit it.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const ROOT = new URL('../../', import.meta.url).href;
const GLOBALS = new URL('./jest-globals.mjs', import.meta.url).href;

/** Entries whose folder in `src/` has another name, as in the `moduleNameMapper` of Jest. */
const ENTRIES = {
  toolwright: 'src/index.ts',
  'toolwright/vite': 'src/loader/vite.ts',
  'toolwright/redis': 'src/backplane/redis/index.ts',
  'toolwright/postgres': 'src/backplane/postgres/index.ts',
  'toolwright/opentelemetry': 'src/telemetry/index.ts',
};

function sourceOf(specifier) {
  if (specifier in ENTRIES) return ROOT + ENTRIES[specifier];
  if (specifier.startsWith('toolwright/'))
    return `${ROOT}src/${specifier.slice('toolwright/'.length)}/index.ts`;
  return undefined;
}

/** What is loaded once: sources and packages. In watch mode a run in this process takes the sources as they are now. */
const SHARED = /^(?:src|dist|node_modules)\//;
const SHARED_WHILE_WATCHING = /^(?:dist|node_modules)\//;

function suiteOf(url) {
  return new URL(url).searchParams.get('suite');
}

/** A module of the tests belongs to the suite of the module that imports it. */
function ofSuite(resolved, suite) {
  const { url } = resolved;
  if (suite === null || !url.startsWith(ROOT)) return resolved;
  const shared = suite.startsWith('watched-') ? SHARED_WHILE_WATCHING : SHARED;
  if (shared.test(url.slice(ROOT.length))) return resolved;
  const own = new URL(url);
  own.searchParams.set('suite', suite);
  return { ...resolved, url: own.href };
}

export function resolve(specifier, context, nextResolve) {
  const suite = context.parentURL === undefined ? null : suiteOf(context.parentURL);
  const own = specifier === '@jest/globals' ? GLOBALS : sourceOf(specifier);
  if (own !== undefined) return ofSuite({ url: own, format: 'module', shortCircuit: true }, suite);
  const resolved = nextResolve(specifier, context);
  return resolved instanceof Promise
    ? resolved.then((later) => ofSuite(later, suite))
    : ofSuite(resolved, suite);
}

export function load(url, context, nextLoad) {
  // A query makes a second copy of a module
  const [place] = url.split('?');
  if (!url.startsWith('file:') || !place.endsWith('.ts')) return nextLoad(url, context);
  const file = fileURLToPath(place);
  return { format: 'module', source: compile(file, readFileSync(file, 'utf8')), shortCircuit: true };
}
