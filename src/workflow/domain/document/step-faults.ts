import { pointTo } from '../../../schema/pointer.ts';
import { documentFault, type DocumentFault } from './document-fault.ts';
import { rawStepsOf, type RawStep } from './document-steps.ts';

/** What is wrong between the steps of a document: ids that are there twice, and bodies of loops that cannot be. */
export function stepFaults(document: unknown): readonly DocumentFault[] {
  const steps = rawStepsOf(document);
  return [...duplicateIds(steps), ...wrongReferences(steps.filter(({ isTop }) => isTop))];
}

function duplicateIds(steps: readonly RawStep[]): readonly DocumentFault[] {
  const firsts = new Map<string, string>();
  const faults: DocumentFault[] = [];
  for (const { step, path } of steps) {
    const { id } = step;
    if (typeof id !== 'string') continue;
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, path);
    else
      faults.push(
        documentFault('DUPLICATE_STEP_ID', pointTo(path, 'id'), `is the id of "${first}" already.`),
      );
  }
  return faults;
}

function wrongReferences(steps: readonly RawStep[]): readonly DocumentFault[] {
  const byId = new Map(steps.map(({ step }) => [step.id, step]));
  const repeated = new Set<unknown>();
  const faults: DocumentFault[] = [];
  for (const { step, path } of steps) {
    const { type, body } = step;
    if (type !== 'loop' || typeof body !== 'string') continue;
    const target = byId.get(body);
    const what = whyNot(target?.type, target !== undefined, repeated.has(body));
    if (what !== undefined) faults.push(documentFault('INVALID_REFERENCE', pointTo(path, 'body'), what));
    repeated.add(body);
  }
  return faults;
}

function whyNot(type: unknown, isKnown: boolean, isRepeated: boolean): string | undefined {
  if (!isKnown) return 'has to be the id of a step at the top level, or an array of steps.';
  if (type === 'loop') return 'names a loop, and a loop cannot stand in a loop.';
  return isRepeated ? 'names a step that another loop repeats already.' : undefined;
}
