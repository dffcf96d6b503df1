import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreUnderTest } from '../../../src/workflow/testing/conformance-case.ts';
import { SqliteRunStore } from '../../../src/workflow/run-stores/sqlite/sqlite-run-store.ts';

export interface SqliteUnderTest extends StoreUnderTest {
  readonly file: string;
}

/** Stores on one file in a directory of its own. */
export async function makeSqliteStore(): Promise<SqliteUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), 'toolwright-runs-'));
  const file = join(directory, 'runs.db');
  const stores: SqliteRunStore[] = [];
  const another = async () => {
    const store = new SqliteRunStore({ url: `file:${file}` });
    stores.push(store);
    await store.init();
    return store;
  };
  const dispose = async () => {
    for (const store of stores) await store.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { file, store: await another(), reopen: another, second: another, dispose };
}
