import { describe, test } from '@jest/globals';
import { runStoreConformance } from '../../../src/workflow/testing/run-store-conformance.ts';
import { makePostgresStore } from './make-postgres-store.ts';
import { usePostgres } from './postgres-server.ts';

const server = usePostgres();

describe('a run store in PostgreSQL', () => {
  for (const { name, run } of runStoreConformance(() => makePostgresStore(server.url))) test(name, run);
});
