import type { ProblemList } from '../../errors/problem-list.ts';
import type { ScannedTool } from '../../scanner/actions/scan-tools.ts';
import { HEADER_KEYWORD } from '../../schema/header-parameters.ts';
import type { PreparedAction, PreparedTool, ToolPart } from '../tools/prepared-tool.ts';

/**
 * Lists some actions as tools of their own; the others are found first. Beside those that are pinned it lists those whose
 * arguments HTTP clients repeat as headers: they do that for arguments that a list shows, and for no others.
 */
export function choosePinnedLayout(
  tool: ScannedTool,
  actions: readonly PreparedAction[],
): readonly ToolPart[] {
  const listed = actions.filter(
    (action) => action.scanned.isPinned || action.apart !== undefined || hasHeader(action),
  );
  if (listed.length === 0) return [];
  const keys = new Set(listed.map(({ scanned }) => scanned.key));
  return [Object.freeze({ name: tool.name, title: undefined, group: undefined, keys, isFlat: true })];
}

/** Whether HTTP clients repeat an argument of an action as a header. */
export function hasHeader({ contracts, facts }: PreparedAction): boolean {
  const schemas = [facts.own, contracts.own?.schema, ...contracts.common.map(({ schema }) => schema)];
  return JSON.stringify(schemas).includes(`"${HEADER_KEYWORD}"`);
}

/** Reports actions that need a tool of their own, where their author did not say that they have one. */
export function checkPins(tools: readonly PreparedTool[], problems: ProblemList): void {
  for (const { actions } of tools)
    for (const action of actions) {
      const { where, isPinned } = action.scanned;
      if (isPinned || action.apart !== undefined || !hasHeader(action)) continue;
      problems.at(where).add('TW_SURFACE_PIN', {
        what: 'takes an argument that is repeated as a header, and has no tool of its own on the surface "progressive".',
        why: 'clients repeat arguments that the list of tools shows, and what stands between could not decide by the header.',
        fix: '@Action({ pin: true })',
      });
    }
}
