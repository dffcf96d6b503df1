import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedAction, ScannedTool } from '../scanner/scanned-tool.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { compileCallable } from './compile-callable.ts';
import { compileOutput } from './compile-output.ts';
import type { ActionDefinition } from './compiled-tool.ts';
import { createOutputContract } from './contracts/create-output-contract.ts';
import type { OutputContract } from './contract.ts';
import type { InputContracts } from './input-contracts.ts';
import { ownRequiredFields } from './strategies/required-fields.ts';
import type { ActionFacts } from './strategies/action-facts.ts';

/** The parts of a tool that all of its actions share while they are compiled. */
export interface ActionParts {
  readonly tool: ScannedTool;
  readonly contracts: InputContracts;
  readonly output: OutputContract | undefined;
  readonly facts: ActionFacts;
  /** Undefined where the action is a tool by itself. */
  readonly discriminator: string | undefined;
}

/** Compiles one action: input, chain and conversion, each once. */
export function compileAction(
  action: ScannedAction,
  parts: ActionParts,
  resolver: InstanceResolver,
): ActionDefinition {
  const { tool, contracts, output, facts, discriminator } = parts;
  const { key, name, group, title, description, tags, hasMiddleware } = action;
  const { isDestructive, isReadOnly, isIdempotent } = action;
  const common = commonSources(tool, action);
  return Object.freeze({
    ...compileCallable(action, { contracts, common, discriminator }, resolver),
    key,
    name,
    group,
    title,
    description,
    isDestructive,
    isReadOnly,
    isIdempotent,
    tags,
    hasMiddleware,
    requiredFields: ownRequiredFields(contracts.common[0]?.schema, facts.own),
    convert: compileOutput(action.result, output),
  });
}

/** The common schemas of an action: the tool's, then those of the groups, outermost first. */
export function commonSources(tool: ScannedTool, action: ScannedAction): readonly SchemaSource[] {
  return tool.common === undefined ? action.groupCommon : [tool.common, ...action.groupCommon];
}

/** The contract of an action's declared output. */
export function outputContract({ output, where }: ScannedAction): OutputContract | undefined {
  return output === undefined ? undefined : createOutputContract(output, { where });
}
