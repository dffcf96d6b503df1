import { describe, test } from '@jest/globals';
import { runStoreConformance } from '../../../src/workflow/testing/run-store-conformance.ts';
import { makeSqliteStore } from './make-sqlite-store.ts';

describe('a run store in SQLite', () => {
  for (const { name, run } of runStoreConformance(makeSqliteStore)) test(name, run);
});
