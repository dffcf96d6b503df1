import { expect, test } from '@jest/globals';
import { caller, definitionOf, openDesk, step, stranger } from './run-desk.ts';
import { refusalCode } from '../../../support/workflow-refusal.ts';

test('shows runs to their tenant and principal only', async () => {
  const { runs, start, confirmations } = await openDesk([step('one', { requireConfirmation: true })]);
  const { runId, seq, token } = await start();
  const foreign = { tenant: 'other', principal: caller.principal };
  for (const other of [stranger, foreign]) {
    const view = { runId, expectedSeq: seq };
    expect(await refusalCode(runs.view(other, runId))).toBe('RUN_NOT_FOUND');
    expect(await refusalCode(runs.status(other, runId))).toBe('RUN_NOT_FOUND');
    expect(await refusalCode(runs.cancel(other, { runId }))).toBe('RUN_NOT_FOUND');
    expect(await refusalCode(runs.continue(other, { ...view, output: 'x' }))).toBe('RUN_NOT_FOUND');
    expect(await refusalCode(runs.checkpoint(other, { ...view, notes: 'x' }))).toBe('RUN_NOT_FOUND');
    expect(await refusalCode(runs.resolve(other, runId, { approved: true }))).toBe('RUN_NOT_FOUND');
    expect(await refusalCode(runs.pending(other, runId))).toBe('RUN_NOT_FOUND');
    expect(await refusalCode(runs.continue(other, { token }))).toBe('INVALID_TOKEN');
    expect(await runs.search(other, {})).toEqual([]);
    expect(await runs.search(other, { runId })).toEqual([]);
  }
  expect(await refusalCode(runs.view(caller, 'unknown'))).toBe('RUN_NOT_FOUND');
  expect(await refusalCode(confirmations.resolve('unknown', { approved: true }, { kind: 'user' }))).toBe(
    'RUN_NOT_FOUND',
  );
});

test('finds runs by what they are for, the latest first, without their steps', async () => {
  const { runs, wait } = await openDesk([step('one')]);
  const goals = ['Write the Report', 'Cook', 'Another report'];
  for (const goal of goals) {
    await runs.start(caller, { workflowId: 'flow', goal });
    wait(1);
  }
  const found = await runs.search(caller, { query: 'report' });
  expect(found.map(({ goal }) => goal)).toEqual(['Another report', 'Write the Report']);
  expect(await runs.search(caller, { limit: 1 })).toHaveLength(1);
  expect(JSON.stringify(found)).not.toContain('Do one.');
  expect(await refusalCode(runs.search(caller, { limit: 11 }))).toBe('INVALID_PARAMS');
});

test('keeps a run on the definition it was started with', async () => {
  const { runs, start, workflows } = await openDesk([step('one'), step('two')]);
  const first = await start();
  workflows.set('flow', definitionOf([step('one'), step('new')]));
  const second = await runs.continue(caller, { token: first.token, output: 'x' });
  expect(second).toMatchObject({ step: { id: 'two' }, definitionHash: first.definitionHash });
  workflows.clear();
  expect((await runs.continue(caller, { token: second.token, output: 'x' })).status).toBe('completed');
  expect(await refusalCode(start())).toBe('WORKFLOW_NOT_FOUND');
});

test('loads a definition from the store after a restart, and not one that was changed there', async () => {
  const { start, store } = await openDesk([step('one'), step('two')]);
  const { token } = await start();
  const later = await openDesk([step('other')], { store });
  const view = await later.runs.continue(caller, { token, output: 'x' });
  expect(view.step).toMatchObject({ id: 'two' });
  const forged = JSON.stringify({ ...definitionOf([step('forged')]), hash: undefined });
  const lying = new Proxy(store, {
    get: (target, name) => {
      if (name === 'getDefinition') return async () => forged;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const fooled = await openDesk([step('other')], { store: lying });
  expect(await refusalCode(fooled.runs.view(caller, view.runId))).toBe('STATE_ERROR');
});
