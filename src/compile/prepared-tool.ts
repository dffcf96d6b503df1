import { VERSIONS_META_KEY } from '../call/version-meta.ts';
import { publishedActions, versionsByKey } from '../scanner/actions/action-versions.ts';
import type { ScannedAction, ScannedTool } from '../scanner/actions/scanned-tool.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import type { OutputContract } from './contract.ts';
import type { InputContracts } from './input-contracts.ts';
import type { ActionFacts, ToolFacts } from './strategies/action-facts.ts';
import type { CompiledToolDefinition } from './tool-definition.ts';

/** A tool for which everything is computed that needs no instance. */
export interface PreparedTool {
  /** Its `actions` and `groups` are those that are left after a filter. */
  readonly scanned: ScannedTool;
  /** The fields of every action, those that actions declare again included. */
  readonly common: ObjectSchema | undefined;
  /** In registration order. */
  readonly actions: readonly PreparedAction[];
  /** One, or with flat exposition one per action. */
  readonly listed: readonly ListedTool[];
  /** What the application's own filter leaves of it; undefined where it leaves everything or nothing. */
  readonly filtered: PreparedTool | undefined;
}

export interface PreparedAction {
  readonly scanned: ScannedAction;
  readonly contracts: InputContracts;
  readonly output: OutputContract | undefined;
  readonly facts: ActionFacts;
  /** Required fields of its own schema. */
  readonly requiredFields: readonly string[];
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

/** What the strategies need to know of a prepared tool. */
export function factsOf(
  { name, where, description, mode, discriminator, groups, annotations }: ScannedTool,
  common: ObjectSchema | undefined,
  actions: readonly PreparedAction[],
): ToolFacts {
  const facts = actions.map((action) => action.facts);
  return { name, where, description, mode, discriminator, groups, annotations, common, actions: facts };
}

/** {@link publishedActions} of what is prepared. */
export function publishedVersions(actions: readonly PreparedAction[]): readonly PreparedAction[] {
  const published = new Set(publishedActions(actions.map(({ scanned }) => scanned)));
  return actions.filter(({ scanned }) => published.has(scanned));
}

/** How messages name an action: by its key, and its version where it has one. */
export function labelOf({ key, version }: ScannedAction): string {
  return version === undefined ? key : `${key} ${version}`;
}

/** The `_meta` of a listed tool: its own, and which versions there are to ask for, the newest first. */
export function versionsMeta(
  meta: Readonly<Record<string, unknown>> | undefined,
  offered: readonly PreparedAction[],
): Readonly<Record<string, unknown>> | undefined {
  const byKey = versionsByKey(offered.map(({ scanned }) => scanned));
  if (byKey.size === 0) return meta;
  const versions = [...byKey].map(([key, list]) => [key, list.map(({ version }) => version)] as const);
  return { ...meta, [VERSIONS_META_KEY]: Object.fromEntries(versions) };
}
