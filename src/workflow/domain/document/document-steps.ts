import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';

/** A step of a document that was not checked yet. */
export interface RawStep {
  readonly step: PlainObject;
  readonly path: string;
  /** At the top level, not in the body of a loop. */
  readonly isTop: boolean;
}

/** Whatever may be a step in a document that need not be valid, in document order, up to the last one allowed. */
export function rawStepsOf(document: unknown): readonly RawStep[] {
  if (!isPlainObject(document)) return [];
  return stepsIn(firstOf(document.steps), '/steps', true).flatMap((top) => [
    top,
    ...stepsIn(top.step.body, pointTo(top.path, 'body'), false),
  ]);
}

function firstOf(steps: unknown): unknown {
  return Array.isArray(steps) ? steps.slice(0, DOCUMENT_LIMITS.steps) : steps;
}

function stepsIn(steps: unknown, path: string, isTop: boolean): readonly RawStep[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: unknown, index) =>
    isPlainObject(step) ? [{ step, path: pointTo(path, index), isTop }] : [],
  );
}
