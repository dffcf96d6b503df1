import type { CallToolResult } from '../call/call-tool-result.ts';
import type { CheckOutcome } from '../call/issue.ts';
import type { MiddlewareCall } from '../call/middleware.ts';
import type { ProviderKey } from '../scanner/scanned-provider.ts';
import type { Problem } from '../errors/problem-list.ts';
import type { PlainObject } from '../shared/json.ts';
import type { CallScope, InstanceResolver } from '../container/instance-resolver.ts';
import type { LooseField } from './contract.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** A tool that is ready to serve: what the list says, and a route for every action. Frozen. */
export interface CompiledTool {
  /** The name that middleware and messages use: the group's, also where each action is a tool of its own. */
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly tags: readonly string[];
  /** The routing argument; undefined when the tool is one action by itself (flat exposition). */
  readonly discriminator: string | undefined;
  /** In registration order; exactly one without a discriminator. */
  readonly actions: readonly ActionDefinition[];
  /** Finds an action by its exact key. */
  readonly find: (key: string) => ActionDefinition | undefined;
  /** Opens the scopes of actions that have {@link ActionDefinition.perCall} providers. */
  readonly resolver: InstanceResolver;
}

/** One action, ready to run. */
export interface ActionDefinition {
  readonly key: string;
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
  /** What the check enforces and the schema cannot say. */
  readonly looseFields: readonly LooseField[];
  /** What works in its DTOs, but hardly as their author meant it. */
  readonly warnings: readonly Problem[];
  /** Providers that are made anew for each call; empty for most actions, which then open no scope. */
  readonly perCall: readonly ProviderKey[];
  /** Validates the arguments without the discriminator and hydrates them. */
  readonly resolveInput: (args: PlainObject) => ResolvedInputOutcome | Promise<ResolvedInputOutcome>;
  /** The middleware chain around the handler, composed once. It may throw whatever user code throws. */
  readonly invoke: (call: ActionCall) => unknown;
  /** Turns a handler's value into a result; a value that breaks the declared output is an `ok: false`. */
  readonly convert: (value: unknown) => CheckOutcome<CallToolResult> | Promise<CheckOutcome<CallToolResult>>;
  readonly metadata: MiddlewareCall['metadata'];
}

/** Validated input: the handler's input, and one instance per common schema. */
export interface ResolvedInput {
  readonly input: unknown;
  /** In the order: the tool's common schema, then those of the groups, outermost first. */
  readonly common: readonly unknown[];
}

export type ResolvedInputOutcome = CheckOutcome<ResolvedInput>;

/** What flows through the chain: the middleware's view, and what only the handler's plan reads. */
export interface ActionCall extends MiddlewareCall<unknown> {
  readonly common: readonly unknown[];
  readonly scope: CallScope | undefined;
}
