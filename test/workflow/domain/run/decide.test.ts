import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DecidedRun, HOUR, invalid, limits, plain, valid } from './decided-run.ts';
import { evolve, foldEvents } from '../../../../src/workflow/domain/run/evolve.ts';
import { type RunEvent, type RunState, isTerminal } from '../../../../src/workflow/domain/run/run-state.ts';
import { flow, flowContext } from './arbitrary-flow.ts';

const ifOpen = { runCondition: { var: 'open' } };

test('starts with the definition, the context, and the first step that is to be done', () => {
  const run = new DecidedRun([plain('one', ifOpen), plain('two'), plain('three')], { open: false });
  expect(run.story()).toEqual([
    'RunStarted',
    'ContextMerged',
    'StepSkipped one CONDITION_FALSE',
    'StepOffered two',
  ]);
  expect(run.events[0]!.data).toMatchObject({
    workflowId: 'flow',
    principal: 'p',
    tenant: 't',
    ttl: limits.runTtl,
  });
  expect(run.state).toMatchObject({ status: 'running', skipped: 1, completed: 0, goal: 'G' });
});

test('records no context where none was given', () => {
  expect(new DecidedRun([plain('one')]).types).toEqual(['RunStarted', 'StepOffered']);
  expect(new DecidedRun([plain('one')], {}).types).toEqual(['RunStarted', 'StepOffered']);
});

test('completes at once when every step is skipped', () => {
  const run = new DecidedRun([plain('one', ifOpen), plain('two', ifOpen)]);
  expect(run.types.at(-1)).toBe('RunCompleted');
  expect(run.state).toMatchObject({ status: 'completed', current: null, skipped: 2 });
});

test('keeps the context of a valid output, and offers the next step by it', () => {
  const run = new DecidedRun([plain('one'), plain('two', ifOpen), plain('three')]);
  run.submit({ open: true });
  expect(run.story(3)).toEqual([
    'OutputSubmitted one',
    'ValidationPerformed one',
    'StepCompleted one',
    'ContextMerged',
    'StepOffered two',
  ]);
  expect(run.state).toMatchObject({ context: { open: true }, completed: 1 });
});

test('skips for good, whatever the context says later', () => {
  const run = new DecidedRun([plain('one', ifOpen), plain('two'), plain('three')]);
  run.submit({ open: true });
  run.submit();
  expect(run.state.status).toBe('completed');
  expect(run.story()).not.toContain('StepOffered one');
});

test('blocks a step on an invalid output, and keeps nothing of it', () => {
  const run = new DecidedRun([plain('one')]);
  run.submit({ open: true }, invalid);
  expect(run.story(3)).toEqual(['OutputSubmitted one', 'ValidationPerformed one', 'StepBlocked one']);
  expect(run.state).toMatchObject({
    status: 'blocked',
    context: {},
    submitted: null,
    current: { stepId: 'one', attempts: 1 },
    blocked: { issues: invalid.issues, details: invalid.details, suggestions: invalid.suggestions },
  });
  run.submit();
  expect(run.state).toMatchObject({ status: 'completed', blocked: null });
});

test('takes no more after five invalid outputs, until the attempts are reset', () => {
  const run = new DecidedRun([plain('one')]);
  for (let attempt = 1; attempt <= 5; attempt += 1) expect(run.submit({}, invalid)).toBeUndefined();
  const before = run.events.length;
  expect(run.submit({}, invalid)).toBe('ATTEMPTS_EXHAUSTED');
  expect(run.submit()).toBe('ATTEMPTS_EXHAUSTED');
  expect(run.events).toHaveLength(before);
  run.do('reset', { actor: { kind: 'system' } });
  expect(run.events.at(-1)).toMatchObject({ type: 'StepOffered', actor: { kind: 'system' } });
  expect(run.state).toMatchObject({ status: 'running', current: { attempts: 0 }, blocked: null });
  expect(run.submit()).toBeUndefined();
  expect(run.state.status).toBe('completed');
});

test('resets nothing where nothing failed', () => {
  const run = new DecidedRun([plain('one')]);
  expect(run.do('reset', {})).toEqual({ events: [] });
});

test('keeps context without an output, and stays where it is', () => {
  const run = new DecidedRun([
    plain('one', { runCondition: { not: { var: 'done' } } }),
    plain('two', ifOpen),
  ]);
  run.do('inform', { context: { open: true, done: true } });
  expect(run.story(3)).toEqual(['ContextMerged']);
  expect(run.state).toMatchObject({ status: 'running', current: { stepId: 'one' } });
  run.submit();
  expect(run.state.current).toMatchObject({ stepId: 'two' });
});

