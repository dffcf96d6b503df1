import { ProblemList } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
import { MAX_READ_LENGTH } from '../../schema/client-rules.ts';
import type { ScannedTool } from '../../scanner/actions/scan-tools.ts';
import type { SummarizedTool, ToolSummary } from '../../shared/tool-summary.ts';
import { deepFreeze, frozenCopy } from '../../shared/deep-freeze.ts';
import { withoutUndefined } from '../../shared/json.ts';
import { titleFromName } from '../../shared/names.ts';
import { HEADER_KEYWORD, headerParametersOf } from '../../schema/header-parameters.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import { explainContracts } from '../contracts/input-contracts.ts';
import type {
  CompiledToolDefinition,
  ExplainedInput,
  ListedAction,
  ToolDefinition,
} from './compiled-tool.ts';
import {
  describeNeeds,
  generateDescription,
  generateToonDescription,
  joinSentences,
  requires,
  withDeprecation,
} from './describe-tool.ts';
import { describeBySignatures } from './describe-signatures.ts';
import { generateSchema, type ListReports } from './generate-schema.ts';
import { mergeOutputSchemas } from './join-schemas.ts';
import {
  factsOf,
  flatName,
  inputOf,
  labelOf,
  listedMeta,
  publishedVersions,
  shortenName,
  writtenSchema,
  type ActionFacts,
  type ListedTool,
  type PreparedAction,
  type ToolLayout,
  type ToolFacts,
} from './prepared-tool.ts';
import type { TaskMode, TaskSupport } from '../../call/action-options.ts';
import { McpToolConverter } from '../../converters/mcp-converters.ts';
import type { Describe, IconOptions, ToolAnnotationHints } from '../../metadata/options.ts';
import { Tool } from '../../model/group.ts';
import { createToolAnnotations } from '../../model/values.ts';
import { setModelMembers } from '../set-model-members.ts';
import { actionsIn, partOf } from './tool-layout.ts';

/** The actions of a tool that are listed, and the fields that all of them have. */
export interface ListScene {
  readonly common: ObjectSchema | undefined;
  readonly actions: readonly PreparedAction[];
  readonly layout: ToolLayout;
}

/** The definitions of a tool that clients see: one for all of its actions, one for each, or one for each part. */
export function listTools(
  tool: ScannedTool,
  { common, actions, layout }: ListScene,
  reports: ListReports,
): readonly ListedTool[] {
  if (typeof layout === 'string') return Object.freeze(listPart(tool, { common, actions }, reports));
  const listed = layout.flatMap((part) => {
    const own = actionsIn(part, actions);
    if (own.length === 0) return [];
    const listedAs = part.isFlat ? { ...tool, expose: 'flat' as const } : partOf(tool, part);
    return listPart(listedAs, { common, actions: own }, reports);
  });
  return Object.freeze(listed);
}

function listPart(
  tool: ScannedTool,
  { common, actions }: Omit<ListScene, 'layout'>,
  reports: ListReports,
): readonly ListedTool[] {
  const { problems } = reports;
  const facts = factsOf(tool, common, actions);
  const published = new Set(publishedVersions(actions));
  if (tool.expose !== 'flat') return [listGrouped(tool, facts, { actions, published }, reports)];
  return actions.map((action) => {
    const { key } = action.facts;
    const offered = published.has(action) ? actions.filter((other) => other.facts.key === key) : [action];
    const suffix = published.has(action) ? '' : action.scanned.suffix;
    return listFlat(tool, facts, { action, offered, suffix }, problems);
  });
}

function listGrouped(
  tool: ScannedTool,
  facts: ToolFacts,
  { actions, published }: { actions: readonly PreparedAction[]; published: ReadonlySet<PreparedAction> },
  reports: ListReports,
): ListedTool {
  const { problems } = reports;
  const shown = actions.filter((action) => published.has(action));
  const shownFacts = { ...facts, actions: shown.map((action) => action.facts) };
  for (const hidden of actions) if (!published.has(hidden)) checkUnlisted(facts, hidden, problems);
  const inputSchema = generateSchema(shownFacts, reports);
  const definition = definitionOf(
    {
      name: shortenName(tool.name, tool),
      title: tool.title,
      description: DESCRIBERS[tool.describe](shownFacts, inputSchema, reports),
      inputSchema,
      ...offeredForm(tool, actions, tool.where, problems),
      annotations: aggregateAnnotations(facts),
      icons: tool.icons,
      meta: listedMeta(tool, actions),
    },
    {
      explain: () => explainActions(tool.name, shown),
      actions: () => describeActions(facts.common, shown),
      summary: () => summarize(tool, shown),
    },
  );
  checkHeaders(definition, tool.where, problems);
  return { definition, discriminator: tool.discriminator, actions: shown, offered: actions };
}

