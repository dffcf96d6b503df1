import type { ToolAnnotationHints } from '../../metadata/options.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { ActionFacts, ToolFacts } from './action-facts.ts';

type Marks = Pick<ActionFacts, 'isDestructive' | 'isReadOnly' | 'isIdempotent' | 'isOpenWorld'>;

/** The hints of a tool with many actions: destructive if any may be, read-only or idempotent only if all are. */
export function aggregateAnnotations(tool: Pick<ToolFacts, 'actions' | 'annotations'>): ToolAnnotationHints {
  return aggregate(tool.actions, tool.annotations);
}

/** The hints of an action that is a tool by itself. */
export function aggregateActionAnnotations(
  action: Marks,
  explicit: ToolAnnotationHints = {},
): ToolAnnotationHints {
  return aggregate([action], explicit);
}

function aggregate(actions: readonly Marks[], explicit: ToolAnnotationHints): ToolAnnotationHints {
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
