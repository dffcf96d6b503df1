import { expect, test } from '@jest/globals';
import type { RunView } from '../../../../src/workflow/application/runs/run-view.ts';
import type { RunLimits } from '../../../../src/workflow/application/runs/run-dependencies.ts';
import type { WorkflowStep } from '../../../../src/workflow/domain/document/workflow-document.ts';
import { caller, HOUR, openDesk, step } from './run-desk.ts';
import { refusal, refusalCode } from '../../../support/workflow-refusal.ts';

const rule = (value: string): object => ({ validationCriteria: { type: 'contains', value, message: '' } });

test('gives the view of a run that has started, with the first step only', async () => {
  const { start } = await openDesk([
    step('one', { agentRole: 'You write.......', guidance: ['short'], askForFiles: true }),
    step('two'),
  ]);
  const view = await start({ secretPlan: 'two' });
  expect(view).toEqual({
    runId: expect.stringMatching(/^[0-9a-f]{32}$/),
    token: expect.stringMatching(/^[\w-]+\.[\w-]{43}$/),
    workflowId: 'flow',
    definitionHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    seq: 3,
    status: 'running',
    step: {
      id: 'one',
      title: 'Title of one',
      prompt: '## Agent Role Instructions\nYou write.......\n\n## Step Guidance\n- short\n\nDo one.',
      askForFiles: true,
      requireConfirmation: false,
    },
    progress: { completed: 0, skipped: 0, total: 2 },
    issues: [],
    details: [],
    suggestions: [],
    attemptsLeft: 5,
    notes: [],
    warnings: [],
    expiresAt: '2026-01-08T00:00:00.000Z',
  });
  expect(JSON.stringify(view)).not.toContain('Do two.');
});

test('goes through a workflow to its end', async () => {
  const { runs, start } = await openDesk([step('one', rule('A')), step('two')]);
  const first = await start();
  const blocked = await runs.continue(caller, { token: first.token, output: 'B' });
  expect(blocked).toMatchObject({ status: 'blocked', attemptsLeft: 4, step: { id: 'one' } });
  expect(blocked.issues).toEqual(['output must contain "A"']);
  expect(blocked.details).toMatchObject([{ code: 'CONTAINS_MISSING' }]);
  const second = await runs.continue(caller, {
    runId: blocked.runId,
    expectedSeq: blocked.seq,
    output: 'A',
  });
  expect(second).toMatchObject({ status: 'running', step: { id: 'two' }, issues: [], attemptsLeft: 5 });
  const done = await runs.continue(caller, { token: second.token, output: 'x' });
  expect(done).toMatchObject({
    status: 'completed',
    step: null,
    attemptsLeft: 0,
    progress: { completed: 2 },
  });
  expect(await refusalCode(runs.continue(caller, { token: done.token, output: 'x' }))).toBe('RUN_FINISHED');
  expect(await refusalCode(runs.checkpoint(caller, { token: first.token, notes: 'n' }))).toBe('RUN_FINISHED');
});

test('checks rules by the stored and the submitted context', async () => {
  const criteria = { type: 'contains', value: 'A', message: '', condition: { var: 'strict' } };
  const { runs, start } = await openDesk([step('one', { validationCriteria: criteria })]);
  const { token } = await start({ strict: false });
  const view = await runs.continue(caller, { token, output: 'B', context: { strict: true } });
  expect(view.status).toBe('blocked');
  expect((await runs.continue(caller, { token: view.token, output: 'B' })).status).toBe('completed');
});

test('gives the current view without output and context, and records nothing', async () => {
  const { runs, start, store } = await openDesk([step('one'), step('two')]);
  const first = await start();
  const second = await runs.continue(caller, { token: first.token, output: 'x' });
  expect(await runs.continue(caller, { token: first.token })).toEqual(second);
  expect(await runs.continue(caller, { token: first.token, context: {} })).toEqual(second);
  expect(await runs.view(caller, first.runId)).toEqual(second);
  expect(await store.load(first.runId)).toHaveLength(second.seq);
});

test('keeps context that comes alone, and stays on the step', async () => {
  const { runs, start } = await openDesk([step('one'), step('two', { runCondition: { var: 'more' } })]);
  const { token } = await start();
  const told = await runs.continue(caller, { token, context: { more: true } });
  expect(told).toMatchObject({ step: { id: 'one' }, seq: 3, attemptsLeft: 5 });
  const next = await runs.continue(caller, { token: told.token, output: 'x' });
  expect(next.step).toMatchObject({ id: 'two' });
});

