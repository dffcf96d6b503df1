import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { Group } from '../model/group.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import { commonSources, compileAction, outputContract, type ActionParts } from './compile-action.ts';
import type { ActionDefinition, CompiledTool } from './compiled-tool.ts';
import { createContractCache, type ContractSource } from './contract-cache.ts';
import { createInputContracts } from './input-contracts.ts';
import { definitionOf } from './model/definition-of.ts';
import { growToolTree } from './model/tool-tree.ts';
import type { ToolFacts } from './strategies/action-facts.ts';
import { aggregateActionAnnotations, aggregateAnnotations } from './strategies/aggregate-annotations.ts';
import { flatName } from './strategies/flat-name.ts';
import { generateDescription } from './strategies/generate-description.ts';
import { generateFlatSchema } from './strategies/generate-flat-schema.ts';
import { generateSchema } from './strategies/generate-schema.ts';
import { generateToonDescription } from './strategies/generate-toon-description.ts';
import { mergeOutputSchemas } from './strategies/merge-output-schemas.ts';
import { throwProblem, type Report } from './strategies/report.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { toolFacts } from './tool-facts.ts';

/** What a scanned tool became, and its place in the domain model. */
export interface CompiledTools {
  /** One tool, or with flat exposition one per action. */
  readonly tools: readonly CompiledTool[];
  readonly model: Group;
}

/** Compiles a scanned tool: contracts, the tree of the model, then what is listed and what is run. */
export function compileTool(
  tool: ScannedTool,
  resolver: InstanceResolver,
  report: Report = throwProblem,
): CompiledTools {
  const contractOf = createContractCache(report);
  const contracts = tool.actions.map((action) =>
    createInputContracts(action, commonSources(tool, action), contractOf),
  );
  const outputs = tool.actions.map(outputContract);
  const tree = growToolTree(
    tool,
    contracts.map(({ own }, index) => ({ input: own?.schema, output: outputs[index]?.schema })),
  );
  const facts = toolFacts(tool, tree, commonSchema(tool, contractOf), contracts, report);
  const isFlat = tool.expose === 'flat';
  const parts = tool.actions.map((_, index) => ({
    tool,
    contracts: contracts[index],
    output: outputs[index],
    facts: facts.actions[index],
    discriminator: isFlat ? undefined : tool.discriminator,
  })) as readonly ActionParts[];
  const actions = tool.actions.map((action, index) =>
    compileAction(action, parts[index] as ActionParts, resolver),
  );
  const tools = isFlat
    ? actions.map((action, index) => flatTool(tool, facts, action, parts[index] as ActionParts))
    : [groupedTool(tool, facts, actions, parts, report)];
  return Object.freeze({ tools: Object.freeze(tools), model: tree.root });
}

/** The whole common schema, also of names that actions declare again. */
function commonSchema({ common, where }: ScannedTool, contractOf: ContractSource): ObjectSchema | undefined {
  return common === undefined ? undefined : contractOf(common, { unknownFields: 'strict', where }).schema;
}

function groupedTool(
  tool: ScannedTool,
  facts: ToolFacts,
  actions: readonly ActionDefinition[],
  parts: readonly ActionParts[],
  report: Report,
): CompiledTool {
  const outputs = parts.map(({ facts: { key }, output }) => ({ key, schema: output?.schema }));
  const definition = definitionOf({
    name: tool.name,
    title: tool.title,
    description: tool.describe === 'toon' ? generateToonDescription(facts) : generateDescription(facts),
    inputSchema: generateSchema(facts, report),
    outputSchema: mergeOutputSchemas(outputs, tool.where, report),
    annotations: aggregateAnnotations(facts),
    icons: tool.icons,
    meta: tool.meta,
  });
  return compiledTool(tool, definition, actions, tool.discriminator);
}

function flatTool(
  tool: ScannedTool,
  facts: ToolFacts,
  action: ActionDefinition,
  { facts: own, output }: ActionParts,
): CompiledTool {
  const definition = definitionOf({
    name: flatName(tool.name, action.key, tool.separator),
    title: action.title,
    description: action.description ?? action.key,
    inputSchema: generateFlatSchema([facts.common, own.own]),
    outputSchema: mergeOutputSchemas([{ key: action.key, schema: output?.schema }]),
    annotations: aggregateActionAnnotations(own, tool.annotations),
    icons: tool.icons,
    meta: tool.meta,
  });
  return compiledTool(tool, definition, [action], undefined);
}

function compiledTool(
  { name, tags }: ScannedTool,
  definition: ToolDefinition,
  actions: readonly ActionDefinition[],
  discriminator: string | undefined,
): CompiledTool {
  // A real map: `constructor` and `__proto__` are unknown like any other name
  const byKey = new Map(actions.map((action) => [action.key, action]));
  return Object.freeze({
    name,
    definition,
    tags,
    discriminator,
    actions: Object.freeze(actions),
    find: (key: string) => byKey.get(key),
  });
}
