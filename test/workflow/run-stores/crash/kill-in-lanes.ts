import { mkdir, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { build } from 'esbuild';
import { createRandom, type Random } from '../../../support/random.ts';
import { crashRequest, eventsUntil, seqBefore } from './crash-request.ts';
import { killChild } from './kill-child.ts';
import { openStore } from './open-store.ts';
import { tries } from '../../../support/thorough.ts';

export const KILLS = tries(10, 50);
const LANES = 3;
/** A hundred processes are started; this only ends one that hangs. */
export const TIMEOUT = 300_000;

export const seed = Number(process.env['TOOLWRIGHT_SEED'] ?? Date.now() % 1_000_000);
/** Within the package, where Node finds what it imports. */
const folder = `${import.meta.dirname}/../../../../node_modules/.cache/toolwright-crash-${process.pid}`;
const program = `${folder}/crash-child.mjs`;

/** Builds the program that is killed before the tests of a file, and takes it away after them. */
export function useCrashChild(): void {
  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    const entryPoints = [`${import.meta.dirname}/crash-child.ts`];
    await build({
      entryPoints,
      outfile: program,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
}

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

/**
 * Several processes on one database, each with a run of its own.
 * @returns how many requests were recorded
 */
export async function killInLanes(url: string): Promise<number> {
  const lanes = Array.from({ length: LANES }, (_, lane) => {
    const kills = Math.ceil((KILLS - lane) / LANES);
    return killAndRepeat(url, `run-${lane}`, kills, createRandom(seed + lane));
  });
  return (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
}
