import { expect, test } from '@jest/globals';
import { DecidedRun, HOUR, invalid, limits, plain, valid } from './decided-run.ts';

const asked = plain('one', { requireConfirmation: true });
const user = { actor: { kind: 'user', id: 'ada' } } as const;

test('waits for a user, and keeps the submitted context only when the user approves', () => {
  const run = new DecidedRun([asked, plain('two')]);
  run.submit({ a: 1 });
  expect(run.story(3)).toEqual([
    'OutputSubmitted one',
    'ValidationPerformed one',
    'ConfirmationRequested one',
  ]);
  expect(run.state).toMatchObject({ status: 'awaiting_confirmation', context: {}, submitted: { a: 1 } });
  run.do('resolve', { approved: true, comment: 'fine', ...user });
  expect(run.story(6)).toEqual([
    'ConfirmationResolved one',
    'StepCompleted one',
    'ContextMerged',
    'StepOffered two',
  ]);
  expect(run.events[5]).toMatchObject({ actor: { kind: 'user', id: 'ada' }, data: { comment: 'fine' } });
  expect(run.state).toMatchObject({ status: 'running', context: { a: 1 }, submitted: null, completed: 1 });
});

test('blocks the step when the user rejects it, which is not a failed attempt', () => {
  const run = new DecidedRun([asked]);
  run.submit({ a: 1 });
  run.do('resolve', { approved: false, comment: 'too short', ...user });
  expect(run.story(6)).toEqual(['ConfirmationResolved one', 'StepBlocked one']);
  expect(run.state).toMatchObject({
    status: 'blocked',
    context: {},
    submitted: null,
    confirmation: null,
    current: { attempts: 0 },
    blocked: {
      issues: ['The user rejected the step: too short'],
      details: [{ code: 'CONFIRMATION_REJECTED', path: '' }],
    },
  });
  expect(run.submit()).toBeUndefined();
  expect(run.state.status).toBe('awaiting_confirmation');
});

test('takes neither outputs nor context while it waits', () => {
  const run = new DecidedRun([asked]);
  run.submit();
  expect(run.submit()).toBe('AWAITING_CONFIRMATION');
  expect(run.do('inform', { context: { a: 1 } }).rejection?.code).toBe('AWAITING_CONFIRMATION');
  expect(run.do('reset', {}).rejection?.code).toBe('AWAITING_CONFIRMATION');
  run.do('cancel', {});
  expect(run.state).toMatchObject({ status: 'cancelled', confirmation: null });
});

test('blocks the step without an answer in time, and the next command comes after that', () => {
  const run = new DecidedRun([asked]);
  run.submit({ a: 1 });
  run.wait(limits.confirmationTtl - 1);
  expect(run.do('expire', {})).toEqual({ events: [] });
  run.wait(1);
  expect(run.submit({ a: 2 })).toBeUndefined();
  expect(run.story(6)).toEqual([
    'StepBlocked one',
    'OutputSubmitted one',
    'ValidationPerformed one',
    'ConfirmationRequested one',
  ]);
  expect(run.events[5]).toMatchObject({
    actor: { kind: 'system' },
    data: { details: [{ code: 'CONFIRMATION_EXPIRED' }] },
  });
});

test('does not count a consent that comes too late', () => {
  const run = new DecidedRun([asked]);
  run.submit();
  run.wait(25 * HOUR);
  const { rejection } = run.do('resolve', { approved: true, ...user });
  expect(rejection).toMatchObject({ code: 'CONFIRMATION_EXPIRED', details: { stepId: 'one' } });
  expect(run.state).toMatchObject({
    status: 'blocked',
    blocked: { details: [{ code: 'CONFIRMATION_EXPIRED' }] },
  });
});

test('does not take the answer to one question for that to a later one', () => {
  const run = new DecidedRun([asked]);
  run.submit();
  const shownSeq = run.state.seq;
  run.do('checkpoint', { notes: 'still the same question' });
  run.wait(25 * HOUR);
  run.submit();
  expect(run.do('resolve', { approved: true, shownSeq }).rejection?.code).toBe('STALE_SEQUENCE');
  expect(run.state.status).toBe('awaiting_confirmation');
  run.do('checkpoint', { notes: 'shown again' });
  expect(run.do('resolve', { approved: true, shownSeq: run.state.seq - 1 }).rejection).toBeUndefined();
  expect(run.state.status).toBe('completed');
});

test.each([
  [1, 5, 'awaiting_confirmation'],
  [5, 1, 'awaiting_confirmation'],
  [1, 1, 'completed'],
])('with a risk of %d before and %d after the submission, it is %s', (before, after, status) => {
  const run = new DecidedRun([plain('one', { requireConfirmation: { var: 'risk', gt: 3 } })], {
    risk: before,
  });
  run.submit({ risk: after });
  expect(run.state.status).toBe(status);
});

test('takes no answer to a view that is yet to come', () => {
  const run = new DecidedRun([asked]);
  run.submit();
  const { seq } = run.state;
  const early = run.do('resolve', { approved: true, shownSeq: seq + 1 });
  expect(early.rejection).toMatchObject({ code: 'STALE_SEQUENCE', details: { actualSeq: seq } });
  expect(run.do('resolve', { approved: true, shownSeq: seq }).rejection).toBeUndefined();
});

test('finds a confirmation expired whatever view the command answers', () => {
  const run = new DecidedRun([asked]);
  run.submit();
  const { seq } = run.state;
  run.wait(25 * HOUR);
  const late = { output: 'out', validation: valid, expectedSeq: 1 };
  expect(run.do('submit', late).rejection).toMatchObject({
    code: 'STALE_SEQUENCE',
    details: { actualSeq: seq + 1 },
  });
  expect(run.state).toMatchObject({
    status: 'blocked',
    blocked: { details: [{ code: 'CONFIRMATION_EXPIRED' }] },
  });
});

test('refuses a decision where none is asked for', () => {
  const run = new DecidedRun([asked]);
  expect(run.do('resolve', { approved: true }).rejection?.code).toBe('STALE_SEQUENCE');
});

test('refuses an output that was never checked', () => {
  const run = new DecidedRun([asked]);
  expect(run.do('submit', { output: 'out', validation: null }).rejection?.code).toBe('STATE_ERROR');
  expect(run.do('submit', { output: 'out', validation: valid }).rejection).toBeUndefined();
});

test('distinguishes a late answer from one to a question that was decided before', () => {
  const run = new DecidedRun([asked, { ...asked, id: 'two' }]);
  run.submit();
  const first = run.state.seq;
  run.do('resolve', { approved: true, shownSeq: first });
  run.submit();
  const second = run.state.seq;
  run.wait(25 * HOUR);
  expect(run.do('resolve', { approved: false, shownSeq: first }).rejection?.code).toBe('STALE_SEQUENCE');
  expect(run.do('resolve', { approved: true, shownSeq: second }).rejection?.code).toBe(
    'CONFIRMATION_EXPIRED',
  );
  run.submit({}, invalid);
  expect(run.do('resolve', { approved: true, shownSeq: second }).rejection?.code).toBe('STALE_SEQUENCE');
});