/** How each way describes a tool, of its plain data alone. */
const DESCRIBERS: Readonly<
  Record<Describe, (tool: ToolFacts, published: ObjectSchema, reports: ListReports) => string>
> = {
  plain: generateDescription,
  toon: generateToonDescription,
  signatures: describeWithinLimit,
};

function describeWithinLimit(
  tool: ToolFacts,
  published: ObjectSchema,
  { notices }: Pick<ListReports, 'notices'>,
): string {
  const { text, shortened } = describeBySignatures(tool, published);
  if (shortened !== undefined) {
    notices.at(`tool "${tool.name}"`).add('TW_SURFACE_SHORTENED', {
      what: `has a shorter description, of ${String(text.length)} characters: ${shortened}.`,
      why: `clients read ${String(tool.maxDescription ?? MAX_READ_LENGTH)} characters, and a model does not know what stands after them.`,
      fix: 'shorten the descriptions of its actions, or make several groups of it',
    });
  }
  return text;
}

interface FlatListing {
  readonly action: PreparedAction;
  /** The versions that a call of it can reach. */
  readonly offered: readonly PreparedAction[];
  readonly suffix: string;
}

type Meta = ReturnType<typeof listedMeta>;

function joinMeta(meta: Meta, further: Meta): Meta {
  return further === undefined ? meta : { ...meta, ...further };
}

function listFlat(
  tool: ScannedTool,
  facts: ToolFacts,
  { action, offered, suffix }: FlatListing,
  problems: ProblemList,
): ListedTool {
  const { scanned, contracts, facts: own } = action;
  const needs =
    writtenSchema(contracts) === undefined && hasBranches(own) ? describeNeeds(facts.common, own) : '';
  const description = joinSentences(scanned.description ?? own.key, requires(needs));
  const whole = `${flatName(tool.prefix, own.key, tool.separator)}${suffix}`;
  const name = shortenName(whole, tool);
  const definition = definitionOf(
    {
      name,
      title: scanned.title ?? (name === whole ? undefined : titleFromName(whole)),
      description: withDeprecation(description, own.deprecated),
      inputSchema: inputOf(facts.common, action, problems),
      ...offeredForm(tool, offered, scanned.where, problems),
      annotations: aggregateAnnotations({
        actions: offered.map((version) => version.facts),
        // The group's title is the title of no action in particular
        annotations: { ...tool.annotations, title: undefined },
      }),
      icons: tool.icons,
      meta: joinMeta(listedMeta(tool, offered), action.apart?.meta),
    },
    {
      explain: () => explainActions(name, [action]),
      actions: () => describeActions(facts.common, [action]),
      summary: () => summarize(tool, [action]),
    },
  );
  checkHeaders(definition, scanned.where, problems);
  return { definition, discriminator: undefined, actions: [action], offered };
}

/** The branches of a union at the root are flattened; their needs then stand in the description. */
function hasBranches({ branches = [], alternatives }: ActionFacts): boolean {
  return branches.length > 0 || alternatives !== undefined;
}

/** The facts that must hold for every version that a call may run, not only for the listed version. */
function offeredForm(
  { outputs: said }: ScannedTool,
  offered: readonly PreparedAction[],
  where: string,
  problems: ProblemList,
): Pick<ToolForm, 'outputSchema' | 'taskSupport'> {
  const isHidden =
    said === 'none' || (said === 'json' && offered.some(({ scanned }) => scanned.result !== 'json'));
  const outputs = offered.map((action) => ({ key: labelOf(action.scanned), schema: action.output?.schema }));
  return {
    outputSchema: isHidden ? undefined : mergeOutputSchemas(outputs, where, problems),
    taskSupport: taskSupport(offered.map(({ scanned }) => scanned.task)),
  };
}

/** A version that no schema shows must still be callable: its problems are reported, its schema is discarded. */
function checkUnlisted(facts: ToolFacts, action: PreparedAction, problems: ProblemList): void {
  const alone = { ...facts, actions: [{ ...action.facts, key: labelOf(action.scanned) }] };
  generateSchema(alone, { problems, notices: new ProblemList<WarningCode>() });
}

/** Reports header parameters for which a 2026-07-28 client would leave out the whole tool. */
function checkHeaders({ name, inputSchema }: ToolDefinition, where: string, problems: ProblemList): void {
  // To search a text is faster than to walk a schema, and most tools have no such field
  if (!JSON.stringify(inputSchema).includes(HEADER_KEYWORD)) return;
  for (const { path, header, reason } of headerParametersOf(inputSchema).faults) {
    problems.at(where).add('TW_COMPILE_HEADER', {
      what: `sends "${path.join('.')}" of the tool ${name} as the header "${header}", which cannot be.`,
      why: reason,
      fix: 'remove `header` from its @Field, or make it a text, integer or boolean at the top level',
    });
  }
}

