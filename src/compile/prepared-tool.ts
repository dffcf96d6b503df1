import type { Group } from '../model/group.ts';
import type { ScannedAction, ScannedTool } from '../scanner/scanned-tool.ts';
import type { OutputContract } from './contract.ts';
import type { InputContracts } from './input-contracts.ts';
import type { ActionFacts } from './strategies/action-facts.ts';
import type { CompiledToolDefinition } from './tool-definition.ts';

/** A tool for which everything is computed that needs no instance. */
export interface PreparedTool {
  readonly scanned: ScannedTool;
  readonly model: Group;
  /** One, or with flat exposition one per action. */
  readonly listed: readonly ListedTool[];
}

/** What clients see, and the actions behind it. */
export interface ListedTool {
  readonly definition: CompiledToolDefinition;
  /** Undefined where the tool is one action by itself. */
  readonly discriminator: string | undefined;
  readonly actions: readonly PreparedAction[];
  /** What calls can reach: those actions, and the other versions of them. */
  readonly offered: readonly PreparedAction[];
}

export interface PreparedAction {
  readonly scanned: ScannedAction;
  readonly contracts: InputContracts;
  readonly output: OutputContract | undefined;
  readonly facts: ActionFacts;
}
