import type { ActionFacts } from '../action-facts.ts';

/** The actions of each group; the groups in order of first appearance. */
export function groupActions(actions: readonly ActionFacts[]): ReadonlyMap<string, readonly ActionFacts[]> {
  const groups = new Map<string, ActionFacts[]>();
  for (const action of actions) {
    const group = action.group ?? '';
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [action]);
    else members.push(action);
  }
  return groups;
}
