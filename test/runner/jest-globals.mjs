/** What suites that share their modules import as `@jest/globals`. Each suite has a copy of this module. */
const globals = globalThis[Symbol.for('toolwright:tests')];

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals;
