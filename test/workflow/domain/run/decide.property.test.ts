import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evolve, foldEvents } from '../../../../src/workflow/domain/run/evolve.ts';
import { type RunEvent, type RunState, isTerminal } from '../../../../src/workflow/domain/run/run-state.ts';
import { flow, flowContext } from './arbitrary-flow.ts';
import { DecidedRun, HOUR, invalid, valid } from './decided-run.ts';

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
