import type { ActionFacts, ToolFacts } from './action-facts.ts';
import {
  describeGroups,
  describeNeeds,
  describePurpose,
  groupActions,
  joinSentences,
  oneLine,
  requires,
  withDeprecation,
} from './description-text.ts';

/** The description of a tool: what it is for, its actions, and what each of them needs. */
export function generateDescription(tool: ToolFacts): string {
  const summary = joinSentences(describePurpose(tool), listActions(tool));
  return [summary, describeGroups(tool.groups), describeWorkflow(tool)]
    .filter((section) => section !== '')
    .join('\n\n');
}

function listActions({ mode, actions }: ToolFacts): string {
  if (mode === 'flat') return `Actions: ${actions.map(({ key }) => key).join(', ')}`;
  const modules = [...groupActions(actions)].map(
    ([group, members]) => `${group} (${members.map(({ name }) => name).join(',')})`,
  );
  return `Modules: ${modules.join(' | ')}`;
}

function describeWorkflow({ actions, common }: ToolFacts): string {
  const lines = actions.map((action) => describeAction(action, describeNeeds(common, action)));
  const qualifying = lines.filter((line) => line !== '');
  return qualifying.length === 0 ? '' : ['Workflow:', ...qualifying].join('\n');
}

function describeAction(action: ActionFacts, needs: string): string {
  const parts = [
    withDeprecation(joinSentences(oneLine(action.description), requires(needs)), action.deprecated),
    action.isDestructive ? '⚠️ DESTRUCTIVE' : '',
  ];
  const text = parts.filter((part) => part !== '').join(' ');
  return text === '' ? '' : `- '${action.key}': ${text}`;
}
