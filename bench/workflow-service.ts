import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StderrLogger } from '../src/index.ts';
import { RunService } from '../src/workflow/application/runs/run-service.ts';
import type { RunView } from '../src/workflow/application/runs/run-view.ts';
import { loadWorkflow } from '../src/workflow/domain/document/load-workflow.ts';
import { foldEvents } from '../src/workflow/domain/run/evolve.ts';
import type { RunEvent } from '../src/workflow/domain/run/run-state.ts';
import { ValidationEngine } from '../src/workflow/domain/validation/validation-engine.ts';
import { SqliteRunStore } from '../src/workflow/run-stores/sqlite/sqlite-run-store.ts';
import { median, print } from './workflow-timing.ts';

// A run of 10 000 events is loaded and gone on with; run it on a machine that does nothing else.

const LONG = 10_000;
const caller = { tenant: 'bench', principal: 'bench' };
const definition = loadWorkflow({
  id: 'long',
  name: 'Long',
  description: 'A run that goes on for long',
  version: '1.0.0',
  steps: [
    {
      id: 'passes',
      type: 'loop',
      title: 'Pass after pass',
      loop: { type: 'for', count: 1000, maxIterations: 1000 },
      body: [{ id: 'pass', title: 'Pass', prompt: 'Go on.' }],
    },
  ],
});

const directory = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
const store = new SqliteRunStore({ url: `file:${join(directory, 'runs.db')}` });
await store.init();

function serviceWith(snapshotEvery: number): RunService {
  return new RunService({
    store,
    workflows: { getDefinition: async () => definition },
    validator: new ValidationEngine(),
    logger: new StderrLogger(),
    limits: { snapshotEvery },
  });
}

/** Starts a run, and has it told a new part of its context again and again. */
async function longRun(runs: RunService): Promise<string> {
  const { runId } = await runs.start(caller, { workflowId: 'long' });
  const summary = await store.getSummary(runId);
  const [first] = await store.load(runId);
  if (summary === null || first === undefined) throw new Error('The run was not kept.');
  const events = Array.from({ length: LONG - summary.seq }, (_, index): RunEvent => {
    const context = { [`part-${index % 100}`]: index };
    return { ...first, seq: summary.seq + 1 + index, type: 'ContextMerged', data: { context } };
  });
  await store.append({ runId, expectedSeq: summary.seq, events, summary: { ...summary, seq: LONG } });
  return runId;
}

/** Hands in the output of one pass of the loop. */
async function goOn(runs: RunService, runId: string): Promise<RunView> {
  const summary = await store.getSummary(runId);
  return runs.continue(caller, { runId, expectedSeq: summary?.seq ?? 0, output: `At ${performance.now()}` });
}

async function printAll(how: string, runs: RunService, runId: string): Promise<void> {
  print(`view, ${how}`, await median(() => runs.view(caller, runId)));
  print(`continue, ${how}`, await median(() => goOn(runs, runId)));
}

const withoutSnapshots = serviceWith(Number.MAX_SAFE_INTEGER);
const runId = await longRun(withoutSnapshots);
const events = await store.load(runId);
print(`load of ${LONG} events`, await median(() => store.load(runId)));
print(`fold of ${LONG} events`, await median(() => foldEvents(events)));
await printAll('from all events', withoutSnapshots, runId);
const withSnapshots = serviceWith(100);
await goOn(withSnapshots, runId);
await printAll('from a snapshot', withSnapshots, runId);

await store.close();
await rm(directory, { recursive: true });
