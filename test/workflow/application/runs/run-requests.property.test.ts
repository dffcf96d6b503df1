import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RunView } from '../../../../src/workflow/application/runs/run-view.ts';
import { WorkflowError } from '../../../../src/workflow/domain/errors/workflow-error.ts';
import { foldEvents } from '../../../../src/workflow/domain/run/evolve.ts';
import { flow, flowContext } from '../../domain/run/arbitrary-flow.ts';
import { caller, openDesk, type Desk } from './run-desk.ts';

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