test('leaves a blocked step blocked when it gets context', () => {
  const run = new DecidedRun([plain('one')]);
  run.submit({}, invalid);
  run.do('inform', { context: { a: 1 } });
  expect(run.state).toMatchObject({ status: 'blocked', context: { a: 1 }, current: { attempts: 1 } });
});

test('refuses a context that would become too large, and an output that is', () => {
  const run = new DecidedRun([plain('one'), plain('two')], { a: 'x'.repeat(500) });
  expect(run.submit({ b: 'x'.repeat(500) })).toBe('CONTEXT_TOO_LARGE');
  expect(run.do('inform', { context: { b: 'x'.repeat(500) } }).rejection?.code).toBe('CONTEXT_TOO_LARGE');
  expect(run.submit({ a: 'x'.repeat(900) })).toBeUndefined();
  const large = { output: 'ä'.repeat(501), validation: valid };
  expect(run.do('submit', large).rejection?.code).toBe('OUTPUT_TOO_LARGE');
  expect(run.do('submit', { ...large, output: 'ä'.repeat(500) }).rejection).toBeUndefined();
});

test('refuses what answers an earlier view', () => {
  const run = new DecidedRun([plain('one'), plain('two')]);
  run.submit();
  const { rejection } = run.do('submit', { output: 'out', validation: valid, expectedSeq: 2 });
  expect(rejection).toMatchObject({ code: 'STALE_SEQUENCE', details: { actualSeq: run.state.seq } });
});

test('takes notes wherever it stands, and the state has the latest of them', () => {
  const run = new DecidedRun([plain('one', { requireConfirmation: true })]);
  run.submit();
  for (let note = 1; note <= 60; note += 1) run.do('checkpoint', { notes: `note ${note}` });
  expect(run.state).toMatchObject({ status: 'awaiting_confirmation', current: { stepId: 'one' } });
  expect(run.state.notes).toHaveLength(50);
  expect(run.state.notes.at(-1)).toBe('note 60');
  expect(run.state.olderNotes).toBe(10);
});

test('has no more notes in the state than 16 KiB of them, and the latest one at least', () => {
  const run = new DecidedRun([plain('one')]);
  const long = 'ä'.repeat(4096);
  for (const notes of ['first', long, 'x'.repeat(8192)]) run.do('checkpoint', { notes });
  expect(run.state).toMatchObject({ notes: [long, 'x'.repeat(8192)], olderNotes: 1 });
  run.do('checkpoint', { notes: 'y' });
  expect(run.state).toMatchObject({ notes: ['x'.repeat(8192), 'y'], olderNotes: 2 });
  const longest = 'ä'.repeat(10_000);
  run.do('checkpoint', { notes: longest });
  expect(run.state).toMatchObject({ notes: [longest], olderNotes: 4 });
});

test('cancels from everywhere, and again, but not what is complete', () => {
  const run = new DecidedRun([plain('one')]);
  run.do('cancel', { reason: 'enough' });
  expect(run.state).toMatchObject({ status: 'cancelled', current: null });
  expect(run.do('cancel', {})).toEqual({ events: [] });
  expect(run.submit()).toBe('RUN_FINISHED');
  const done = new DecidedRun([plain('one')]);
  done.submit();
  expect(done.do('cancel', {}).rejection?.code).toBe('RUN_FINISHED');
});

test('expires when nothing happened for its time to live', () => {
  const run = new DecidedRun([plain('one')]);
  run.wait(limits.runTtl - 1);
  run.do('checkpoint', { notes: 'still here' });
  run.wait(limits.runTtl - 1);
  expect(run.do('expire', {})).toEqual({ events: [] });
  run.wait(1);
  expect(run.submit()).toBe('RUN_EXPIRED');
  expect(run.events.at(-1)).toMatchObject({ type: 'RunExpired', actor: { kind: 'system' } });
  expect(run.state.status).toBe('expired');
  expect(run.do('cancel', {}).rejection?.code).toBe('RUN_EXPIRED');
  run.wait(100 * HOUR);
  expect(run.do('expire', {})).toEqual({ events: [] });
});

test('finds a run expired whatever view the command answers', () => {
  const run = new DecidedRun([plain('one')]);
  run.wait(limits.runTtl);
  const late = { output: 'out', validation: valid, expectedSeq: 1 };
  expect(run.do('submit', late).rejection?.code).toBe('RUN_EXPIRED');
  expect(run.state.status).toBe('expired');
});

