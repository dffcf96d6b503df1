import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { checkHeaders } from './check-headers.ts';
import { explainContracts, type ExplainedInput } from './explain-input.ts';
import { definitionOf, type ToolForm } from './model/definition-of.ts';
import { labelOf, publishedVersions, versionsMeta } from './prepared-versions.ts';
import type { ListedTool, PreparedAction } from './prepared-tool.ts';
import type { ActionFacts, ToolFacts } from './strategies/action-facts.ts';
import { aggregateAnnotations } from './strategies/aggregate-annotations.ts';
import { flatName } from './strategies/tool-names.ts';
import { generateDescription } from './strategies/generate-description.ts';
import { generateFlatSchema } from './strategies/generate-flat-schema.ts';
import { generateSchema } from './strategies/generate-schema.ts';
import { generateToonDescription } from './strategies/generate-toon-description.ts';
import { mergeOutputSchemas } from './strategies/merge-output-schemas.ts';
import type { Report } from './strategies/report.ts';
import { taskSupport } from './strategies/task-support.ts';
import { describeNeeds, requires } from './strategies/text/describe-needs.ts';
import { joinSentences } from './strategies/text/join-sentences.ts';
import { withDeprecation } from './strategies/text/with-deprecation.ts';
import { withoutInput, writtenSchema } from './written-schema.ts';

/** What clients see of a tool: one definition for all of its actions, or one for each. */
export function listTools(
  tool: ScannedTool,
  facts: ToolFacts,
  actions: readonly PreparedAction[],
  report: Report,
): readonly ListedTool[] {
  const published = new Set(publishedVersions(actions));
  if (tool.expose !== 'flat') return [listGrouped(tool, facts, { actions, published }, report)];
  return actions.map((action) => {
    const { key } = action.facts;
    const offered = published.has(action) ? actions.filter((other) => other.facts.key === key) : [action];
    const suffix = published.has(action) ? '' : action.scanned.suffix;
    return listFlat(tool, facts, { action, offered, suffix }, report);
  });
}

function listGrouped(
  tool: ScannedTool,
  facts: ToolFacts,
  { actions, published }: { actions: readonly PreparedAction[]; published: ReadonlySet<PreparedAction> },
  report: Report,
): ListedTool {
  const shown = actions.filter((action) => published.has(action));
  const shownFacts = { ...facts, actions: shown.map((action) => action.facts) };
  for (const hidden of actions) if (!published.has(hidden)) checkUnlisted(facts, hidden, report);
  const definition = definitionOf(
    {
      name: tool.name,
      title: tool.title,
      description:
        tool.describe === 'toon' ? generateToonDescription(shownFacts) : generateDescription(shownFacts),
      inputSchema: generateSchema(shownFacts, report),
      ...offeredForm(actions, tool.where, report),
      annotations: aggregateAnnotations(facts),
      icons: tool.icons,
      meta: versionsMeta(tool.meta, actions),
    },
    () => explainActions(tool.name, shown),
  );
  checkHeaders(definition, tool.where, report);
  return { definition, discriminator: tool.discriminator, actions: shown, offered: actions };
}

interface FlatListing {
  readonly action: PreparedAction;
  /** The versions that a call of it can reach. */
  readonly offered: readonly PreparedAction[];
  readonly suffix: string;
}

function listFlat(
  tool: ScannedTool,
  facts: ToolFacts,
  { action, offered, suffix }: FlatListing,
  report: Report,
): ListedTool {
  const { scanned, contracts, facts: own } = action;
  const written = writtenSchema(contracts);
  const needs = written === undefined && hasBranches(own) ? describeNeeds(facts.common, own) : '';
  const description = joinSentences(scanned.description ?? own.key, requires(needs));
  const name = `${flatName(tool.prefix, own.key, tool.separator)}${suffix}`;
  const definition = definitionOf(
    {
      name,
      title: scanned.title,
      description: withDeprecation(description, own.deprecated),
      inputSchema:
        written ??
        withoutInput(contracts) ??
        generateFlatSchema([facts.common, own.own], scanned.where, report),
      ...offeredForm(offered, scanned.where, report),
      annotations: aggregateAnnotations({
        actions: offered.map((version) => version.facts),
        // The group's title is the title of no action in particular
        annotations: { ...tool.annotations, title: undefined },
      }),
      icons: tool.icons,
      meta: versionsMeta(tool.meta, offered),
    },
    () => explainActions(name, [action]),
  );
  checkHeaders(definition, scanned.where, report);
  return { definition, discriminator: undefined, actions: [action], offered };
}

/** The branches of a union at the root are flattened; their needs then stand in the description. */
function hasBranches({ branches = [] }: ActionFacts): boolean {
  return branches.length > 0;
}

/** What has to be true of every version that a call may run, not only of the one whose input is listed. */
function offeredForm(
  offered: readonly PreparedAction[],
  where: string,
  report: Report,
): Pick<ToolForm, 'outputSchema' | 'taskSupport'> {
  const outputs = offered.map((action) => ({ key: labelOf(action), schema: action.output?.schema }));
  return {
    outputSchema: mergeOutputSchemas(outputs, where, report),
    taskSupport: taskSupport(offered.map(({ scanned }) => scanned.task)),
  };
}

/** A version that no schema shows must be callable all the same: its problems are reported, its schema is left. */
function checkUnlisted(facts: ToolFacts, action: PreparedAction, report: Report): void {
  generateSchema({ ...facts, actions: [{ ...action.facts, key: labelOf(action) }] }, report);
}

function explainActions(tool: string, actions: readonly PreparedAction[]): readonly ExplainedInput[] {
  return Object.freeze(
    actions.map(({ scanned: { key }, contracts }) =>
      Object.freeze({ kind: 'action', tool, name: key, checks: explainContracts(contracts) } as const),
    ),
  );
}
