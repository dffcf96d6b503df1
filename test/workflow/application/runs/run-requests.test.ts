import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { caller, openDesk, step, type Desk } from './run-desk.ts';
import { refusal, refusalCode } from '../../../support/workflow-refusal.ts';
import type { RunView } from '../../../../src/workflow/application/runs/run-view.ts';
import { WorkflowError } from '../../../../src/workflow/domain/errors/workflow-error.ts';
import { foldEvents } from '../../../../src/workflow/domain/run/evolve.ts';
import { flow, flowContext } from '../../domain/run/arbitrary-flow.ts';

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const circular: Record<string, unknown> = {};
circular['self'] = circular;

const badContexts: readonly unknown[] = [
  null,
  [],
  'text',
  JSON.parse('{"__proto__": {"a": 1}}'),
  { deep: JSON.parse('[{"__proto__": 1}]') as unknown },
  { a: 'nul \0' },
  { 'nul \0': 1 },
  { a: Number.NaN },
  { a: Infinity },
  { a: undefined },
  { a: 1n },
  { a: () => 1 },
  { a: new Date(0) },
  { a: new Map() },
  { a: nested(100_000) },
  circular,
];

test.each(badContexts.map((context) => [context]))(
  'refuses a context that is not a JSON object: %#',
  async (context) => {
    const { runs, start } = await openDesk([step('one')]);
    const { token } = await start();
    const given = context as Record<string, unknown>;
    expect(await refusalCode(runs.start(caller, { workflowId: 'flow', context: given }))).toBe(
      'INVALID_PARAMS',
    );
    expect(await refusalCode(runs.continue(caller, { token, output: 'x', context: given }))).toBe(
      'INVALID_PARAMS',
    );
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  },
);

test('merges the own keys of contexts, one level deep', async () => {
  const { runs, start, store } = await openDesk([step('one'), step('two')]);
  const { token, runId } = await start({ a: { x: 1 }, b: 1, constructor: 'c' });
  await runs.continue(caller, { token, output: 'x', context: { a: { y: 2 }, toString: 't' } });
  const merged = (await store.load(runId)).filter(({ type }) => type === 'ContextMerged');
  expect(merged.map(({ data }) => data)).toEqual([
    { context: { a: { x: 1 }, b: 1, constructor: 'c' } },
    { context: { a: { y: 2 }, toString: 't' } },
  ]);
});

test('keeps no hold on what the caller may change later', async () => {
  const { runs, start, store } = await openDesk([step('one'), step('two')]);
  const { token, runId } = await start();
  const context = { list: [1] };
  const view = runs.continue(caller, { token, output: 'x', context });
  context.list.push(2);
  await view;
  expect(await store.load(runId)).toContainEqual(
    expect.objectContaining({ type: 'ContextMerged', data: { context: { list: [1] } } }),
  );
});

test('refuses U+0000 everywhere, and texts that are too long or too short', async () => {
  const { runs, start } = await openDesk([step('one')]);
  const { token, runId, seq } = await start();
  const work = [
    runs.start(caller, { workflowId: 'fl\0ow' }),
    runs.start(caller, { workflowId: 'flow', goal: 'a\0' }),
    runs.start(caller, { workflowId: 'flow', goal: 'a'.repeat(2001) }),
    runs.continue(caller, { token, output: 'a\0' }),
    runs.continue(caller, { token, output: 1 as unknown as string }),
    runs.continue(caller, { runId: 'a\0', expectedSeq: seq, output: 'a' }),
    runs.checkpoint(caller, { token, notes: '' }),
    runs.checkpoint(caller, { token, notes: 'a'.repeat(10_001) }),
    runs.checkpoint(caller, { token, notes: 'a\0' }),
    runs.cancel(caller, { runId, reason: 'a\0' }),
    runs.view(caller, 'a\0'),
    runs.search(caller, { query: 'a\0' }),
    runs.resolve(caller, runId, { approved: true, comment: 'a\0' }),
    runs.resolve(caller, runId, { approved: true }, 'a\0'),
  ];
  for (const each of work) expect(await refusalCode(each)).toBe('INVALID_PARAMS');
});

test('counts characters as code points', async () => {
  const { runs } = await openDesk([step('one')]);
  const goal = '\u{1F600}'.repeat(2000);
  const { token, runId } = await runs.start(caller, { workflowId: 'flow', goal });
  const longer = { workflowId: 'flow', goal: `${goal}!` };
  expect(await refusal(runs.start(caller, longer))).toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringContaining('2001 characters'),
  });
  const notes = '\u{1F600}'.repeat(10_000);
  expect(await refusalCode(runs.checkpoint(caller, { token, notes: `${notes}!` }))).toBe('INVALID_PARAMS');
  expect((await runs.checkpoint(caller, { token, notes })).notes).toEqual([notes]);
  expect(await refusalCode(runs.cancel(caller, { runId, reason: `${notes}!` }))).toBe('INVALID_PARAMS');
  expect((await runs.cancel(caller, { runId, reason: notes })).status).toBe('cancelled');
});