/** All parts of a listed tool; a part that it does not have must be passed as undefined. */
interface ToolForm {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema | undefined;
  readonly annotations: ToolAnnotationHints;
  readonly taskSupport: TaskSupport | undefined;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

type ToolMethods = Pick<CompiledToolDefinition, 'explain' | 'actions'> &
  Required<Pick<SummarizedTool, 'summary'>>;

function summarize(
  { name, description }: Pick<ScannedTool, 'name' | 'description'>,
  actions: readonly PreparedAction[],
): ToolSummary {
  return {
    root: name,
    description,
    keys: actions.map(({ scanned }) => scanned.key),
    isForModels: actions.some(({ apart }) => apart?.isForModels !== false),
    isPinned: actions.some(({ scanned }) => scanned.isPinned),
  };
}

const converter = new McpToolConverter();

/** The frozen wire form of a listed tool: the form of a root group, or of a leaf with flat exposition. */
function definitionOf(form: ToolForm, { explain, actions, summary }: ToolMethods): CompiledToolDefinition {
  const tool = new Tool(form.name);
  setModelMembers(tool, form);
  tool.inputSchema = form.inputSchema;
  tool.outputSchema = form.outputSchema;
  tool.toolAnnotations = createToolAnnotations(form.annotations);
  const { taskSupport } = form;
  const execution = taskSupport === undefined ? {} : { execution: { taskSupport } };
  const definition = { ...converter.convertFromTool(tool), ...execution } as ToolDefinition;
  return deepFreeze(
    Object.defineProperties(definition, {
      explain: { value: explain },
      actions: { value: actions },
      summary: { value: summary },
    }),
  ) as CompiledToolDefinition;
}

/**
 * The task support of a tool with actions of these modes; undefined means that no call may be a task.
 * It requires tasks only if every action does: a client without them can still call the others.
 */
export function taskSupport(modes: readonly (TaskMode | undefined)[]): TaskSupport | undefined {
  if (modes.every((mode) => mode === undefined)) return undefined;
  return modes.every((mode) => mode === 'required') ? 'required' : 'optional';
}

/** What each action is by itself, with all that it takes. Their problems were reported when the tool was listed. */
function describeActions(
  common: ObjectSchema | undefined,
  actions: readonly PreparedAction[],
): readonly ListedAction[] {
  return deepFreeze(
    actions.map((action) => {
      const { key, version, title, description, unknownFields } = action.scanned;
      return withoutUndefined({
        key,
        version,
        deprecated: action.facts.deprecated,
        title,
        description,
        inputSchema: inputOf(common, action, new ProblemList()),
        outputSchema: action.output?.schema,
        unknownFields,
        annotations: aggregateAnnotations({ actions: [action.facts], annotations: {} }),
        ...action.listed,
      });
    }),
  );
}

/** How the inputs of actions are checked. */
function explainActions(tool: string, actions: readonly PreparedAction[]): readonly ExplainedInput[] {
  return Object.freeze(
    actions.map(({ scanned: { key }, contracts }) =>
      Object.freeze({ kind: 'action', tool, name: key, checks: explainContracts(contracts) } as const),
    ),
  );
}

type Marks = Pick<ActionFacts, 'isDestructive' | 'isReadOnly' | 'isIdempotent' | 'isOpenWorld'>;

/** The hints of a tool with its actions: destructive if any may be, read-only or idempotent only if all are. */
export function aggregateAnnotations({
  actions,
  annotations: explicit,
}: Pick<ToolFacts, 'actions' | 'annotations'>): ToolAnnotationHints {
  const hints = new Map<string, unknown>([
    ['readOnlyHint', actions.length > 0 && actions.every((action) => action.isReadOnly)],
    ['destructiveHint', actions.some((action) => action.isDestructive)],
    ['idempotentHint', actions.length > 0 && actions.every((action) => action.isIdempotent)],
  ]);
  const openWorld = aggregateOpenWorld(actions);
  if (openWorld !== undefined) hints.set('openWorldHint', openWorld);
  for (const [hint, value] of Object.entries(explicit)) if (value !== undefined) hints.set(hint, value);
  return frozenCopy(Object.fromEntries(hints));
}

function aggregateOpenWorld(actions: readonly Marks[]): boolean | undefined {
  if (actions.some((action) => action.isOpenWorld === true)) return true;
  if (actions.length > 0 && actions.every((action) => action.isOpenWorld === false)) return false;
  return undefined;
}
