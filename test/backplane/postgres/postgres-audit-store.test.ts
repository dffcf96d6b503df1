import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { verifyAudit, type AuditStore } from 'toolwright/audit';
import { postgresAuditStore } from 'toolwright/postgres';
import { auditStoreConformance } from 'toolwright/testing';
import { AuditLog } from '../../../src/features/audit/audit-log.ts';
import { chainOf } from '../../support/audit-chain.ts';
import { CommandFolder } from '../../support/command-line.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { usePostgresSchema } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();
let folder: CommandFolder | undefined;
const stores: AuditStore[] = [];
beforeAll(() => database.migrate());
afterEach(async () => {
  folder?.remove();
  for (const store of stores.splice(0)) await store.close?.();
});

function storeOf(name: string = randomUUID()): AuditStore {
  const store = postgresAuditStore({ pool: database.pool, schema: database.schema, name });
  stores.push(store);
  return store;
}

const kit = auditStoreConformance(() => {
  const name = randomUUID();
  return { port: storeOf(name), second: () => storeOf(name) };
});
for (const { name, run } of kit) test(name, run);

test.each(["UPDATE OWN.audit SET record = '{}'", 'DELETE FROM OWN.audit', 'TRUNCATE OWN.audit'])(
  'the database refuses %s',
  async (sql) => {
    const store = storeOf();
    await store.append(chainOf('a', 3));
    await expect(database.run(sql)).rejects.toThrow('neither changed nor removed');
    await store.prune?.('a', 2);
    await expect(database.run(sql)).rejects.toThrow('neither changed nor removed');
    expect((await database.run('SELECT count(*) AS count FROM OWN.audit'))[0]?.['count']).not.toBe('0');
  },
);

test('pruning takes the time that it takes', async () => {
  const pool = database.newPool({ statement_timeout: 1000 });
  const store = postgresAuditStore({ pool, schema: database.schema, name: randomUUID() });
  await store.append(chainOf('a', 5));
  const locking = await database.pool.connect();
  await locking.query('BEGIN');
  await locking.query(`LOCK TABLE "${database.schema}".audit IN EXCLUSIVE MODE`);
  const pruned = store.prune?.('a', 4);
  // Longer than the deadline of other statements
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await locking.query('COMMIT');
  locking.release();
  expect(await pruned).toBe(3);
});

test('a database without the tables is named, with what makes them', async () => {
  const store = postgresAuditStore({ pool: database.pool, schema: 'elsewhere' });
  const failures = [
    () => store.append(chainOf('a', 1)),
    () => store.last(),
    () => store.prune?.('a', 1),
    () => verifyAudit(store),
  ];
  for (const fail of failures)
    await expect(fail()).rejects.toMatchObject({
      code: 'TW_BACKPLANE_STORE',
      what: expect.stringContaining('has no tables in the schema elsewhere'),
      fix: expect.stringContaining('toolwright migrate --url … --schema elsewhere'),
    });
});

test('a role that may only write and read is enough for an application, and not for pruning', async () => {
  const role = `writer_${randomUUID().slice(0, 8)}`;
  const quoted = `"${database.schema}"`;
  await database.run(`CREATE ROLE ${role}; GRANT ${role} TO CURRENT_USER; GRANT USAGE ON SCHEMA ${quoted} TO ${role};
    GRANT INSERT, SELECT ON ${quoted}.audit TO ${role}`);
  const pool = database.newPool({ options: `-c role=${role}` });
  const store = postgresAuditStore({ pool, schema: database.schema, name: randomUUID() });
  await store.append(chainOf('a', 3));
  expect(await verifyAudit(store)).toMatchObject({ isSound: true, records: 3 });
  await expect(store.prune?.('a', 2)).rejects.toMatchObject({
    what: 'denies this role a right that it needs.',
    fix: expect.stringContaining(`GRANT USAGE ON SCHEMA ${database.schema}, `),
  });
  for (const sql of ['DELETE FROM', 'UPDATE', 'TRUNCATE'])
    await expect(
      pool.query(`${sql} ${quoted}.audit${sql === 'UPDATE' ? ' SET seq = 1' : ''}`),
    ).rejects.toThrow('permission denied');
});

test('several processes write at once, each in a chain of its own, and all is sound', async () => {
  const name = randomUUID();
  const application = { name: 'tests', version: '1.0.0', logger: new MemoryLogger() };
  const logs = [1, 2, 3].map(() => new AuditLog({ store: storeOf(name) }, application));
  await Promise.all(
    logs.flatMap((log) =>
      Array.from({ length: 150 }, (_, index) => log.append({ type: 'change', change: String(index) })),
    ),
  );
  const verified = await verifyAudit(storeOf(name));
  expect(verified).toMatchObject({ isSound: true, records: 453 });
  expect(verified.chains.map(({ to }) => to)).toEqual([151, 151, 151]);
});

test('a record that was changed behind the triggers is found, by the command as well', async () => {
  const name = randomUUID();
  const records = chainOf('a', 5);
  await storeOf(name).append(records);
  folder = new CommandFolder({});
  const command = ['audit', 'verify', database.url, '--schema', database.schema, '--name', name];
  expect(await folder.run(command)).toMatchObject({ exitCode: 0 });
  await database.run(`ALTER TABLE OWN.audit DISABLE TRIGGER keep_audit`);
  const changed = JSON.stringify({ ...records[2], tool: 'other' });
  await database.run('UPDATE OWN.audit SET record = $1 WHERE app = $2 AND seq = 3', [changed, name]);
  await database.run(`ALTER TABLE OWN.audit ENABLE TRIGGER keep_audit`);
  expect((await verifyAudit(storeOf(name))).fault).toMatchObject({ kind: 'changed', position: 3, seq: 3 });
  expect(await folder.run(command)).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('Record 3 of the chain a'),
  });
});
