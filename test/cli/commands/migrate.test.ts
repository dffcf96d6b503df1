import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { VERSION } from '../../../src/backplane/postgres/tables.ts';
import { CommandFolder } from '../../support/command-line.ts';
import { PostgresSchema } from '../../support/postgres-backplane.ts';
import { usePostgres } from '../../support/services/use-services.ts';

const server = usePostgres();
const database = new PostgresSchema(server);

/** One that is not there yet. */
const newSchema = (): string => `toolwright_${randomBytes(6).toString('hex')}`;
const schemas = [newSchema(), newSchema(), newSchema()] as const;

let folder: CommandFolder;

beforeAll(() => {
  folder = new CommandFolder({
    'backplane.ts': `
      import { Pool } from 'pg';
      import { postgresBackplane } from 'toolwright/postgres';
      const pool = new Pool({ connectionString: process.env['DATABASE'] });
      export const backplane = postgresBackplane({ pool, schema: '${schemas[1]}' });
      export const other = postgresBackplane({ pool, schema: '${schemas[2]}' });
    `,
    'empty.ts': 'export const backplane = { migrate: true };',
  });
});

afterAll(async () => {
  folder.remove();
  for (const schema of schemas) await database.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await database.dispose();
});

const versionIn = async (schema: string): Promise<unknown> =>
  (await database.run(`SELECT number FROM ${schema}.version`))[0]?.['number'];

describe('toolwright migrate', () => {
  test('makes the tables of a database, by several processes at once and again', async () => {
    const command = ['migrate', '--url', server.url, '--schema', schemas[0]];
    const ends = await Promise.all([folder.run(command), folder.run(command), folder.run(command)]);
    for (const end of ends) {
      expect(end).toEqual({ exitCode: 0, stdout: 'The tables are up to date.\n', stderr: '' });
    }
    expect((await folder.run([...command, '--json'])).stdout).toBe('{"migrated":true}\n');
    expect(await versionIn(schemas[0])).toBe(VERSION);
    await database.open('app', { schema: schemas[0] });
    await database.closePorts();
  });

  test('takes the backplane that a file exports, and wants to know which of several', async () => {
    const run = (name: string) => folder.run(['migrate', name], { DATABASE: server.url });
    expect(await run('backplane.ts#backplane')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await versionIn(schemas[1])).toBe(VERSION);
    expect(await run('backplane.ts')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('backplane.ts#other'),
    });
    expect(await run('backplane.ts#none')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('TW_CLI_ENTRY_EMPTY'),
    });
    expect(await run('empty.ts')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('TW_CLI_ENTRY_EMPTY'),
    });
  });

  test('--print-sql prints what somebody can run by hand, and changes nothing', async () => {
    const { exitCode, stdout, stderr } = await folder.run(['migrate', '--print-sql', '--schema', schemas[2]]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(await database.run('SELECT to_regnamespace($1) AS there', [schemas[2]])).toEqual([
      { there: null },
    ]);
    await database.run(stdout);
    await database.run(stdout);
    expect(await versionIn(schemas[2])).toBe(VERSION);
    const ofFile = await folder.run(['migrate', 'backplane.ts#other', '--print-sql']);
    expect(ofFile.stdout).toBe(stdout);
  });

  test('says what is missing, and what is wrong with the server', async () => {
    expect(await folder.run(['migrate'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('toolwright migrate --url'),
    });
    expect(await folder.run(['migrate', 'backplane.ts', '--schema', 'a'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('TW_CLI_ARGUMENT'),
    });
    const nobody = await folder.run(['migrate', '--url', 'postgres://user:secret@127.0.0.1:1/db']);
    expect(nobody).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('TW_BACKPLANE_STORE') });
    expect(nobody.stderr).not.toContain('secret');
  });
});

test('the address of a database in the place of a file is refused with the option that takes it, and not repeated', async () => {
  const { run } = await import('../../../src/cli/commands/migrate.ts');
  const values = ['postgres://me:secret@127.0.0.1:1/x'];
  const migrated = run({ values, options: {}, commands: [] }, undefined as never);
  await expect(migrated).rejects.toMatchObject({
    message: expect.not.stringContaining('secret'),
    fix: 'toolwright migrate --url "$DATABASE_URL"',
  });
});
