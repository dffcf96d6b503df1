import type { ScannedAction, ScannedTool } from '../scanner/scanned-tool.ts';
import type { InputContracts } from './input-contracts.ts';
import type { Contract } from './contract.ts';
import type { ActionFacts, ToolFacts } from './strategies/action-facts.ts';
import { joinObjectSchemas } from './strategies/generate-flat-schema.ts';
import type { Report } from './strategies/report.ts';

/** What the strategies need of a tool: names, texts and JSON Schemas. */
export function toolFacts(
  tool: ScannedTool,
  common: Contract | undefined,
  contracts: readonly InputContracts[],
  report: Report,
): ToolFacts {
  const { name, where, description, mode, discriminator, groups, annotations } = tool;
  const actions = tool.actions.map((action, index) => actionFacts(tool, action, contracts[index], report));
  return {
    name,
    where,
    description,
    mode,
    discriminator,
    groups,
    annotations,
    common: common?.schema,
    actions,
  };
}

function actionFacts(
  tool: ScannedTool,
  action: ScannedAction,
  contracts: InputContracts | undefined,
  report: Report,
): ActionFacts {
  const { key, name, group, description, isDestructive, isReadOnly, isIdempotent, isOpenWorld } = action;
  const groupCommon = contracts?.common.slice(tool.common === undefined ? 0 : 1) ?? [];
  const schemas = [...groupCommon, contracts?.own].map((contract) => contract?.schema);
  const own = joinObjectSchemas(schemas, action.where, report);
  return { key, name, group, description, own, isDestructive, isReadOnly, isIdempotent, isOpenWorld };
}
