import type { ScannedAction, ScannedTool } from '../scanner/scanned-tool.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { createContractCache, type ContractSource } from './contract-cache.ts';
import type { OutputContract } from './contract.ts';
import { createOutputContract } from './contracts/create-output-contract.ts';
import { createInputContracts } from './input-contracts.ts';
import { growToolTree } from './model/tool-tree.ts';
import { listTools } from './list-tools.ts';
import type { PreparedAction, PreparedTool } from './prepared-tool.ts';
import { reportThrown } from './report-thrown.ts';
import type { Report } from './strategies/report.ts';
import { toolFacts } from './tool-facts.ts';

/** Computes everything of a tool that needs no instance: contracts, the tree of the model, what is listed. */
export function prepareTool(
  tool: ScannedTool,
  report: Report,
  contractOf = createContractCache(report),
): PreparedTool {
  const contracts = tool.actions.map((action) =>
    createInputContracts(action, commonSources(tool, action), contractOf),
  );
  const outputs = tool.actions.map((action) => outputContract(action, report));
  const tree = growToolTree(
    tool,
    contracts.map(({ own }, index) => ({ input: own?.schema, output: outputs[index]?.schema })),
  );
  const facts = toolFacts(tool, tree, commonSchema(tool, contractOf), contracts, report);
  const actions = tool.actions.map((scanned, index) => ({
    scanned,
    contracts: contracts[index],
    output: outputs[index],
    facts: facts.actions[index],
  })) as readonly PreparedAction[];
  return Object.freeze({ scanned: tool, model: tree.root, listed: listTools(tool, facts, actions, report) });
}

/** The common schemas of an action: the tool's, then those of the groups, outermost first. */
export function commonSources(tool: ScannedTool, action: ScannedAction): readonly SchemaSource[] {
  const sources = tool.common === undefined ? action.groupCommon : [tool.common, ...action.groupCommon];
  // A group may name the common class of its parent again
  return [...new Set(sources)];
}

/** The whole common schema, also of names that actions declare again. */
function commonSchema({ common, where }: ScannedTool, contractOf: ContractSource): ObjectSchema | undefined {
  return common === undefined ? undefined : contractOf(common, { unknownFields: 'strict', where }).schema;
}

function outputContract({ output, where }: ScannedAction, report: Report): OutputContract | undefined {
  if (output === undefined) return undefined;
  try {
    return createOutputContract(output, { where });
  } catch (thrown) {
    reportThrown(thrown, report);
    return undefined;
  }
}
