import type { Deprecation } from '../../call/action-options.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { encodeToon } from '../../shared/toon.ts';
import { joinedRequiredFields, ownRequiredFields, requiredFields } from '../fields/field-list.ts';
import { withoutRequired, type TagCondition } from '../fields/tagged-branches.ts';
import type { ActionFacts, ToolFacts } from './prepared-tool.ts';

/** The description of a tool: what it is for, its actions, and what each of them needs. */
export function generateDescription(tool: ToolFacts): string {
  const { maxDescription = Infinity } = tool;
  const purpose = describePurpose(tool);
  const summary = joinSentences(purpose, listActions(tool));
  const write = (...sections: readonly string[]): string =>
    [summary, ...sections].filter((section) => section !== '').join('\n\n');
  const whole = write(describeGroups(tool.groups), describeWorkflow(tool));
  if (whole.length <= maxDescription) return whole;
  // The schema names the actions, and says of each field which of them need it
  const shorter = [
    write(describeGroups(tool.groups), describeBriefly(tool)),
    write(describeBriefly(tool)),
    summary,
  ];
  return shorter.find((text) => text.length <= maxDescription) ?? purpose.slice(0, maxDescription);
}

/** What actions are for, without what they need. */
function describeBriefly({ actions }: ToolFacts): string {
  return actions
    .map((action) => describeAction(action, ''))
    .filter((line) => line !== '')
    .join('\n');
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

/** The description of a tool with its actions as a TOON table after the last blank line. */
export function generateToonDescription(tool: ToolFacts): string {
  const sections = [describePurpose(tool), describeGroups(tool.groups), encodeToon(tabulate(tool))];
  return sections.filter((section) => section !== '').join('\n\n');
}

function tabulate(tool: ToolFacts): unknown {
  // All rows or none have the column, because TOON needs uniform rows for the tabular form.
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

/** Joins two sentences: only a space follows a sentence with its own mark, and a separator never stands alone. */
export function joinSentences(first: string, second: string): string {
  const start = first.trim();
  if (start === '' || second === '') return start + second;
  return `${start}${/[.!?:;,…]$/.test(start) ? '' : '.'} ${second}`;
}

/** The text with line breaks, and the blanks around them, as single spaces; empty when there is none. */
export function oneLine(text: string | undefined): string {
  return (text ?? '').replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ').trim();
}

/** The purpose of a tool, or its name, with a note if all of its actions are deprecated. */
export function describePurpose({ name, description, actions }: ToolFacts): string {
  const isOver = actions.length > 0 && actions.every(({ deprecated }) => deprecated !== undefined);
  return joinSentences(oneLine(description) || name, isOver ? 'All actions are deprecated' : '');
}

/** One line for each group that has a description; empty when none has. */
function describeGroups(groups: ToolFacts['groups']): string {
  const lines = groups
    .map(({ path, description }) => ({ path, text: oneLine(description) }))
    .filter(({ text }) => text !== '')
    .map(({ path, text }) => `- '${path}': ${text}`);
  return lines.length === 0 ? '' : ['Groups:', ...lines].join('\n');
}

/** The actions of each group; the groups in order of first appearance. */
function groupActions(actions: readonly ActionFacts[]): ReadonlyMap<string, readonly ActionFacts[]> {
  const groups = new Map<string, ActionFacts[]>();
  for (const action of actions) {
    const group = action.group ?? '';
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [action]);
    else members.push(action);
  }
  return groups;
}

/** The text with one short sentence added; the unchanged text for an action that is not deprecated. */
export function withDeprecation(text: string, deprecated: Deprecation | undefined): string {
  if (deprecated === undefined) return text;
  const { since, use, until } = deprecated;
  const end = until === undefined ? '' : `, gone in ${until}`;
  return joinSentences(text, `Deprecated since ${since}${end}${use === undefined ? '' : `; use ${use}`}`);
}

/** The fields that an action needs beside the common ones, then those of each branch of its tagged unions. */
export function describeNeeds(
  common: JsonSchema | undefined,
  { own, branches = [], alternatives = [] }: ActionFacts,
  comma = ', ',
): string {
  const parts = [ownRequiredFields(common, joinedRequiredFields(own)).join(comma)];
  if (branches.length === 0) parts.push(alternatives.map((names) => names.join(' and ')).join(' or '));
  if (branches.length > 0) {
    const always = new Set(requiredFields(common));
    // For a field that the action declares again, its own declaration counts
    const isNeeded = (name: string): boolean =>
      !always.has(name) || Object.hasOwn(own?.properties ?? {}, name);
    for (const { when, required } of withoutRequired(branches, isNeeded)) {
      parts.push(`${describeConditions(when)}: ${required.join(comma)}`);
    }
  }
  return parts.filter((part) => part !== '').join('; ');
}

export function requires(needs: string): string {
  return needs === '' ? '' : `Requires: ${needs}`;
}

/** `with kind "company" or "club"`. */
export function describeConditions(when: readonly TagCondition[]): string {
  const conditions = when.map(
    ({ field, values }) => `${field} ${values.map((value) => JSON.stringify(value)).join(' or ')}`,
  );
  return `with ${conditions.join(' and ')}`;
}
