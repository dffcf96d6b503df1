import type { UserDecorator } from '../call/user-decorator.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedAction, ScannedTool } from '../scanner/scanned-tool.ts';
import type { ActionContracts } from './action-contracts.ts';
import { compileChain, perCallKeys } from './compile-chain.ts';
import { compileInput } from './compile-input.ts';
import { compileOutput } from './compile-output.ts';
import type { ActionDefinition } from './compiled-tool.ts';
import { createOutputContract } from './contracts/create-output-contract.ts';
import type { OutputContract } from './contract.ts';
import { ownRequiredFields } from './strategies/required-fields.ts';
import type { ActionFacts } from './strategies/action-facts.ts';

/** The parts of a tool that all of its actions share while they are compiled. */
export interface ActionParts {
  readonly tool: ScannedTool;
  readonly contracts: ActionContracts;
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
  const {
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
  } = action;
  const all = contracts.own === undefined ? contracts.common : [...contracts.common, contracts.own];
  const metadata = new Map(action.metadata.map((entry) => [entry.decorator, entry.value]));
  return Object.freeze({
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
    looseFields: Object.freeze(all.flatMap((contract) => contract.looseFields)),
    warnings: Object.freeze(all.flatMap((contract) => contract.warnings)),
    requiredFields: ownRequiredFields(contracts.common[0]?.schema, facts.own),
    perCall: perCallKeys(action, resolver),
    resolveInput: compileInput(contracts, discriminator, action.unknownFields),
    invoke: compileChain(tool, action, resolver),
    convert: compileOutput(action.result, output),
    metadata: <T>(decorator: UserDecorator<T>) =>
      metadata.get(decorator as UserDecorator<unknown>) as T | undefined,
  });
}

/** The contract of an action's declared output. */
export function outputContract({ output, where }: ScannedAction): OutputContract | undefined {
  return output === undefined ? undefined : createOutputContract(output, { where });
}
