import { type EvalsView, type EvaluatedCase, type EvaluatedRun, PATHS } from '../../contract.ts';
import { Loader } from './loaded.ts';
import { route } from './route.ts';
import { askApi } from './session.ts';

const views = new Loader<EvalsView>();

export const evals = views.loaded;

/** Read again whenever a person comes to them: a command may have written another report. */
export async function loadEvals(): Promise<void> {
  if (route.value[0] !== 'evals') return;
  await views.load('', async (signal) => (await (await askApi(PATHS.evals, { signal })).json()) as EvalsView);
}

/** A case whose result is another one than in the run before. */
export interface CaseChange {
  readonly kind: 'failing' | 'passing' | 'new' | 'gone';
  readonly case: EvaluatedCase;
}

/** What is different in a run: what fails now, what is done now, and which cases only one of them has. */
export function compareRuns(before: EvaluatedRun, after: EvaluatedRun): readonly CaseChange[] {
  const known = new Map(before.cases.map((each) => [each.name, each]));
  const names = new Set(after.cases.map(({ name }) => name));
  const changed = after.cases.flatMap((each): readonly CaseChange[] => {
    const earlier = known.get(each.name);
    if (earlier === undefined) return [{ kind: 'new', case: each }];
    const isDone = each.status === 'done';
    if (isDone === (earlier.status === 'done')) return [];
    return [{ kind: isDone ? 'passing' : 'failing', case: each }];
  });
  const gone = before.cases.filter(({ name }) => !names.has(name));
  const order = ['failing', 'passing', 'new', 'gone'];
  return [...changed, ...gone.map((each): CaseChange => ({ kind: 'gone', case: each }))].sort(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind),
  );
}
