import { expect, test } from '@jest/globals';
import type { UserActor } from '../../../../src/workflow/application/runs/confirmations.ts';
import type { WorkflowStep } from '../../../../src/workflow/domain/document/workflow-document.ts';
import { caller, HOUR, openDesk, step } from './run-desk.ts';
import { refusalCode } from '../../../support/workflow-refusal.ts';

const asked = step('one', { requireConfirmation: true });
const ada: UserActor = { kind: 'user', id: 'ada' };

test('shows a user what waits, and goes on when the user approves', async () => {
  const { runs, start, confirmations } = await openDesk([asked, step('two')]);
  const { token, runId } = await start();
  expect(await confirmations.describe(runId)).toBeNull();
  const waiting = await runs.continue(caller, { token, output: 'my output', context: { a: 1 } });
  const { runs: found } = await confirmations.pending({ tenant: 'acme', limit: 10 });
  expect(found.map((each) => each.runId)).toEqual([runId]);
  expect((await confirmations.pending({ tenant: 'other', limit: 10 })).runs).toEqual([]);
  expect(await confirmations.describe(runId)).toEqual({
    runId,
    stepId: 'one',
    seq: waiting.seq,
    workflowId: 'flow',
    title: 'Title of one',
    output: 'my output',
    context: { a: 1 },
    expiresAt: '2026-01-02T00:00:00.000Z',
  });
  const view = await confirmations.resolve(runId, { approved: true }, ada);
  expect(view).toMatchObject({ status: 'running', step: { id: 'two' } });
  const { history } = await runs.status(caller, runId);
  expect(history).toContainEqual(
    expect.objectContaining({ type: 'ConfirmationResolved', actor: 'user:ada', reason: 'approved' }),
  );
});

test('names a question the same way while it waits, and takes the answer to it', async () => {
  const { runs, start } = await openDesk([asked]);
  const { token, runId } = await start();
  const waiting = await runs.continue(caller, { token, output: 'x' });
  const { token: later } = await runs.checkpoint(caller, { token: waiting.token, notes: 'still waiting' });
  const pending = await runs.pending(caller, runId);
  expect(pending).toMatchObject({ stepId: 'one', output: 'x', seq: waiting.seq });
  await runs.checkpoint(caller, { token: later, notes: 'waiting all the same' });
  expect(await runs.pending(caller, runId)).toEqual(pending);
  const decision = { approved: true, expectedSeq: pending!.seq };
  const done = await runs.resolve(caller, runId, decision);
  expect(done.status).toBe('completed');
  expect(await runs.resolve(caller, runId, decision)).toEqual(done);
  expect(await runs.pending(caller, runId)).toBeNull();
});

test('has nothing to ask about a loop but the loop, and nothing when it is too late', async () => {
  const loop = { type: 'for', count: 1, maxIterations: 1 };
  const body = [step('body', { requireConfirmation: true })];
  const loopStep = { id: 'loop', type: 'loop', title: 'Loop', loop, body, requireConfirmation: true };
  const { runs, start, wait } = await openDesk([step('one'), loopStep as WorkflowStep]);
  const { token, runId } = await start();
  await runs.continue(caller, { token, output: 'of another step' });
  const pending = await runs.pending(caller, runId);
  expect(pending).toMatchObject({ stepId: 'loop', title: 'Loop' });
  expect(pending).not.toHaveProperty('output');
  const { token: next } = await runs.resolve(caller, runId, { approved: true });
  await runs.continue(caller, { token: next, output: 'of the body', context: { a: 1 } });
  expect(await runs.pending(caller, runId)).toMatchObject({
    stepId: 'body',
    iteration: 1,
    output: 'of the body',
    context: { a: 1 },
  });
  wait(24 * HOUR - 1);
  expect(await runs.pending(caller, runId)).not.toBeNull();
  wait(1);
  expect(await runs.pending(caller, runId)).toBeNull();
});

test('blocks the step when the user rejects it', async () => {
  const { runs, start, confirmations } = await openDesk([asked]);
  const { token, runId } = await start();
  await runs.continue(caller, { token, output: 'x' });
  const view = await confirmations.resolve(runId, { approved: false, comment: 'no' }, ada);
  expect(view).toMatchObject({
    status: 'blocked',
    details: [{ code: 'CONFIRMATION_REJECTED' }],
    issues: ['The user rejected the step: no'],
    suggestions: ['change what the user rejected, and submit the step again'],
    attemptsLeft: 5,
  });
});

test('takes consent from users only, and nothing in its place', async () => {
  const { runs, start, confirmations } = await openDesk([asked]);
  const { token, runId } = await start();
  await runs.continue(caller, { token, output: 'x', context: { approved: true } });
  const agent = { kind: 'agent' } as unknown as UserActor;
  expect(await refusalCode(confirmations.resolve(runId, { approved: true }, agent))).toBe('INVALID_PARAMS');
  const vague = { approved: 'yes' as unknown as boolean };
  expect(await refusalCode(confirmations.resolve(runId, vague, ada))).toBe('INVALID_PARAMS');
  expect((await runs.view(caller, runId)).status).toBe('awaiting_confirmation');
});

test('lets one of two users decide', async () => {
  const { runs, start, confirmations } = await openDesk(
    [asked, asked].map((each, index) => ({ ...each, id: `step-${index}` })),
  );
  const { token, runId } = await start();
  const { seq: expectedSeq } = await runs.continue(caller, { token, output: 'x' });
  const outcomes = await Promise.allSettled([
    confirmations.resolve(runId, { approved: true, expectedSeq }, ada),
    confirmations.resolve(runId, { approved: false, expectedSeq }, { kind: 'user', id: 'bob' }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'STALE_SEQUENCE', details: { view: { runId } } },
  });
});

test('blocks what was not confirmed in time', async () => {
  const { runs, start, wait } = await openDesk([asked]);
  const { token, runId } = await start();
  await runs.continue(caller, { token, output: 'x' });
  wait(24 * HOUR - 1);
  expect(await runs.expireRuns()).toBe(0);
  wait(1);
  expect(await runs.expireRuns()).toBe(1);
  const view = await runs.view(caller, runId);
  expect(view).toMatchObject({ status: 'blocked', details: [{ code: 'CONFIRMATION_EXPIRED' }] });
  expect(await refusalCode(runs.resolve(caller, runId, { approved: true }))).toBe('CONFIRMATION_EXPIRED');
});

test('notices a confirmation that expired when the step is handed in again', async () => {
  const { runs, start, wait } = await openDesk([asked]);
  const { token, runId } = await start();
  const waiting = await runs.continue(caller, { token, output: 'x' });
  wait(25 * HOUR);
  const again = await runs.continue(caller, { token: waiting.token, output: 'y' });
  expect(again).toMatchObject({ status: 'awaiting_confirmation', seq: waiting.seq + 4 });
  expect(await refusalCode(runs.resolve(caller, runId, { approved: true, expectedSeq: waiting.seq }))).toBe(
    'STALE_SEQUENCE',
  );
  const done = await runs.resolve(caller, runId, { approved: true, expectedSeq: again.seq });
  expect(done.status).toBe('completed');
});
