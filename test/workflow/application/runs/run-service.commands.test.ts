import { expect, test } from '@jest/globals';
import type { RunEvent } from '../../../../src/workflow/domain/run/run-state.ts';
import type { RunView } from '../../../../src/workflow/application/runs/run-view.ts';
import { InMemoryRunStore } from '../../../../src/workflow/run-stores/memory-run-store.ts';
import { caller, HOUR, openDesk, step } from './run-desk.ts';
import { refusal, refusalCode } from '../../../support/workflow-refusal.ts';

const WEEK = 7 * 24 * HOUR;

/** As if a later version of the package had been at work. */
async function appendStrange(store: InMemoryRunStore, runId: string): Promise<void> {
  const [summary, events] = [await store.getSummary(runId), await store.load(runId)];
  const strange = { ...events[1]!, seq: 3, type: 'StepMoved' } as unknown as RunEvent;
  await store.append({ runId, expectedSeq: 2, events: [strange], summary: { ...summary!, seq: 3 } });
}

test('finds a run expired a week after its last event, and records that', async () => {
  const { runs, start, wait } = await openDesk([step('one')]);
  const first = await start();
  wait(WEEK - 1);
  const { token, runId, expiresAt } = await runs.checkpoint(caller, { token: first.token, notes: 'n' });
  expect(expiresAt).toBe(new Date(Date.UTC(2026, 0, 1) + 2 * WEEK - 1).toISOString());
  wait(WEEK);
  expect(await refusalCode(runs.continue(caller, { token, output: 'x' }))).toBe('RUN_EXPIRED');
  expect(await runs.view(caller, runId)).toMatchObject({ status: 'expired', step: null });
  for (const work of [
    runs.continue(caller, { token, output: 'x' }),
    runs.checkpoint(caller, { token, notes: 'x' }),
    runs.cancel(caller, { runId }),
  ]) {
    expect(await refusalCode(work)).toBe('RUN_EXPIRED');
  }
});

test('sweeps as many runs as it is asked to, the oldest first, and terminal ones never', async () => {
  const { runs, store, start, wait } = await openDesk([step('one')]);
  const views = [await start()];
  for (const milliseconds of [1, 2]) {
    wait(milliseconds);
    views.push(await start());
  }
  const cancelled = await start();
  await runs.cancel(caller, { runId: cancelled.runId });
  wait(WEEK);
  expect(await runs.expireRuns({ limit: 2 })).toBe(2);
  const statuses = await Promise.all(views.map(async ({ runId }) => (await store.getSummary(runId))?.status));
  expect(statuses).toEqual(['expired', 'expired', 'running']);
  expect(await runs.expireRuns()).toBe(1);
  expect(await runs.expireRuns()).toBe(0);
  expect((await runs.view(caller, cancelled.runId)).status).toBe('cancelled');
});

test('logs a run that cannot be changed, and goes on with the others', async () => {
  const store = new InMemoryRunStore();
  const { runs, start, wait, log } = await openDesk([step('one')], { store });
  const { runId } = await start();
  await appendStrange(store, runId);
  wait(1);
  await start();
  wait(WEEK);
  expect(await runs.expireRuns()).toBe(1);
  expect(log).toContainEqual(expect.objectContaining({ event: 'workflow.run.expiry-failed', runId }));
});

test('comes to the runs behind those that cannot be changed, and tries these again the next time', async () => {
  const store = new InMemoryRunStore();
  const { runs, start, wait, log } = await openDesk([step('one')], { store });
  for (let index = 0; index < 3; index += 1) await appendStrange(store, (await start()).runId);
  wait(1);
  const views = [await start(), await start()];
  wait(WEEK);
  expect(await runs.expireRuns({ limit: 1 })).toBe(1);
  expect(await runs.expireRuns()).toBe(1);
  for (const { runId } of views) expect((await runs.view(caller, runId)).status).toBe('expired');
  expect(log.filter(({ event }) => event === 'workflow.run.expiry-failed')).toHaveLength(6);
});

