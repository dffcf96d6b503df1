/**
 * Jest's runtime for suites that need no modules of their own. Jest gives each suite a context in which it loads some
 * 800 modules again; here Node loads them, once for all suites of a process.
 */
import nodeModule, { createRequire, Module } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';
import { mapPath } from './compile.mjs';
import * as hooks from './module-hooks.mjs';

const require = createRequire(import.meta.url);
// Node 20 has hooks only in a thread of their own
if (nodeModule.registerHooks === undefined) nodeModule.register('./module-hooks.mjs', import.meta.url);
else nodeModule.registerHooks(hooks);

/** Finds the map of a file when a stack mentions it. */
class CompiledMaps extends Map {
  get(url) {
    const [place] = url.split('?');
    return url.startsWith('file:') && place.endsWith('.ts') ? mapPath(fileURLToPath(place)) : undefined;
  }
}
/** Where `jest-globals.mjs` finds those of the suite that is loaded. */
const GLOBALS = Symbol.for('toolwright:tests');

let suites = 0;
const MAPS = new CompiledMaps();

export default class SharedRuntime extends JestRuntime {
  #isWatching;

  constructor(...given) {
    super(...given);
    const { watch, watchAll } = given.at(-1);
    this.#isWatching = watch || watchAll;
  }

  async unstable_importModule(path) {
    suites += 1;
    return import(`${pathToFileURL(path).href}?suite=${this.#isWatching ? 'watched-' : ''}${suites}`);
  }

  requireModule(path) {
    return require(path);
  }

  /**
   * The framework keeps the tests of a suite in variables of its module, so each suite takes a new one. One that was
   * required would stay in the memory as a child of this module, and the suite with it.
   */
  requireInternalModule(path) {
    const framework = new Module(path);
    framework.load(path);
    return framework.exports;
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    globalThis[GLOBALS] = { ...globals, jest: this.jestGlobals.jestObjectFor(this._testPath) };
  }

  getSourceMaps() {
    return MAPS;
  }

  /** Node's own serves here. */
  installGetBuiltinModule() {}
}
