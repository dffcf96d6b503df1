import { hasNewer } from '../../scanner/actions/action-versions.ts';
import type { ScannedAction, ScannedTool } from '../../scanner/actions/scan-tools.ts';
import { texts, type OptionRules } from '../../shared/option-rules.ts';

/** Which actions are visible, by tags. All conditions must hold; an empty list does not count. */
export interface ToolFilter {
  /** The action must have all of them. */
  readonly tags?: readonly string[];
  /** The action must have at least one of them. */
  readonly anyTag?: readonly string[];
  /** The action must have none of them. */
  readonly exclude?: readonly string[];
}

export const FILTER_RULES: OptionRules<ToolFilter> = { tags: texts, anyTag: texts, exclude: texts };

/** A frozen copy of a filter with all its conditions. */
export function copyFilter({ tags = [], anyTag = [], exclude = [] }: ToolFilter): Required<ToolFilter> {
  return Object.freeze({
    tags: Object.freeze([...tags]),
    anyTag: Object.freeze([...anyTag]),
    exclude: Object.freeze([...exclude]),
  });
}

/** A key that is equal for filters that let the same actions pass. */
export function filterKey({ tags = [], anyTag = [], exclude = [] }: ToolFilter): string {
  return JSON.stringify([tags, anyTag, exclude]);
}

/** True when a filter lets everything pass. */
export function isOpenFilter(filter: ToolFilter | undefined): boolean {
  return [filter?.tags, filter?.anyTag, filter?.exclude].every(
    (list) => list === undefined || list.length === 0,
  );
}

/** The actions that no filter hides and that are not switched off. */
export function visibleActions<Action extends { readonly scanned: ScannedAction }>(
  actions: readonly Action[],
  filters: readonly ToolFilter[],
  disabled: ReadonlySet<string>,
): readonly Action[] {
  if (disabled.size === 0 && filters.every(isOpenFilter)) return actions;
  return actions.filter(
    ({ scanned }) => filters.every((filter) => isVisible(scanned, filter)) && !disabled.has(scanned.key),
  );
}

/** The groups of a tool that still have actions among those that are left. */
export function groupsOf(
  { groups }: Pick<ScannedTool, 'groups'>,
  actions: readonly ScannedAction[],
): ScannedTool['groups'] {
  return groups.filter(({ path }) => actions.some((action) => isBelow(action, path)));
}

/** Callers are not sent to a replacement that they cannot see: that would reveal it. */
export function withoutHiddenReplacement(
  action: ScannedAction,
  visible: readonly ScannedAction[],
): ScannedAction {
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
