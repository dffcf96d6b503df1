import type { TaskMode, TaskSupport } from '../../call/action-options.ts';
import type { ToolAnnotationHints } from '../../metadata/options.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { ActionFacts, ToolFacts } from './action-facts.ts';

type Marks = Pick<ActionFacts, 'isDestructive' | 'isReadOnly' | 'isIdempotent' | 'isOpenWorld'>;

/** The hints of a tool with its actions: destructive if any may be, read-only or idempotent only if all are. */
export function aggregateAnnotations({
  actions,
  annotations: explicit,
}: Pick<ToolFacts, 'actions' | 'annotations'>): ToolAnnotationHints {
  const hints = new Map<string, unknown>([
    ['readOnlyHint', actions.length > 0 && actions.every((action) => action.isReadOnly)],
    ['destructiveHint', actions.some((action) => action.isDestructive)],
    ['idempotentHint', actions.length > 0 && actions.every((action) => action.isIdempotent)],
  ]);
  const openWorld = aggregateOpenWorld(actions);
  if (openWorld !== undefined) hints.set('openWorldHint', openWorld);
  for (const [hint, value] of Object.entries(explicit)) if (value !== undefined) hints.set(hint, value);
  return deepFreeze(deepCopy(Object.fromEntries(hints)));
}

function aggregateOpenWorld(actions: readonly Marks[]): boolean | undefined {
  if (actions.some((action) => action.isOpenWorld === true)) return true;
  if (actions.length > 0 && actions.every((action) => action.isOpenWorld === false)) return false;
  return undefined;
}

/**
 * What a tool says of the modes of its actions; undefined says that no call may be a task.
 * It requires tasks only if every action does: a client without them can still call the others.
 */
export function taskSupport(modes: readonly (TaskMode | undefined)[]): TaskSupport | undefined {
  if (modes.every((mode) => mode === undefined)) return undefined;
  return modes.every((mode) => mode === 'required') ? 'required' : 'optional';
}
