import { membersOf } from '../../shared/json.ts';
import { listValues } from '../../shared/listing.ts';
import { eachTool, ifTrue, type ClientRule, type JudgedTool } from './judged.ts';

const keyList = (actions: JudgedTool['actions']): string => listValues(actions, ({ key }) => key);

/** The hint that does not fit, as the rest of a sentence. */
function conflictIn({ annotations, actions }: JudgedTool): string | undefined {
  const { readOnlyHint, destructiveHint } = membersOf(annotations);
  const destroying = actions.filter(({ isDestructive }) => isDestructive);
  const writing = actions.filter(({ isReadOnly }) => !isReadOnly);
  // A hint of the author stands for marks where no action has one
  const isMarked = writing.length < actions.length;
  if (readOnlyHint === true && destroying.length > 0)
    return `says readOnlyHint: true, but runs ${keyList(destroying)}`;
  if (readOnlyHint === true && isMarked && writing.length > 0)
    return `says readOnlyHint: true, but runs ${keyList(writing)}`;
  if (destructiveHint === false && readOnlyHint !== true && destroying.length > 0)
    return `says destructiveHint: false, but runs ${keyList(destroying)}`;
  return undefined;
}

/** The names of arguments in which a tool takes an action by its name, and what is to be handed to it. */
const NAMING = ['action', 'method', 'operation', 'tool', 'command'];
const HANDED = ['arguments', 'args', 'params', 'parameters', 'input', 'body'];

/** Whether a tool takes any action, with any arguments. */
function isCatchAll({ inputSchema: { properties = {} } }: JudgedTool): boolean {
  const isNaming = NAMING.some((name) => {
    const { type, enum: values, const: value } = membersOf(properties[name]);
    return type === 'string' && values === undefined && value === undefined;
  });
  return isNaming && HANDED.some((name) => isOpen(properties[name]));
}

function isOpen(schema: unknown): boolean {
  const { type, properties } = membersOf(schema);
  return [type].flat().includes('object') && Object.keys(membersOf(properties)).length === 0;
}

/** What clients and directories want to know of what a tool does, before they call it. */
export const HINT_RULES: readonly ClientRule[] = [
  {
    code: 'TW_FOR_TITLE',
    fix: "`title` of the group or action: @ToolGroup({ name: 'crm', title: 'Customers' })",
    find: (server, { title, isDirectory, facts }) =>
      eachTool(ifTrue(facts['requires.title']), server, (tool) => {
        const titles = [tool.title, membersOf(tool.annotations)['title']];
        if (titles.some((own) => typeof own === 'string' && own.trim() !== '')) return undefined;
        return { level: isDirectory ? 'problem' : 'advice', what: `has no title, and ${title} wants one.` };
      }),
  },
  {
    code: 'TW_FOR_HINT_MISSING',
    fix: 'leave the hint to the marks of the actions: no `undefined` in `annotations`; @OpenWorld(false) or `openWorld: false` says that nothing reaches an open world',
    find: (server, { title, facts }) =>
      eachTool(facts['requires.hints'], server, ({ annotations }, { value }) => {
        const missing = value.filter((hint) => typeof membersOf(annotations)[hint] !== 'boolean');
        if (missing.length === 0) return undefined;
        return { level: 'problem', what: `leaves out ${missing.join(', ')}, and ${title} refuses that.` };
      }),
  },
  {
    code: 'TW_FOR_HINT_CONFLICT',
    fix: 'take the hint out of `annotations`, and mark actions with @ReadOnly() or @Destructive()',
    find: (server, { title, facts }) => {
      const reads = facts.approval?.value === 'hints' ? facts.approval : undefined;
      const fact = facts['refuses.misfit'] ?? facts['requires.marks'] ?? reads;
      return eachTool(fact, server, (tool) => {
        const conflict = conflictIn(tool);
        return conflict === undefined
          ? undefined
          : { level: 'problem', what: `${conflict}, and ${title} goes by the hint.` };
      });
    },
  },
  {
    code: 'TW_FOR_MIXED',
    fix: "surface: 'grouped-by-risk', or put what reads and what writes into groups of their own",
    find: (server, { title, isDirectory, facts }) => {
      const refused = ifTrue(facts['refuses.mixed']);
      const asked = facts.approval?.value === 'hints' ? facts.approval : undefined;
      const outcome = isDirectory ? 'advises to keep them apart' : 'asks a person before reads as well';
      return eachTool(refused ?? asked, server, ({ actions }) => {
        const reading = actions.filter(({ isReadOnly }) => isReadOnly);
        const writing = actions.filter(({ isReadOnly }) => !isReadOnly);
        if (reading.length === 0 || writing.length === 0) return undefined;
        const mixed = `reads (${keyList(reading)}) and writes (${keyList(writing)})`;
        return refused === undefined
          ? { level: 'advice', what: `${mixed}, and ${title} ${outcome}.` }
          : { level: 'problem', what: `${mixed}, and ${title} refuses tools that do both.` };
      });
    },
  },
  {
    code: 'TW_FOR_CATCH_ALL',
    fix: "surface: 'grouped-by-risk' or 'flat', or an argument that lists the actions of the tool",
    find: (server, { title, facts }) =>
      eachTool(ifTrue(facts['refuses.catchAll']), server, (tool) =>
        isCatchAll(tool)
          ? { level: 'problem', what: `takes any action, and ${title} refuses such tools.` }
          : undefined,
      ),
  },
  {
    code: 'TW_FOR_WRITE_UNMARKED',
    fix: '@Destructive() where it changes or deletes what is there; else say in the submission that it only adds',
    find: (server, { title, facts }) =>
      eachTool(ifTrue(facts['requires.marks']), server, ({ annotations }) => {
        const { readOnlyHint, destructiveHint } = membersOf(annotations);
        if (readOnlyHint === true || destructiveHint === true) return undefined;
        return {
          level: 'advice',
          what: `has neither readOnlyHint: true nor destructiveHint: true, and ${title} wants one of them.`,
        };
      }),
  },
];
