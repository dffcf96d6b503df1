import type { PlainStep } from '../document/workflow-document.ts';

/** In which iterations a step is completed, by its id. */
export type CompletedIterations = ReadonlyMap<string, readonly number[]>;

const IN_LOOP = /^(.+)@([1-9]\d{0,3})$/;

/** Reads what stands as `<id>@<iteration>` among what is completed. */
export function completedIterations(completed: Iterable<string>): CompletedIterations {
  const iterations = new Map<string, number[]>();
  for (const each of completed) {
    const [, id, iteration] = IN_LOOP.exec(each) ?? [];
    if (id === undefined) continue;
    const known = iterations.get(id);
    if (known === undefined) iterations.set(id, [Number(iteration)]);
    else known.push(Number(iteration));
  }
  return iterations;
}

/** The last iteration that was begun, which says that those before were, too; 0 if none was. */
export function lastBegun(
  body: readonly PlainStep[],
  iterations: CompletedIterations,
  maxIterations: number,
): number {
  return body
    .flatMap(({ id }) => iterations.get(id) ?? [])
    .filter((iteration) => iteration <= maxIterations)
    .reduce((last, iteration) => Math.max(last, iteration), 0);
}