test('goes through more runs than a store is asked for at once', async () => {
  const { runs, start, wait } = await openDesk([step('one')]);
  for (let index = 0; index < 101; index += 1) await start();
  wait(WEEK);
  expect(await runs.expireRuns()).toBe(101);
});

test('counts no run that time did nothing to', async () => {
  const store = new InMemoryRunStore();
  const { runs, start } = await openDesk([step('one')], { store });
  const { runId } = await start();
  // As if the summary had been written by another clock
  store.findExpired = async () => [runId];
  expect(await runs.expireRuns({ limit: 1 })).toBe(0);
  expect(await refusalCode(runs.expireRuns({ limit: 0 }))).toBe('INVALID_PARAMS');
});

test('lets a run be read that has an event it does not know, and nothing else', async () => {
  const store = new InMemoryRunStore();
  const { runs, start } = await openDesk([step('one')], { store });
  const { runId, token } = await start();
  await appendStrange(store, runId);
  expect(await refusalCode(runs.continue(caller, { token, output: 'x' }))).toBe('STATE_ERROR');
  expect(await refusalCode(runs.cancel(caller, { runId }))).toBe('STATE_ERROR');
  expect(await refusalCode(runs.view(caller, runId))).toBe('STATE_ERROR');
  const { history, seq } = await runs.status(caller, runId);
  expect(seq).toBe(2);
  expect(history.map(({ type }) => type)).toEqual(['RunStarted', 'StepOffered', 'StepMoved']);
});

test.each([
  ['a confirmation that expired', 25 * HOUR, 'blocked', ['CONFIRMATION_EXPIRED']],
  ['a run that expired', 8 * 24 * HOUR, 'expired', []],
])('shows %s before anybody has recorded it, and records nothing', async (_what, time, status, codes) => {
  const { runs, confirmations, store, start, wait } = await openDesk([
    step('one', { requireConfirmation: true }),
  ]);
  const { token, runId } = await start();
  const waiting = await runs.continue(caller, { token, output: 'x' });
  const look = async () => {
    const told = [
      await runs.view(caller, runId),
      await runs.continue(caller, { token: waiting.token }),
      await runs.status(caller, runId),
    ];
    const listed = [...(await runs.search(caller, {})), ...(await runs.search(caller, { runId }))];
    const waits = (await confirmations.pending({ tenant: 'acme', limit: 10 })).runs.length;
    return {
      waits,
      statuses: [...told, ...listed].map((each) => each.status),
      codes: told.map(({ details }) => details.map(({ code }) => code)),
      suggestions: told.map(({ suggestions }) => suggestions),
    };
  };
  expect((await look()).statuses).toEqual(Array(5).fill('awaiting_confirmation'));
  wait(time);
  const before = await look();
  expect(before).toMatchObject({ waits: 0, statuses: Array(5).fill(status), codes: Array(3).fill(codes) });
  expect((await store.getSummary(runId))?.seq).toBe(waiting.seq);
  expect(await runs.expireRuns()).toBe(1);
  expect(await look()).toEqual(before);
});

test('gives a late decision the view to go on from', async () => {
  const { runs, start, wait } = await openDesk([step('one', { requireConfirmation: true })]);
  const { token, runId } = await start();
  await runs.continue(caller, { token, output: 'x' });
  wait(25 * HOUR);
  const late = await refusal(runs.resolve(caller, runId, { approved: true }));
  expect(late).toMatchObject({
    code: 'CONFIRMATION_EXPIRED',
    message: 'The decision comes too late: it could be made until 2026-01-02T00:00:00.000Z.',
    suggestions: ['submit the step again; the user is asked again'],
  });
  const { view } = late.details as { view: RunView };
  expect(view).toMatchObject({ status: 'blocked', step: { id: 'one' } });
  const again = await runs.continue(caller, { token: view.token, output: 'y' });
  expect((await runs.resolve(caller, runId, { approved: true, expectedSeq: again.seq })).status).toBe(
    'completed',
  );
});
