import { expect, test } from '@jest/globals';
import { caller, openDesk, step, stranger } from './run-desk.ts';
import { refusalCode } from '../../../support/workflow-refusal.ts';

test('starts one run for one key, and as many as it is asked for without', async () => {
  const { runs, store, workflows } = await openDesk([step('one')]);
  const request = { workflowId: 'flow', goal: 'G', context: { a: 1, b: 2 }, idempotencyKey: 'k:1' };
  const view = await runs.start(caller, request);
  workflows.clear();
  const again = await runs.start(caller, { ...request, context: { b: 2, a: 1 } });
  expect(JSON.stringify(again)).toBe(JSON.stringify(view));
  expect(await store.load(view.runId)).toHaveLength(view.seq);
  expect(await refusalCode(runs.start(caller, { ...request, goal: 'H' }))).toBe('IDEMPOTENCY_MISMATCH');
});

test('keeps the keys of callers apart, however they are named', async () => {
  const { runs } = await openDesk([step('one')]);
  const request = { workflowId: 'flow', idempotencyKey: 'k' };
  const callers = [
    caller,
    stranger,
    { tenant: 'a', principal: 'b:c' },
    { tenant: 'a:b', principal: 'c' },
    { tenant: 'a","b', principal: 'c' },
  ];
  const views = await Promise.all(callers.map((each) => runs.start(each, request)));
  expect(new Set(views.map(({ runId }) => runId)).size).toBe(callers.length);
});

test('gives the recorded answer to a repeat when the run has moved on', async () => {
  const { runs, start, store } = await openDesk([step('one'), step('two'), step('three')]);
  const { token, runId } = await start();
  const first = await runs.continue(caller, { token, output: 'x', idempotencyKey: 'k' });
  const second = await runs.continue(caller, { token: first.token, output: 'x' });
  expect(await runs.continue(caller, { token, output: 'x', idempotencyKey: 'k' })).toEqual(first);
  expect(await runs.continue(caller, { token: first.token, output: 'x' })).toEqual(second);
  expect(await store.load(runId)).toHaveLength(second.seq);
});

test('takes a token and the run with its seq for the same request', async () => {
  const { runs, start } = await openDesk([step('one'), step('two')]);
  const { token, runId, seq } = await start();
  const first = await runs.continue(caller, { token, output: 'x' });
  expect(await runs.continue(caller, { runId, expectedSeq: seq, output: 'x' })).toEqual(first);
  expect(await runs.continue(caller, { token, runId, expectedSeq: seq, output: 'x' })).toEqual(first);
});

test('refuses a key that was used for something else', async () => {
  const { runs, start } = await openDesk([step('one'), step('two')]);
  const { token, runId } = await start();
  const view = await runs.checkpoint(caller, { token, notes: 'n', idempotencyKey: 'k' });
  for (const work of [
    runs.checkpoint(caller, { token, notes: 'm', idempotencyKey: 'k' }),
    runs.checkpoint(caller, { token: view.token, notes: 'n', idempotencyKey: 'k' }),
    runs.continue(caller, { token: view.token, output: 'n', idempotencyKey: 'k' }),
    runs.cancel(caller, { runId, idempotencyKey: 'k' }),
  ]) {
    expect(await refusalCode(work)).toBe('IDEMPOTENCY_MISMATCH');
  }
});

test('records blocked answers, and no rejections', async () => {
  const criteria = { validationCriteria: { type: 'contains', value: 'A', message: '' } };
  const { runs, start, store } = await openDesk([step('one', criteria)], { limits: { outputBytes: 3 } });
  const { token, runId } = await start();
  const blocked = await runs.continue(caller, { token, output: 'B', idempotencyKey: 'k' });
  expect(await runs.continue(caller, { token, output: 'B', idempotencyKey: 'k' })).toEqual(blocked);
  const large = { token: blocked.token, idempotencyKey: 'l' };
  expect(await refusalCode(runs.continue(caller, { ...large, output: 'AAAA' }))).toBe('OUTPUT_TOO_LARGE');
  expect(await store.load(runId)).toHaveLength(blocked.seq);
  expect((await runs.continue(caller, { ...large, output: 'A' })).status).toBe('completed');
});

test('gives a repeated call the answer that a user is still asked for', async () => {
  const { runs, start } = await openDesk([step('one', { requireConfirmation: true })]);
  const { token, runId } = await start();
  const request = { token, output: 'x' };
  const waiting = await runs.continue(caller, request);
  expect(waiting).toMatchObject({ status: 'awaiting_confirmation', step: { requireConfirmation: true } });
  expect(await runs.continue(caller, request)).toEqual(waiting);
  const decision = { approved: true, expectedSeq: waiting.seq };
  const done = await runs.resolve(caller, runId, decision, 'ada');
  expect(done.status).toBe('completed');
  expect(await runs.continue(caller, request)).toEqual(waiting);
  expect(await runs.resolve(caller, runId, decision, 'ada')).toEqual(done);
});

test.each([[''], ['a b'], ['ä'], ['x'.repeat(201)], ['a\n']])(
  'refuses the key %p',
  async (idempotencyKey) => {
    const { runs, start } = await openDesk([step('one')]);
    const { token, runId } = await start();
    const work = [
      runs.start(caller, { workflowId: 'flow', idempotencyKey }),
      runs.continue(caller, { token, output: 'x', idempotencyKey }),
      runs.checkpoint(caller, { token, notes: 'x', idempotencyKey }),
      runs.cancel(caller, { runId, idempotencyKey }),
    ];
    for (const each of work) expect(await refusalCode(each)).toBe('INVALID_PARAMS');
  },
);
