/** The globals of Node for suites that share their modules. What a suite changes of them is put back. */
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { forgetClasses } from './validated-classes.mjs';

/** Where the test framework keeps a suite; a later one must not find it. */
const OF_FRAMEWORK = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'RETRY_TIMES', 'TEST_TIMEOUT_SYMBOL']);

/** What an object has now, without asking getters, which load modules of Node. */
const propertiesOf = (object) => Object.entries(Object.getOwnPropertyDescriptors(object));

/** Puts back what has another value. What came since stays: packages keep their state in globals. */
function putBack(object, properties) {
  for (const [name, before] of properties) {
    const now = Object.getOwnPropertyDescriptor(object, name);
    const isChanged = now === undefined || now.value !== before.value || now.get !== before.get;
    if (isChanged && now?.configurable !== false) Object.defineProperty(object, name, before);
  }
}

export default class SharedEnvironment {
  global = globalThis;
  #globals = propertiesOf(globalThis);
  #process = propertiesOf(process);
  #variables = { ...process.env };
  #symbols = new Set(Object.getOwnPropertySymbols(globalThis));

  constructor({ projectConfig: config }) {
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Suites run in the context of the process. */
  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    forgetClasses();
    putBack(globalThis, this.#globals);
    putBack(process, this.#process);
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    for (const name of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_FRAMEWORK.has(name.description) && !this.#symbols.has(name)) delete globalThis[name];
    }
  }
}
