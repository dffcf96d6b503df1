import type { Deprecation } from '../call/deprecation.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import type { InputContracts } from './input-contracts.ts';
import { namesBelowTool, type ToolPlace, type ToolTree } from './model/tool-tree.ts';
import type { ActionFacts, ToolFacts } from './strategies/action-facts.ts';
import { joinObjectSchemas } from './strategies/generate-flat-schema.ts';
import type { Report } from './strategies/report.ts';
import { toldDeprecation } from './told-deprecation.ts';

/** What the strategies need of a tool, read off its tree: names, texts and JSON Schemas. */
export function toolFacts(
  tool: ScannedTool,
  tree: ToolTree,
  common: ObjectSchema | undefined,
  contracts: readonly InputContracts[],
  report: Report,
): ToolFacts {
  const { where, mode, discriminator, groups, annotations } = tool;
  const { name, description } = tree.root;
  const hasCommon = tool.common !== undefined;
  const actions = tree.places.map((place, index) => {
    const commons = contracts[index]?.common ?? [];
    const ofGroups = hasCommon ? commons.slice(1) : commons;
    return actionFacts(
      place,
      ofGroups.map((contract) => contract.schema),
      toldDeprecation(tool, place.action),
      report,
    );
  });
  return { name, where, description, mode, discriminator, groups, annotations, common, actions };
}

function actionFacts(
  { group, leaf, action }: ToolPlace,
  groupCommon: readonly ObjectSchema[],
  deprecated: Deprecation | undefined,
  report: Report,
): ActionFacts {
  const names = namesBelowTool(group);
  const hints = leaf.toolAnnotations;
  const joined = joinObjectSchemas([...groupCommon, leaf.inputSchema], action.where, report);
  return {
    key: [...names, leaf.name].join('.'),
    name: leaf.name,
    group: names.length === 0 ? undefined : names.join('.'),
    description: leaf.description,
    own: joined?.schema,
    branches: joined?.branches,
    deprecated,
    isDestructive: hints?.destructiveHint === true,
    isReadOnly: hints?.readOnlyHint === true,
    isIdempotent: hints?.idempotentHint === true,
    isOpenWorld: hints?.openWorldHint,
  };
}
