import { hasNewer } from '../scanner/check-action-versions.ts';
import type { ScannedAction, ScannedTool } from '../scanner/scanned-tool.ts';
import { texts, type OptionRules } from '../shared/option-rules.ts';

/** Which actions are visible, by tags. All conditions must hold; an empty list is no condition. */
export interface ToolFilter {
  /** The action must have all of them. */
  readonly tags?: readonly string[];
  /** The action must have at least one of them. */
  readonly anyTag?: readonly string[];
  /** The action must have none of them. */
  readonly exclude?: readonly string[];
}

export const FILTER_RULES: OptionRules<ToolFilter> = { tags: texts, anyTag: texts, exclude: texts };

/** A filter that nobody can change, with all its conditions. */
export function copyFilter({ tags = [], anyTag = [], exclude = [] }: ToolFilter): Required<ToolFilter> {
  return Object.freeze({
    tags: Object.freeze([...tags]),
    anyTag: Object.freeze([...anyTag]),
    exclude: Object.freeze([...exclude]),
  });
}

/** The same for filters that let the same pass. */
export function filterKey({ tags = [], anyTag = [], exclude = [] }: ToolFilter): string {
  return JSON.stringify([tags, anyTag, exclude]);
}

/** True when a filter lets everything pass. */
export function isOpenFilter(filter: ToolFilter | undefined): boolean {
  return [filter?.tags, filter?.anyTag, filter?.exclude].every(
    (list) => list === undefined || list.length === 0,
  );
}

/**
 * Removes the actions that a filter hides or whose keys are switched off, and the groups that are empty then.
 * Undefined when nothing is left: a hidden tool is a tool that does not exist.
 */
export function selectActions(
  tool: ScannedTool,
  filters: readonly ToolFilter[],
  disabled: ReadonlySet<string> = new Set(),
): ScannedTool | undefined {
  if (disabled.size === 0 && filters.every(isOpenFilter)) return tool;
  const actions = tool.actions.filter(
    (action) => filters.every((filter) => isVisible(action, filter)) && !disabled.has(action.key),
  );
  if (actions.length === 0) return undefined;
  if (actions.length === tool.actions.length) return tool;
  const groups = tool.groups.filter((group) => actions.some((action) => isBelow(action, group.path)));
  const told = actions.map((action) => withoutHiddenReplacement(action, actions));
  return Object.freeze({ ...tool, actions: Object.freeze(told), groups: Object.freeze(groups) });
}

/** Nobody is sent to what is hidden, which would also tell that it exists. */
function withoutHiddenReplacement(action: ScannedAction, visible: readonly ScannedAction[]): ScannedAction {
  const { key, version, deprecated } = action;
  if (deprecated?.use === undefined) return action;
  const { use, ...rest } = deprecated;
  const found = visible.filter((other) => other.key === use);
  if (use === key ? hasNewer(found, version) : found.length > 0) return action;
  return Object.freeze({ ...action, deprecated: Object.freeze(rest) });
}

/** True when a filter lets something with these tags pass. */
export function isVisible(
  tagged: { readonly tags: readonly string[] },
  { tags = [], anyTag = [], exclude = [] }: ToolFilter = {},
): boolean {
  const own = new Set(tagged.tags);
  return (
    tags.every((tag) => own.has(tag)) &&
    (anyTag.length === 0 || anyTag.some((tag) => own.has(tag))) &&
    !exclude.some((tag) => own.has(tag))
  );
}

function isBelow(action: ScannedAction, path: string): boolean {
  return action.group === path || (action.group?.startsWith(`${path}.`) ?? false);
}