test('refuses whatever has no run to go with', () => {
  const run = new DecidedRun([plain('one')]);
  expect(run.do('start', { principal: 'p', tenant: 't' }).rejection?.code).toBe('STATE_ERROR');
  run.events.length = 0;
  expect(run.do('cancel', {}).rejection?.code).toBe('RUN_NOT_FOUND');
});

type Act = (run: DecidedRun) => void;

const submission: fc.Arbitrary<Act> = fc
  .tuple(fc.option(flowContext, { nil: undefined }), fc.constantFrom(valid, valid, valid, invalid))
  .map(
    ([context, validation]) =>
      (run) =>
        void run.submit(context, validation),
  );
const act: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: submission, weight: 6 },
  {
    arbitrary: fc.boolean().map((approved) => (run: DecidedRun) => void run.do('resolve', { approved })),
    weight: 4,
  },
  {
    arbitrary: flowContext.map((context) => (run: DecidedRun) => void run.do('inform', { context })),
    weight: 1,
  },
  { arbitrary: fc.constant((run: DecidedRun) => void run.do('checkpoint', { notes: 'n' })), weight: 1 },
  { arbitrary: fc.constant((run: DecidedRun) => void run.do('reset', {})), weight: 1 },
  { arbitrary: fc.constant((run: DecidedRun) => void run.do('expire', {})), weight: 1 },
  { arbitrary: fc.constantFrom(HOUR, 25 * HOUR).map((ms) => (run: DecidedRun) => run.wait(ms)), weight: 1 },
);
const ending: fc.Arbitrary<Act> = fc.constantFrom<Act>(
  (run) => void run.do('cancel', {}),
  (run) => {
    run.wait(8 * 24 * HOUR);
    run.do('expire', {});
  },
  () => {},
);

const acted = fc
  .tuple(flow, flowContext, fc.array(act, { maxLength: 40 }), ending)
  .map(([steps, context, acts, end]) => {
    const run = new DecidedRun(steps, context);
    for (const each of [...acts, end]) each(run);
    return run;
  });

function throughJson(state: RunState | null): RunState | null {
  return JSON.parse(JSON.stringify(state)) as RunState | null;
}

test('numbers events from 1 without gaps', () => {
  fc.assert(
    fc.property(acted, ({ events }) => {
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    }),
  );
});

test('comes to the same state one by one, all at once, and from a snapshot anywhere', () => {
  fc.assert(
    fc.property(acted, fc.nat(), ({ events }, cut) => {
      const all = foldEvents(events);
      const position = cut % (events.length + 1);
      const snapshot = throughJson(foldEvents(events.slice(0, position)));
      expect(foldEvents(events.slice(position), snapshot)).toEqual(all);
      expect(events.reduce<RunState | null>(evolve, null)).toEqual(all);
      expect(throughJson(all)).toEqual(all);
    }),
  );
});

test('has an open step if and only if the run is not over', () => {
  fc.assert(
    fc.property(acted, ({ state }) => {
      expect(state.current === null).toBe(isTerminal(state.status));
      expect(state.confirmation !== null).toBe(state.status === 'awaiting_confirmation');
      expect(state.blocked !== null).toBe(state.status === 'blocked');
    }),
  );
});

test('takes nothing more when a run is over', () => {
  fc.assert(
    fc.property(acted, fc.array(act, { maxLength: 10 }), (run, acts) => {
      if (!isTerminal(run.state.status)) run.do('cancel', {});
      const { length } = run.events;
      for (const each of acts) each(run);
      run.do('cancel', {});
      expect(run.events).toHaveLength(length);
    }),
  );
});

test('completes each step once, after it was offered, and the run last', () => {
  fc.assert(
    fc.property(acted, ({ events }) => {
      const at = (event: RunEvent): string => JSON.stringify(refOf(event));
      const offered = new Set(events.filter(({ type }) => type === 'StepOffered').map(at));
      const completed = events.filter(({ type }) => type === 'StepCompleted');
      for (const event of completed) expect(offered).toContain(at(event));
      expect(new Set(completed.map(at)).size).toBe(completed.length);
      const last = events.findIndex(({ type }) => type === 'RunCompleted');
      expect([-1, events.length - 1]).toContain(last);
    }),
  );
});

function refOf({ data }: RunEvent): object {
  const { stepId, iteration } = data as { readonly stepId?: string; readonly iteration?: number };
  return { stepId, iteration };
}
