import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { InMemoryRunStore } from '../../../../src/workflow/run-stores/memory-run-store.ts';
import { caller, openDesk, step } from './run-desk.ts';
import { refusalCode } from '../../../support/workflow-refusal.ts';

const old = { id: 'old', secret: 'x'.repeat(32) };
const fresh = { id: 'new', secret: Buffer.alloc(32, 7) };

const decode = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as unknown;

test('signs the run and its seq', async () => {
  const { start } = await openDesk([step('one')], { keys: [old] });
  const { token, runId, seq } = await start();
  const [payload, signature] = token.split('.') as [string, string];
  expect(decode(token)).toEqual({ kid: 'old', runId, seq });
  expect(signature).toBe(createHmac('sha256', old.secret).update(payload).digest('base64url'));
});

test('signs with the first key, and takes tokens of all', async () => {
  const store = new InMemoryRunStore();
  const before = await openDesk([step('one'), step('two')], { store, keys: [old] });
  const { token } = await before.start();
  const during = await openDesk([step('one'), step('two')], { store, keys: [fresh, old] });
  const view = await during.runs.continue(caller, { token, output: 'x' });
  expect(decode(view.token)).toMatchObject({ kid: 'new' });
  const after = await openDesk([step('one')], { store, keys: [fresh] });
  expect(await after.runs.continue(caller, { token: view.token })).toEqual(view);
  expect(await refusalCode(after.runs.continue(caller, { token }))).toBe('INVALID_TOKEN');
});

test('keeps a key of its own in the store where none is configured', async () => {
  const store = new InMemoryRunStore();
  const one = await openDesk([step('one')], { store });
  const { token, runId } = await one.start();
  const other = await openDesk([step('one')], { store });
  expect(await other.runs.continue(caller, { token })).toMatchObject({ runId });
  const elsewhere = await openDesk([step('one')]);
  expect(await refusalCode(elsewhere.runs.continue(caller, { token }))).toBe('INVALID_TOKEN');
});

test('refuses tokens that are forged, and those that speak of another run', async () => {
  const { runs, start } = await openDesk([step('one')], { keys: [old] });
  const { token, runId, seq } = await start();
  const { runId: otherRun } = await start();
  const [payload, signature] = token.split('.') as [string, string];
  const forge = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString('base64url');
  const forged = [
    '',
    '.',
    'x',
    payload,
    `${payload}.`,
    `${payload}.${signature}x`,
    `${payload}.${signature}=`,
    `${payload}.${signature}.${signature}`,
    `${payload}=.${signature}`,
    `${forge({ kid: 'old', runId, seq: seq + 1 })}.${signature}`,
    `${forge({ kid: 'none', runId, seq })}.${signature}`,
    `${forge({ runId, seq })}.${signature}`,
    `${forge([])}.${signature}`,
    `${Buffer.from('null').toString('base64url')}.${signature}`,
    `${payload}.\0${signature}`,
    `${payload}\0.${signature}`,
    `${payload}.${signature}${'x'.repeat(1000)}`,
  ];
  for (const each of forged) {
    expect(await refusalCode(runs.continue(caller, { token: each, output: 'x' }))).toBe('INVALID_TOKEN');
  }
  expect(await refusalCode(runs.continue(caller, { token: 1 as unknown as string }))).toBe('INVALID_PARAMS');
  expect(await refusalCode(runs.continue(caller, { token, runId: otherRun }))).toBe('INVALID_TOKEN');
  expect(await refusalCode(runs.continue(caller, { token, expectedSeq: seq + 1 }))).toBe('INVALID_PARAMS');
});

test('needs a token, or the run and its seq', async () => {
  const { runs, start } = await openDesk([step('one')]);
  const { runId, seq } = await start();
  for (const ref of [
    {},
    { runId },
    { expectedSeq: seq },
    { runId, expectedSeq: 1.5 },
    { runId: '', expectedSeq: 1 },
  ]) {
    expect(await refusalCode(runs.continue(caller, { ...ref, output: 'x' }))).toBe('INVALID_PARAMS');
  }
});

test.each([[[old, { ...fresh, id: 'old' }]], [[{ id: 'short', secret: 'x'.repeat(15) }]]])(
  'refuses keys that cannot be distinguished or could be guessed',
  async (keys) => {
    expect(await refusalCode(openDesk([step('one')], { keys }))).toBe('TW_WORKFLOW_OPTION');
  },
);

test('logs no token, not even that of the view which comes with a refusal', async () => {
  const { runs, start, log } = await openDesk([step('one'), step('two')]);
  const { token } = await start();
  const view = await runs.continue(caller, { token, output: 'x' });
  expect(await refusalCode(runs.continue(caller, { token, output: 'y' }))).toBe('STALE_SEQUENCE');
  expect(log).toContainEqual(expect.objectContaining({ event: 'workflow.refused', code: 'STALE_SEQUENCE' }));
  expect(JSON.stringify(log)).not.toContain(token);
  expect(JSON.stringify(log)).not.toContain(view.token);
});
