import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { runStoreConformance } from '../../../src/workflow/run-stores/conformance/run-store-conformance.ts';
import { makePostgresStore } from './make-postgres-store.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

describe('a run store in PostgreSQL', () => {
  for (const { name, run } of runStoreConformance(() => makePostgresStore(server.url))) test(name, run);
});
