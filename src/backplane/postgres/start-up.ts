import { ToolwrightError } from '../../index.ts';
import { codeOf } from '../../shared/error-shape.ts';
import { VERSION } from './tables.ts';
import type { Row } from './database.ts';

type Query = (sql: string) => Promise<readonly Row[]>;

const FACTS = `SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') AS read_only,
  current_setting('synchronous_commit') AS commits, current_setting('server_encoding') AS encoding,
  current_setting('server_version_num')::integer AS release`;

/** @throws ToolwrightError TW_BACKPLANE_STORE for a server that cannot keep what it is given */
export async function checkServer(query: Query): Promise<void> {
  const [facts = {}] = await query(FACTS);
  if (facts['is_standby'] === true) {
    throw unfit(
      'is a standby that only reads.',
      'connect to the primary server: target_session_attrs=read-write',
    );
  }
  if (facts['read_only'] === 'on') {
    throw unfit('lets this role only read.', 'ALTER ROLE … SET default_transaction_read_only = off');
  }
  if (facts['commits'] === 'off') {
    throw unfit(
      'commits asynchronously: it may forget which calls have run.',
      'ALTER ROLE … SET synchronous_commit = on',
    );
  }
  if (facts['encoding'] !== 'UTF8') {
    throw unfit(`keeps texts as ${String(facts['encoding'])}.`, "CREATE DATABASE … ENCODING 'UTF8'");
  }
  if (Number(facts['release']) < 130_000) {
    throw unfit('is older than PostgreSQL 13.', 'use a version that is still supported');
  }
}

/** @throws ToolwrightError TW_BACKPLANE_STORE for tables that are missing or do not fit this release */
export async function checkTables(query: Query, schemaName: string): Promise<void> {
  const missing = unfit(
    `has no tables in the schema ${schemaName}.`,
    `toolwright migrate --url … ${schemaName === 'toolwright' ? '' : `--schema ${schemaName} `}(or the option migrate: 'auto')`,
  );
  const [found] = await query(`SELECT to_regclass('"${schemaName}".version') IS NOT NULL AS is_there`);
  if (found?.['is_there'] !== true) throw missing;
  const [{ number, oldest, is_whole: isWhole } = { number: 0, oldest: 0, is_whole: false }] = await query(
    `SELECT number, oldest, to_regclass('"${schemaName}".task_counts') IS NOT NULL
      AND to_regproc('"${schemaName}".update_task') IS NOT NULL AS is_whole FROM "${schemaName}".version`,
  );
  if (Number(number) < VERSION) {
    throw unfit(
      `has tables of version ${String(number)} in the schema ${schemaName}; this release needs ${String(VERSION)}.`,
      missing.fix,
    );
  }
  if (Number(oldest) > VERSION) {
    throw unfit(
      `has tables of version ${String(number)} in the schema ${schemaName}, which this release does not know.`,
      'npm install toolwright@latest',
    );
  }
  // The same version: releases that know nothing of these work beside this one
  if (isWhole !== true) {
    throw unfit(`has not all tables of this release in the schema ${schemaName}.`, missing.fix);
  }
}

/** What a server that refuses at the start wants, in words; the message of the driver is the cause. */
export function startFailure(cause: unknown, schemaName: string): ToolwrightError {
  if (ToolwrightError.is(cause)) return cause;
  const code = codeOf(cause) ?? '';
  const message = cause instanceof Error ? cause.message : '';
  const known = REFUSALS.find(([codes, messages]) => codes.test(code) || messages?.test(message) === true);
  if (known !== undefined) {
    const [what, fix] = [known[2], known[3]].map((text) => text.replaceAll('{schema}', schemaName));
    return unfit(String(what), String(fix), cause);
  }
  const said = code === '' ? message : code;
  return unfit(
    `cannot be reached, or does not answer as it should: ${said}.`,
    'correct the address of the pool, or start the server',
    cause,
  );
}

type Refusal = readonly [codes: RegExp, messages: RegExp | undefined, what: string, fix: string];

const REFUSALS: readonly Refusal[] = [
  [
    /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_VERIFY/,
    /\bSSL\b|no encryption|\bTLS\b/,
    'and this process do not agree about TLS.',
    'set ssl of the pool as the server asks for',
  ],
  [/^(28P01|28000)$/, /password|SASL/, 'refuses the credentials.', 'correct user and password of the pool'],
  [/^3D000$/, undefined, 'has no such database.', 'correct the database of the pool'],
  [
    /^(42P01|3F000)$/,
    undefined,
    'has no tables in the schema {schema}, or not all of them.',
    'toolwright migrate --url … --schema {schema}',
  ],
  [
    /^42501$/,
    undefined,
    'denies this role a right that it needs.',
    'GRANT USAGE ON SCHEMA {schema}, and the rights on its tables, sequence and functions; to migrate, that to create them',
  ],
];

export function unfit(what: string, fix: string, cause?: unknown): ToolwrightError {
  return new ToolwrightError('TW_BACKPLANE_STORE', { where: 'PostgreSQL', what, fix, cause });
}
