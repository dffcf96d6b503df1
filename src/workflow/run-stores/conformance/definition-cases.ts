import assert from 'node:assert/strict';
import type { CaseBody } from './conformance-case.ts';

/** What is kept once stays as it is. */
export const definitionCases: readonly CaseBody[] = [
  {
    name: 'keeps a definition once per hash and never changes it',
    async check({ store, second }) {
      const other = await second();
      await store.pinDefinition('sha256:1', '{"id":"first"}');
      await other.pinDefinition('sha256:1', '{"id":"second"}');
      await other.pinDefinition('sha256:2', '{"id":"third"}');
      assert.equal(await other.getDefinition('sha256:1'), '{"id":"first"}');
      assert.equal(await store.getDefinition('sha256:2'), '{"id":"third"}');
      assert.equal(await store.getDefinition('sha256:3'), null);
    },
  },
  {
    name: 'keeps the first value under a name and gives it to everybody',
    async check({ store, second }) {
      const other = await second();
      const values = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : other).keep('key', `value ${index}`),
        ),
      );
      assert.equal(new Set(values).size, 1);
      assert.equal(await store.keep('schema_version', 'mine'), 'mine');
      assert.equal(await other.keep('other', 'mine'), 'mine');
    },
  },
];