test('measures context and output in bytes', async () => {
  const { runs, start } = await openDesk([step('one'), step('two'), step('three')]);
  const { token } = await start();
  const limit = 256 * 1024;
  const exact = { a: 'x'.repeat(limit - '{"a":""}'.length) };
  const next = await runs.continue(caller, { token, output: 'x'.repeat(limit), context: exact });
  expect(next.step).toMatchObject({ id: 'two' });
  const large = await refusal(runs.continue(caller, { token: next.token, output: 'x', context: { b: 1 } }));
  expect(large).toMatchObject({ code: 'CONTEXT_TOO_LARGE', details: { limit } });
  const output = 'ä'.repeat(limit / 2 + 1);
  expect(await refusalCode(runs.continue(caller, { token: next.token, output }))).toBe('OUTPUT_TOO_LARGE');
  expect(await refusalCode(runs.start(caller, { workflowId: 'flow', context: { ...exact, b: 1 } }))).toBe(
    'CONTEXT_TOO_LARGE',
  );
});

test('takes texts with half of a surrogate pair, and gives them back', async () => {
  const { runs, start } = await openDesk([step('one')]);
  const { token } = await start({ half: '\ud800' });
  const request = { token, output: 'x \udfff', context: { other: '\udfff' } };
  const view = await runs.continue(caller, request);
  expect(view.status).toBe('completed');
  expect(await runs.continue(caller, request)).toEqual(view);
});

/** A request that answers a view. */
type Ask = (desk: Desk, view: RunView) => Promise<RunView>;

const ask: fc.Arbitrary<Ask> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom('done', ' '), fc.option(flowContext, { nil: undefined })).map(
      ([output, context]): Ask =>
        ({ runs }, { token }) =>
          runs.continue(caller, context === undefined ? { token, output } : { token, output, context }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.boolean().map(
      (approved): Ask =>
        ({ runs }, { runId, seq }) =>
          runs.resolve(caller, runId, { approved, expectedSeq: seq }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Ask>(({ runs }, { token }) => runs.checkpoint(caller, { token, notes: 'n' })),
  },
  { weight: 1, arbitrary: fc.constant<Ask>(({ runs }, { runId }) => runs.cancel(caller, { runId })) },
);

interface Answered {
  readonly repeat: () => Promise<RunView>;
  readonly view: RunView;
}

/** Asks one after the other, each with the latest view; what is refused leaves the view as it is. */
async function askAll(desk: Desk, first: RunView, asks: readonly Ask[]): Promise<readonly Answered[]> {
  const answered: Answered[] = [];
  let latest = first;
  for (const each of asks) {
    const answers = latest;
    const repeat = (): Promise<RunView> => each(desk, answers);
    const { length } = await desk.store.load(first.runId);
    const view = await repeat().catch((error: unknown) => {
      if (error instanceof WorkflowError) return undefined;
      throw error;
    });
    const isChanged = (await desk.store.load(first.runId)).length > length;
    expect(isChanged && view === undefined).toBe(false);
    if (view === undefined || !isChanged) continue;
    answered.push({ repeat, view });
    latest = view;
  }
  return answered;
}

test('answers every repeat byte for byte, and records nothing of it', async () => {
  await fc.assert(
    fc.asyncProperty(flow, flowContext, fc.array(ask, { maxLength: 15 }), async (steps, context, asks) => {
      const desk = await openDesk(steps, { limits: { snapshotEvery: 5 } });
      const first = await desk.start(context);
      const answered = await askAll(desk, first, asks);
      const events = JSON.stringify(await desk.store.load(first.runId));
      for (const { repeat, view } of answered) {
        expect(JSON.stringify(await repeat())).toBe(JSON.stringify(view));
      }
      expect(JSON.stringify(await desk.store.load(first.runId))).toBe(events);
    }),
    { numRuns: 60 },
  );
});

test('keeps snapshots and summaries that agree with the events', async () => {
  await fc.assert(
    fc.asyncProperty(flow, flowContext, fc.array(ask, { maxLength: 15 }), async (steps, context, asks) => {
      const { store, ...desk } = await openDesk(steps, { limits: { snapshotEvery: 3 } });
      const { runId } = await desk.start(context);
      await askAll({ store, ...desk }, await desk.runs.view(caller, runId), asks);
      const events = await store.load(runId);
      const snapshot = await store.getSnapshot(runId);
      const { state } = JSON.parse(snapshot?.state ?? '{}') as { readonly state?: unknown };
      const { seq = 0 } = snapshot ?? {};
      expect(state ?? null).toEqual(foldEvents(events.slice(0, seq)));
      expect(events.length - seq).toBeLessThan(3);
      const { status } = foldEvents(events)!;
      expect(await store.getSummary(runId)).toMatchObject({ status, seq: events.length });
    }),
    { numRuns: 60 },
  );
});
