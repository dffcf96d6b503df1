import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { checkHeaders } from './check-headers.ts';
import { definitionOf } from './model/definition-of.ts';
import type { ListedTool, PreparedAction } from './prepared-tool.ts';
import type { ToolFacts } from './strategies/action-facts.ts';
import { aggregateActionAnnotations, aggregateAnnotations } from './strategies/aggregate-annotations.ts';
import { flatName } from './strategies/flat-name.ts';
import { generateDescription } from './strategies/generate-description.ts';
import { generateFlatSchema } from './strategies/generate-flat-schema.ts';
import { generateSchema } from './strategies/generate-schema.ts';
import { generateToonDescription } from './strategies/generate-toon-description.ts';
import { mergeOutputSchemas } from './strategies/merge-output-schemas.ts';
import type { Report } from './strategies/report.ts';
import { taskSupport } from './strategies/task-support.ts';
import { writtenSchema } from './written-schema.ts';

/** What clients see of a tool: one definition for all of its actions, or one for each. */
export function listTools(
  tool: ScannedTool,
  facts: ToolFacts,
  actions: readonly PreparedAction[],
  report: Report,
): readonly ListedTool[] {
  return tool.expose === 'flat'
    ? actions.map((action) => listFlat(tool, facts, action, report))
    : [listGrouped(tool, facts, actions, report)];
}

function listGrouped(
  tool: ScannedTool,
  facts: ToolFacts,
  actions: readonly PreparedAction[],
  report: Report,
): ListedTool {
  const outputs = actions.map(({ facts: { key }, output }) => ({ key, schema: output?.schema }));
  const definition = definitionOf({
    name: tool.name,
    title: tool.title,
    description: tool.describe === 'toon' ? generateToonDescription(facts) : generateDescription(facts),
    inputSchema: generateSchema(facts, report),
    outputSchema: mergeOutputSchemas(outputs, tool.where, report),
    annotations: aggregateAnnotations(facts),
    taskSupport: taskSupport(actions.map(({ scanned }) => scanned.task)),
    icons: tool.icons,
    meta: tool.meta,
  });
  checkHeaders(definition, tool.where, report);
  return { definition, discriminator: tool.discriminator, actions };
}

function listFlat(tool: ScannedTool, facts: ToolFacts, action: PreparedAction, report: Report): ListedTool {
  const { scanned, contracts, output, facts: own } = action;
  const definition = definitionOf({
    name: flatName(tool.prefix, own.key, tool.separator),
    title: scanned.title,
    description: scanned.description ?? own.key,
    inputSchema:
      writtenSchema(contracts) ?? generateFlatSchema([facts.common, own.own], scanned.where, report),
    outputSchema: mergeOutputSchemas([{ key: own.key, schema: output?.schema }], scanned.where, report),
    // The group's title is the title of no action in particular
    annotations: aggregateActionAnnotations(own, { ...tool.annotations, title: undefined }),
    taskSupport: taskSupport([scanned.task]),
    icons: tool.icons,
    meta: tool.meta,
  });
  checkHeaders(definition, scanned.where, report);
  return { definition, discriminator: undefined, actions: [action] };
}