test('shows where in a loop the run is, and why a loop ended early', async () => {
  const loop = { type: 'forEach', items: 'files', maxIterations: 1 };
  const { runs, start } = await openDesk(
    [step('loop', { type: 'loop', prompt: undefined, loop, body: [step('body')] }), step('end')].map(
      (each) => JSON.parse(JSON.stringify(each)) as typeof each,
    ),
  );
  const view = await start({ files: ['a', 'b'] });
  expect(view.step).toMatchObject({
    id: 'body',
    iteration: 1,
    prompt: '## Loop Context\n- Iteration: 1 of 2\n\nDo body.',
  });
  const { warnings, progress } = await runs.continue(caller, { token: view.token, output: 'x' });
  expect(warnings).toEqual([expect.stringMatching(/^LOOP_LIMIT: the loop "loop" ended after 1 iterations/)]);
  expect(progress).toEqual({ completed: 1, skipped: 0, total: 2 });
});

test('takes a limit that is undefined for one that is not given', async () => {
  const limits = { attempts: undefined, runTtl: HOUR } as unknown as Partial<RunLimits>;
  const { start } = await openDesk([step('one')], { limits });
  expect(await start()).toMatchObject({ attemptsLeft: 5, expiresAt: '2026-01-01T01:00:00.000Z' });
});

test('shows the latest notes, and says that there are older ones', async () => {
  const { runs, start } = await openDesk([step('one')]);
  let { token } = await start();
  const notes = ['a', 'b', 'c'].map((letter) => letter.repeat(8000));
  for (const each of notes) ({ token } = await runs.checkpoint(caller, { token, notes: each }));
  const view = await runs.continue(caller, { token });
  expect(view.notes).toEqual(notes.slice(1));
  expect(view.warnings).toEqual(['NOTES_OMITTED: older notes that are kept and not shown: 1.']);
});

test('shows the latest of what happened, and how much there was before', async () => {
  const loop = { type: 'for', count: 300, maxIterations: 300 };
  const body = [step('body', { runCondition: { var: 'missing' } })];
  const idle = { id: 'loop', type: 'loop', title: 'Loop', loop, body } as WorkflowStep;
  const { runs, start, store } = await openDesk([idle, step('end')]);
  const { runId, seq } = await start();
  const { history, omitted, ...status } = await runs.status(caller, runId);
  expect(seq).toBe(604);
  expect(status).toMatchObject({ seq, status: 'running' });
  expect(history).toHaveLength(500);
  expect(omitted).toBe(104);
  expect(history.map((entry) => entry.seq)).toEqual(Array.from({ length: 500 }, (_, index) => 105 + index));
  await store.putSnapshot(runId, { seq, state: 'lost' });
  expect(await runs.status(caller, runId)).toEqual({ ...status, history, omitted });
});

test('keeps notes', async () => {
  const { runs, start } = await openDesk([step('one')]);
  const { token } = await start();
  const view = await runs.checkpoint(caller, { token, notes: 'half done' });
  expect(view).toMatchObject({ notes: ['half done'], step: { id: 'one' }, status: 'running' });
});

test('names the actual seq and the current view to a caller that comes late', async () => {
  const { runs, start, store } = await openDesk([step('one'), step('two'), step('three')]);
  const first = await start();
  const second = await runs.continue(caller, { token: first.token, output: 'x' });
  const error = await refusal(runs.continue(caller, { token: first.token, output: 'y' }));
  expect(error).toMatchObject({
    code: 'STALE_SEQUENCE',
    retryable: true,
    details: { actualSeq: second.seq, view: second },
  });
  expect(await store.load(first.runId)).toHaveLength(second.seq);
  const { token } = (error.toRecord().details as { view: RunView }).view;
  expect((await runs.continue(caller, { token, output: 'y' })).step).toMatchObject({ id: 'three' });
});

