import type { ToolGroupOptions } from '../../metadata/options.ts';
import type { Class } from '../../shared/class-type.ts';
import type { ActionDraft } from '../actions/read-actions.ts';
import type { Controller } from '../members/declared-members.ts';

/** A @ToolGroup class in its tree; the root of a tree is a tool. */
export interface GroupNode {
  readonly controller: Controller;
  readonly type: Class;
  readonly options: ToolGroupOptions;
  readonly name: string;
  /** In the order of the controllers. */
  readonly children: readonly GroupNode[];
  /** Its own, and those of other classes that name it in `groups`. */
  readonly actions: readonly ActionDraft[];
}

/** All groups of an application. */
export interface GroupForest {
  /** Each of them is a tool. */
  readonly roots: readonly GroupNode[];
  /** Groups whose parent does not exist, or that are their own ancestor; both have been reported. */
  readonly orphans: readonly GroupNode[];
}

/** From the root of a tree to one of its groups. */
export type GroupPath = readonly GroupNode[];

/** All paths from the end of a path to the groups below it; each group comes before its children. */
export function pathsBelow(path: GroupPath): readonly GroupPath[] {
  return [path, ...(path.at(-1)?.children ?? []).flatMap((child) => pathsBelow([...path, child]))];
}

/** The paths of all groups by their classes; a group without a tool stands alone. */
export function groupPaths({ roots, orphans }: GroupForest): ReadonlyMap<Class, GroupPath> {
  const paths = [...orphans.map((orphan) => [orphan]), ...roots.flatMap((root) => pathsBelow([root]))];
  return new Map(paths.flatMap((path) => path.slice(-1).map(({ type }) => [type, path] as const)));
}

/** The names of all groups on a path joined with dots; undefined for an empty path. */
export function groupName(path: GroupPath): string | undefined {
  return path.length === 0 ? undefined : path.map(({ name }) => name).join('.');
}
