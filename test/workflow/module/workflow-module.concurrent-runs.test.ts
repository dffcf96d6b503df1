import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { RUN_STORE, RunService, type RunView } from 'toolwright/workflow';
import type { RunEvent, StepRef } from '../../../src/workflow/domain/run/run-state.ts';
import { applicationWith } from './workflows.ts';
import { tries } from '../../support/thorough.ts';

const RUNS = tries(60, 1000);
const caller = { tenant: 'default', principal: 'anybody' };

/** Each event of a run with its seq, the step that it is about, and what was handed in. */
const storyOfRun = (index: number): readonly string[] => [
  '1 RunStarted',
  '2 ContextMerged',
  '3 StepOffered read',
  `4 OutputSubmitted read, Text ${index}`,
  '5 ValidationPerformed read',
  '6 StepCompleted read',
  '7 LoopStarted check-all',
  '8 LoopIterationStarted check-all',
  '9 StepOffered check',
  `10 OutputSubmitted check, Part ${index}`,
  '11 ValidationPerformed check',
  '12 StepCompleted check',
  '13 LoopEnded check-all',
  '14 RunCompleted',
];

function storyOf(events: readonly RunEvent[]): readonly string[] {
  return events.map(({ seq, type, data }) => {
    const { stepId, output } = data as Partial<StepRef> & { readonly output?: string };
    const text = [seq, type, stepId].filter((part) => part !== undefined).join(' ');
    return output === undefined ? text : `${text}, ${output}`;
  });
}

/** Sends a change twice at once, as an impatient client does; both get the same answer. */
async function changeTwice(change: () => Promise<RunView>): Promise<RunView> {
  const [view, again] = await Promise.all([change(), change()]);
  expect(again).toEqual(view);
  return view;
}

/** @returns the id of the run */
async function driveRun(runs: RunService, index: number): Promise<string> {
  const request = { workflowId: 'review', context: { parts: ['all'] }, idempotencyKey: `run-${index}` };
  let view = await changeTwice(() => runs.start(caller, request));
  for (const output of [`Text ${index}`, `Part ${index}`]) {
    const { token } = view;
    view = await changeTwice(() => runs.continue(caller, { token, output }));
  }
  expect(view).toMatchObject({ seq: 14, status: 'completed' });
  return view.runId;
}

test(`${RUNS} runs at once on one process lose and double nothing`, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'toolwright-'));
  const app = await McpApplication.create(applicationWith({ store: join(directory, 'runs.db') }));
  try {
    const indices = Array.from({ length: RUNS }, (_, index) => index);
    const ids = await Promise.all(indices.map((index) => driveRun(app.get(RunService), index)));
    expect(new Set(ids).size).toBe(RUNS);
    for (const [index, runId] of ids.entries()) {
      expect(storyOf(await app.get(RUN_STORE).load(runId))).toEqual(storyOfRun(index));
    }
  } finally {
    await app.close();
    await rm(directory, { recursive: true });
  }
});