test('lets one of many parallel changes win, and shows the others the view it led to', async () => {
  const { runs, start, store } = await openDesk([step('one'), step('two')]);
  const { token, runId } = await start();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => runs.continue(caller, { token, output: `x${index}` })),
  );
  const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const lost = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as object] : [],
  );
  expect(won).toHaveLength(1);
  expect(lost).toHaveLength(19);
  for (const reason of lost)
    expect(reason).toMatchObject({ code: 'STALE_SEQUENCE', details: { view: won[0] } });
  expect(await store.load(runId)).toHaveLength(won[0]!.seq);
});

test('gives all of many parallel repeats the same answer', async () => {
  const { runs, start, store } = await openDesk([step('one'), step('two')]);
  const { token, runId } = await start();
  const views = await Promise.all(
    Array.from({ length: 20 }, () => runs.continue(caller, { token, output: 'x' })),
  );
  expect(new Set(views.map((view) => JSON.stringify(view))).size).toBe(1);
  expect(await store.load(runId)).toHaveLength(views[0]!.seq);
});

test('cancels whatever the seq is, and gives the same once more', async () => {
  const { runs, start } = await openDesk([step('one')]);
  const { runId, token } = await start();
  const view = await runs.cancel(caller, { runId, reason: 'enough' });
  expect(view).toMatchObject({ status: 'cancelled', step: null });
  expect(await runs.cancel(caller, { runId, reason: 'enough' })).toEqual(view);
  expect(await runs.cancel(caller, { runId, reason: 'another reason' })).toEqual(view);
  expect(await runs.cancel(caller, { runId, idempotencyKey: 'k' })).toEqual(view);
  expect(await refusalCode(runs.continue(caller, { token, output: 'x' }))).toBe('RUN_FINISHED');
});

test('reports what happened, without prompts, outputs and context', async () => {
  const { runs, start } = await openDesk([
    step('zero', { runCondition: { var: 'no' } }),
    step('one', rule('A')),
  ]);
  const { runId, token } = await start({ ctxSecret: 1 });
  const { token: next } = await runs.continue(caller, { token, output: 'B' });
  await runs.continue(caller, { token: next, output: 'A' });
  const status = await runs.status(caller, runId);
  expect(status).toMatchObject({ status: 'completed', progress: { completed: 1, skipped: 1, total: 2 } });
  expect(status.history.map(({ seq, type, stepId, reason }) => [seq, type, stepId, reason])).toEqual([
    [1, 'RunStarted', undefined, undefined],
    [2, 'ContextMerged', undefined, undefined],
    [3, 'StepSkipped', 'zero', 'CONDITION_FALSE'],
    [4, 'StepOffered', 'one', undefined],
    [5, 'OutputSubmitted', 'one', undefined],
    [6, 'ValidationPerformed', 'one', undefined],
    [7, 'StepBlocked', 'one', 'CONTAINS_MISSING'],
    [8, 'OutputSubmitted', 'one', undefined],
    [9, 'ValidationPerformed', 'one', undefined],
    [10, 'StepCompleted', 'one', undefined],
    [11, 'RunCompleted', undefined, undefined],
  ]);
  expect(JSON.stringify(status)).not.toMatch(/Do one|ctxSecret|"A"|"B"/);
});

test('names each way in which an output fails once', async () => {
  const validationCriteria = ['A', 'C'].map((value) => ({ type: 'contains', value, message: value }));
  const { runs, start } = await openDesk([step('one', { validationCriteria })]);
  const { runId, token } = await start();
  const { issues } = await runs.continue(caller, { token, output: 'B' });
  expect(issues).toHaveLength(2);
  const { history } = await runs.status(caller, runId);
  expect(history.find(({ type }) => type === 'StepBlocked')?.reason).toBe('CONTAINS_MISSING');
});

test('gives new attempts to a step that has none left', async () => {
  const { runs, start } = await openDesk([step('one', rule('A'))], { limits: { attempts: 1 } });
  const { token, runId } = await start();
  const blocked = await runs.continue(caller, { token, output: 'B' });
  expect(blocked.attemptsLeft).toBe(0);
  expect(await refusalCode(runs.continue(caller, { token: blocked.token, output: 'A' }))).toBe(
    'ATTEMPTS_EXHAUSTED',
  );
  const reset = await runs.resetAttempts(runId);
  expect(reset).toMatchObject({ status: 'running', attemptsLeft: 1, issues: [] });
  expect((await runs.continue(caller, { token: reset.token, output: 'A' })).status).toBe('completed');
});
