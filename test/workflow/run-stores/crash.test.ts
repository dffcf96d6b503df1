import { mkdir, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { createRandom, type Random } from '../../fuzz/random.ts';
import { crashRequest, eventsUntil, seqBefore } from './crash/crash-request.ts';
import { killChild } from './crash/kill-child.ts';
import { openStore } from './crash/open-store.ts';
import { makePostgresStore } from './make-postgres-store.ts';
import { makeSqliteStore } from './make-sqlite-store.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

const KILLS = 50;
const LANES = 3;
/** A hundred processes are started; this only ends one that hangs. */
const TIMEOUT = 300_000;

const seed = Number(process.env['TOOLWRIGHT_SEED'] ?? Date.now() % 1_000_000);
/** Within the package, where Node finds what it imports. */
const folder = `${import.meta.dirname}/../../../node_modules/.cache/toolwright-crash-${process.pid}`;
const program = `${folder}/crash-child.mjs`;

let server: PostgresServer;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  const entryPoints = [`${import.meta.dirname}/crash/crash-child.ts`];
  await build({
    entryPoints,
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  server = await startPostgres();
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Kills the process that appends, looks what remains, repeats the request that nobody answered, and so on. */
async function killAndRepeat(url: string, runId: string, kills: number, random: Random): Promise<number> {
  let next = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const { acknowledged, errors } = await killChild(program, [url, runId, String(next)], random);
    expect(errors).toBe('');
    expect(acknowledged).toEqual(acknowledged.map((_, index) => next + index));
    next = await checkRun(url, runId, next + acknowledged.length);
  }
  return next;
}

/** @param unanswered the request that may or may not have been recorded: the one after the last acknowledged */
async function checkRun(url: string, runId: string, unanswered: number): Promise<number> {
  const store = await openStore(url);
  const found = await store.load(runId);
  expect([seqBefore(unanswered), seqBefore(unanswered + 1)]).toContain(found.length);
  const request = crashRequest(runId, unanswered);
  const result = await store.append(request);
  expect([
    { ok: true, seq: request.summary.seq },
    { duplicate: true, response: request.response },
  ]).toContainEqual(result);
  expect(await store.append(request)).toEqual({ duplicate: true, response: request.response });
  expect(await store.load(runId)).toEqual(eventsUntil(unanswered + 1));
  expect(await store.getSummary(runId)).toEqual(request.summary);
  expect(await store.getSnapshot(runId)).toEqual(request.snapshot);
  await store.close();
  return unanswered + 1;
}

/** Several processes on one database, each with a run of its own. */
async function killInLanes(url: string): Promise<void> {
  const lanes = Array.from({ length: LANES }, (_, lane) => {
    const kills = Math.ceil((KILLS - lane) / LANES);
    return killAndRepeat(url, `run-${lane}`, kills, createRandom(seed + lane));
  });
  const requests = (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
  expect(requests).toBeGreaterThan(KILLS);
}

describe(`a process that is killed ${KILLS} times (TOOLWRIGHT_SEED=${seed})`, () => {
  test(
    'loses and doubles no event in SQLite',
    async () => {
      const { file, dispose } = await makeSqliteStore();
      try {
        await killInLanes(`file:${file}`);
      } finally {
        await dispose();
      }
    },
    TIMEOUT,
  );

  test(
    'loses and doubles no event in PostgreSQL',
    async () => {
      const { connectionString, dispose } = await makePostgresStore(server.url);
      try {
        await killInLanes(connectionString);
      } finally {
        await dispose();
      }
    },
    TIMEOUT,
  );
});
