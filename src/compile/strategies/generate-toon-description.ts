import { encodeToon } from '../../shared/toon.ts';
import type { ActionFacts, ToolFacts } from './action-facts.ts';
import {
  describeGroups,
  describeNeeds,
  describePurpose,
  groupActions,
  withDeprecation,
} from './description-text.ts';

/** The description of a tool with its actions as a TOON table, which stands behind the last blank line. */
export function generateToonDescription(tool: ToolFacts): string {
  const sections = [describePurpose(tool), describeGroups(tool.groups), encodeToon(tabulate(tool))];
  return sections.filter((section) => section !== '').join('\n\n');
}

function tabulate(tool: ToolFacts): unknown {
  // All rows or none have the column: rows that differ would fall out of the tabular form.
  const hasDestructive = tool.actions.some(({ isDestructive }) => isDestructive);
  const row = (action: ActionFacts, name: string): Readonly<Record<string, unknown>> => ({
    action: name,
    desc: withDeprecation(action.description ?? '', action.deprecated),
    required: describeNeeds(tool.common, action, ','),
    ...(hasDestructive ? { destructive: action.isDestructive } : {}),
  });
  if (tool.mode === 'flat') return tool.actions.map((action) => row(action, action.key));
  return Object.fromEntries(
    [...groupActions(tool.actions)].map(([group, actions]) => [
      group,
      actions.map((action) => row(action, action.name)),
    ]),
  );
}
