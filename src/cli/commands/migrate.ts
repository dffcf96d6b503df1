import {
  postgresBackplane,
  type PostgresBackplane,
  type PostgresPool,
} from '../../backplane/postgres/index.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { isObject } from '../../shared/json.ts';
import type { RunCommand } from '../command.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import { readReference } from '../target/entry.ts';
import { importFile, LoadingTime } from '../target/load-file.ts';

interface MigrateOptions {
  readonly url?: string;
  readonly schema?: string;
  readonly printSql?: boolean;
  readonly timeout?: number;
}

const TIMEOUT = 30_000;

/** Makes the tables of a PostgreSQL backplane, or prints the SQL that does. */
export const run: RunCommand<MigrateOptions> = async ({ values: [file], options }, terminal) => {
  const { url, schema, printSql = false, timeout = TIMEOUT } = options;
  if (file !== undefined && (url !== undefined || schema !== undefined)) {
    throw new CliError('TW_CLI_ARGUMENT', {
      where: 'toolwright migrate',
      what: 'was given both a file and --url or --schema, which the file has already.',
      fix: 'leave one of them out',
    });
  }
  // Not repeated in the error: it may have a password
  if (file !== undefined && /^postgres(?:ql)?:/i.test(file)) {
    throw new CliError('TW_CLI_ARGUMENT', {
      where: 'toolwright migrate',
      what: 'takes the address of a database with --url, and a file without it.',
      fix: 'toolwright migrate --url "$DATABASE_URL"',
    });
  }
  const of = schema === undefined ? {} : { schema };
  if (printSql) {
    const { sql } =
      file === undefined ? postgresBackplane({ pool: NO_POOL, ...of }) : await load(file, timeout);
    terminal.give({ sql }, () => sql);
    return EXIT.done;
  }
  if (file !== undefined) {
    await (await load(file, timeout)).migrate();
  } else {
    const pool = await openPool('toolwright migrate', url);
    try {
      await postgresBackplane({ pool, ...of }).migrate();
    } finally {
      await pool.end();
    }
  }
  terminal.give({ migrated: true }, () => 'The tables are up to date.');
  return EXIT.done;
};

async function load(reference: string, milliseconds: number): Promise<PostgresBackplane> {
  const { file, name } = readReference(reference);
  const time = new LoadingTime(file, milliseconds);
  const exports = await time
    .load(() => importFile(file))
    .finally(() => {
      time.end();
    });
  const found = Object.entries(exports).filter(([key, value]) => isBackplane(value) && (name ?? key) === key);
  const [first] = new Set(found.map(([, backplane]) => backplane));
  if (found.length === 1) return first as PostgresBackplane;
  throw new CliError(found.length === 0 ? 'TW_CLI_ENTRY_EMPTY' : 'TW_CLI_ENTRY_AMBIGUOUS', {
    where: reference,
    what: `exports ${found.length === 0 ? 'nothing' : 'more than one thing'} that postgresBackplane() gave.`,
    fix:
      found.length === 0
        ? 'export const backplane = postgresBackplane({ pool })'
        : `choose one of them: ${found.map(([key]) => `${file}#${key}`).join(', ')}`,
  });
}

function isBackplane(value: unknown): value is PostgresBackplane {
  return isObject(value) && 'sql' in value && 'migrate' in value && typeof value.migrate === 'function';
}

/** A pool of one connection. @param where the command that needs it */
export async function openPool(where: string, url: string | undefined): Promise<PostgresPool> {
  if (url === undefined) {
    throw new CliError('TW_CLI_ARGUMENT', {
      where,
      what: 'was given neither a file nor the address of a database.',
      fix: 'toolwright migrate --url "$DATABASE_URL"',
    });
  }
  const { Pool } = await import('pg').catch((cause: unknown) => {
    throw new ToolwrightError('TW_BACKPLANE_STORE', {
      where,
      what: 'needs the package pg, which cannot be loaded.',
      fix: 'npm install pg',
      cause,
    });
  });
  return new Pool({ connectionString: url, max: 1 });
}

const never = (): Promise<never> => Promise.reject(new Error('There is no database'));
const nothing = (): void => undefined;
const NO_POOL: PostgresPool = { query: never, connect: never, end: never, on: nothing, off: nothing };
