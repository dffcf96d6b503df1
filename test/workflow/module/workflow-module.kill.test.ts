import { mkdir, rm, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { RunStore } from '../../../src/workflow/application/ports/run-store.ts';
import { foldEvents } from '../../../src/workflow/domain/run/evolve.ts';
import type { RunEvent } from '../../../src/workflow/domain/run/run-state.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { openStore } from '../run-stores/crash/open-store.ts';
import { makePostgresStore } from '../run-stores/make-postgres-store.ts';
import { makeSqliteStore } from '../run-stores/make-sqlite-store.ts';
import { usePostgres } from '../../support/services/use-services.ts';
import { serve, type ServingWay } from './kill/serving.ts';
import { Surveyor } from './kill/surveyor.ts';
import { workThroughKills } from './kill/work-through-kills.ts';
import { IS_THOROUGH, tries } from '../../support/thorough.ts';

const RUNS = tries(1, 10);
const WAYS: readonly ServingWay[] = [
  { line: 'SDK v1', transport: 'stdio' },
  { line: 'SDK v1', transport: 'HTTP' },
  { line: 'SDK v2, 2025', transport: 'HTTP' },
  { line: 'SDK v2, 2026', transport: 'stdio' },
  { line: 'SDK v2, 2026', transport: 'HTTP' },
];
const COMPLETED = ['plan', 'visit 1', 'visit 2', 'visit 3', 'approve', 'publish'];
/** Thirty processes are started; this only ends one that hangs. */
const TIMEOUT = 300_000;

const seed = Number(process.env['TOOLWRIGHT_SEED'] ?? Date.now() % 1_000_000);
const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Where the package is installed, as users have it. */
const folder = `${root}node_modules/.cache/toolwright-kill-${process.pid}`;
const program = `${folder}/serve-runs.mjs`;

const server = usePostgres();

beforeAll(async () => {
  await mkdir(`${folder}/node_modules`, { recursive: true });
  await symlink(root, `${folder}/node_modules/toolwright`);
  await build({
    entryPoints: [`${import.meta.dirname}/kill/serve-runs.ts`],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    // Without the paths of the project, which lead to its sources.
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** What happened, without when, and without what distinguishes this run from others. */
function storyOf(events: readonly RunEvent[]): readonly unknown[] {
  return events.map(({ at: _at, data, ...rest }) => ({
    ...rest,
    data: { ...data, goal: undefined, expiresAt: undefined },
  }));
}

function completedSteps(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap(({ type, data }) =>
    type === 'StepCompleted' ? [[data.stepId, data.iteration].join(' ').trim()] : [],
  );
}

/** That of a run which nobody disturbs. */
async function plainStory(url: string, way: ServingWay, random: Random): Promise<readonly unknown[]> {
  const { client, kill } = await serve(program, url, way);
  const agent = new Surveyor('undisturbed', random);
  try {
    await agent.work(client);
  } finally {
    await kill();
  }
  const store = await openStore(url);
  const events = await store.load(agent.runId);
  await store.close();
  expect(completedSteps(events)).toEqual(COMPLETED);
  return storyOf(events);
}

async function checkRun(store: RunStore, { runId, views }: Surveyor): Promise<readonly unknown[]> {
  const events = await store.load(runId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  for (const view of views) {
    const state = foldEvents(events.slice(0, view.seq));
    const shown = {
      seq: view.seq,
      status: view.status,
      stepId: view.step?.id,
      iteration: view.step?.iteration,
    };
    const { stepId, iteration } = state?.current ?? {};
    expect({ seq: state?.seq, status: state?.status, stepId, iteration }).toEqual(shown);
  }
  return storyOf(events);
}

/** All ways of serving with the full count, else one at each database: another one with another seed. */
const waysAt = (database: number): readonly ServingWay[] =>
  WAYS.filter((_, index) => IS_THOROUGH || index === (seed + database) % WAYS.length);

async function killAndResume(url: string, ways: readonly ServingWay[]): Promise<void> {
  const story = await plainStory(url, WAYS[0] as ServingWay, createRandom(seed));
  const lanes = ways.map((way, lane) => {
    const random = createRandom(seed + lane);
    const agents = Array.from(
      { length: RUNS },
      (_, index) => new Surveyor(`survey-${lane}-${index}`, createRandom(seed + lane * RUNS + index)),
    );
    return { agents, work: workThroughKills(() => serve(program, url, way), agents, random) };
  });
  const work = lanes.map(({ work }) => work);
  // None may outlive the database.
  await Promise.allSettled(work);
  const cutOff = await Promise.all(work);
  expect(cutOff.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(tries(1, RUNS * ways.length));
  const store = await openStore(url);
  for (const agent of lanes.flatMap(({ agents }) => agents)) {
    expect(await checkRun(store, agent)).toEqual(story);
    const { runs } = await store.find({ tenant: 'default', text: agent.goal, limit: 2 });
    expect(runs.map(({ runId }) => runId)).toEqual([agent.runId]);
  }
  await store.close();
}

describe(`a server that is killed with ${RUNS * waysAt(0).length} runs under way (TOOLWRIGHT_SEED=${seed})`, () => {
  test(
    'loses and doubles nothing of them in SQLite',
    async () => {
      const { file, dispose } = await makeSqliteStore();
      try {
        await killAndResume(`file:${file}`, waysAt(0));
      } finally {
        await dispose();
      }
    },
    TIMEOUT,
  );

  test(
    'loses and doubles nothing of them in PostgreSQL',
    async () => {
      const { connectionString, dispose } = await makePostgresStore(server.url);
      try {
        await killAndResume(connectionString, waysAt(1));
      } finally {
        await dispose();
      }
    },
    TIMEOUT,
  );
});
