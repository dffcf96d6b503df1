import type { Deprecation, TaskMode } from '../call/action-options.ts';
import type { CheckOutcome } from '../call/issue.ts';
import type { CallToolResult } from '../call/results.ts';
import type { CompiledHandler } from './handler-call.ts';
import type { CompiledToolDefinition } from './tool-definition.ts';

/** A tool that is ready to serve: what the list says, and a route for every action. Frozen. */
export interface CompiledTool {
  /** The name that middleware and messages use: the group's, also where each action is a tool of its own. */
  readonly name: string;
  readonly definition: CompiledToolDefinition;
  readonly tags: readonly string[];
  /** The routing argument; undefined when the tool is one action by itself (flat exposition). */
  readonly discriminator: string | undefined;
  /** The listed versions, in registration order; exactly one without a discriminator. */
  readonly actions: readonly ActionDefinition[];
  /** The listed version of each action by its exact key. */
  readonly byKey: ReadonlyMap<string, ActionDefinition>;
  /** The versions of each key that has some, the newest first; undefined where nothing has one or is deprecated. */
  readonly versions: ReadonlyMap<string, readonly ActionDefinition[]> | undefined;
}

/** One action, ready to run. */
export interface ActionDefinition extends CompiledHandler {
  readonly key: string;
  /** A semantic version; undefined where it has none. */
  readonly version: string | undefined;
  /** What its callers are told. */
  readonly deprecated: Deprecation | undefined;
  readonly name: string;
  readonly group: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly isDestructive: boolean;
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
  readonly tags: readonly string[];
  /** Required fields of the action's own schema. */
  readonly requiredFields: readonly string[];
  readonly hasMiddleware: boolean;
  /** It declares an output, whether or not the tool can publish one. */
  readonly hasOutput: boolean;
  /** Undefined where it is never a task. */
  readonly task: TaskMode | undefined;
  /** Turns a handler's value into a result; a value that breaks the declared output is an `ok: false`. */
  readonly convert: (value: unknown) => CheckOutcome<CallToolResult> | Promise<CheckOutcome<CallToolResult>>;
}
