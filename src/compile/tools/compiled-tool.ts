import type { Deprecation, TaskSupport } from '../../call/action-options.ts';
import type { CheckOutcome } from '../../call/issue.ts';
import type { CallToolResult } from '../../call/results.ts';
import type { CheckExplanation } from '../../dto/check/explanation.ts';
import type { Confirm, IconOptions, ToolAnnotationHints, UnknownFields } from '../../metadata/options.ts';
import type { ScannedAction } from '../../scanner/actions/scan-tools.ts';
import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import type { CompiledHandler } from '../../kernel/call/stage.ts';

/** A tool that is ready to serve: its list entry, and a route for every action. Frozen. */
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

/** The properties of an action itself. Its `deprecated` is as callers see it. */
type ActionTraits = Omit<
  ScannedAction,
  keyof ScannedCallable | 'groupCommon' | 'isOpenWorld' | 'isPinned' | 'output' | 'result' | 'suffix'
>;

/** One action, ready to run. */
export interface ActionDefinition extends CompiledHandler, ActionTraits {
  /** Required fields of the action's own schema. */
  readonly requiredFields: readonly string[];
  /** True if it declares an output, even if the tool cannot publish one. */
  readonly hasOutput: boolean;
  /** True if the output is a list that is cut into pages. */
  readonly isPaged: boolean;
  /** True if its calls are counted before anything looks at their arguments. */
  readonly countsCalls: boolean;
  /** Converts a handler's value to a result; `ok: false` if the value violates the declared output. */
  readonly convert: (value: unknown) => CheckOutcome<CallToolResult> | Promise<CheckOutcome<CallToolResult>>;
  /** The same for clients on the other side of a transport: they get JSON without indent. */
  readonly convertForWire: ActionDefinition['convert'];
}

/** A tool as tools/list describes it: deeply frozen plain data (spec: server/tools, Tool). */
export interface ToolDefinition {
  /** The name that clients call the tool by. */
  readonly name: string;
  /** The name that clients show to people. */
  readonly title?: string;
  /** What the tool and its actions do, for models. */
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly inputSchema: ObjectSchema;
  /** The JSON Schema of `structuredContent`; left out where results have none. */
  readonly outputSchema?: ObjectSchema;
  /** Hints about what calls may do. */
  readonly annotations: ToolAnnotationHints;
  /** Whether it can be called as a task; left out where it cannot (spec 2025-11-25: basic/utilities/tasks). */
  readonly execution?: { readonly taskSupport: TaskSupport };
  /** Icons that clients show beside the name. */
  readonly icons?: readonly IconOptions[];
  /** Additional data for the client, passed through as it is. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * The definition of a tool of this process. Its methods are hidden from code that copies, compares or sends it: a copy
 * is a {@link ToolDefinition} without them, though TypeScript gives a spread the type of what was spread.
 */
export interface CompiledToolDefinition extends ToolDefinition {
  /**
   * Says for the inputs of its actions whether they are checked by compiled code or by class-validator, and why.
   * What is not compiled yet is compiled for it.
   *
   * @example
   * const slow = app.definitions.filter((definition) =>
   *   definition.explain().some(({ checks }) => checks.some(({ path }) => path === 'class-stack')),
   * );
   */
  readonly explain: () => readonly ExplainedInput[];
  /**
   * The listed actions, each with the schema of all that it takes: the definition of a tool that groups actions has one
   * schema for all of them together. A tool that is one action by itself has that one.
   *
   * @example
   * const needs = app.definitions.flatMap((definition) =>
   *   definition.actions().map(({ key, inputSchema }) => [key, inputSchema.required]),
   * );
   */
  readonly actions: () => readonly ListedAction[];
}

/** One action of a tool, as it would be listed as a tool of its own. Frozen. */
export interface ListedAction {
  /** The value of the discriminator that calls it: `users.create`. */
  readonly key: string;
  /** Left out where it has none. */
  readonly version?: string;
  /** Left out where it is not deprecated. */
  readonly deprecated?: Deprecation;
  /** The name that clients show to people. */
  readonly title?: string;
  /** What the action does, for models. */
  readonly description?: string;
  /** Its own fields and those that its group shares. */
  readonly inputSchema: ObjectSchema;
  /** Its declared output, whether the tool publishes one or not. Left out where it declares none. */
  readonly outputSchema?: JsonSchema;
  /** Whether a field that it does not know is refused or dropped. */
  readonly unknownFields: UnknownFields;
  /** Hints about what calls of the action may do. */
  readonly annotations: ToolAnnotationHints;
  /** How each call is agreed to. Left out where nobody is asked. */
  readonly confirm?: Confirm;
}

/** How the input of one action, prompt or resource is checked. */
export interface ExplainedInput {
  /** What takes the input. */
  readonly kind: 'action' | 'prompt' | 'resource';
  /** The tool of an action; undefined for the others. */
  readonly tool: string | undefined;
  /** The key of the action, or the name. */
  readonly name: string;
  /** Its DTO classes: those of the common inputs, then its own. Other schemas are not listed. */
  readonly checks: readonly CheckExplanation[];
}

/** The facts about an action that are known without calling it. */
export interface ActionMetadata {
  /** The value of the discriminator that calls it: `users.create`. */
  readonly key: string;
  /** The last segment of the key: `create`. */
  readonly actionName: string;
  /** Left out where it has none. */
  readonly version?: string;
  /** Left out where it is not deprecated. */
  readonly deprecated?: Deprecation;
  /** Undefined in a flat tool. */
  readonly groupName: string | undefined;
  /** What the action does; undefined where nothing says it. */
  readonly description: string | undefined;
  /** Whether it has the mark `@Destructive`, or `destructive: true`. */
  readonly destructive: boolean;
  /** Whether it has the mark `@Idempotent`, or `idempotent: true`. */
  readonly idempotent: boolean;
  /** Whether it has the mark `@ReadOnly`, or `readOnly: true`. */
  readonly readOnly: boolean;
  /** Of the action's own schema, without common fields. */
  readonly requiredFields: readonly string[];
  /** Whether a sub-group or the action has middleware; that of the tool and of the application does not count. */
  readonly hasMiddleware: boolean;
  /** The queue that its tasks are put on. Left out where it has none. */
  readonly queue?: string;
}

/** The actions of a tool in the order they are listed; then the other versions that can be called. */
export function actionsOf({ actions, versions }: CompiledTool): readonly ActionMetadata[] {
  const all = new Set([...actions, ...[...(versions?.values() ?? [])].flat()]);
  return Object.freeze([...all].map((action) => describeAction(action, action.requiredFields)));
}

export function describeAction(action: ActionTraits, requiredFields: readonly string[]): ActionMetadata {
  const { key, name, version, deprecated, group, description, hasMiddleware } = action;
  return Object.freeze({
    key,
    actionName: name,
    ...(version === undefined ? {} : { version }),
    ...(deprecated === undefined ? {} : { deprecated }),
    groupName: group,
    description,
    destructive: action.isDestructive,
    idempotent: action.isIdempotent,
    readOnly: action.isReadOnly,
    requiredFields,
    hasMiddleware,
    ...(action.queue === undefined ? {} : { queue: action.queue }),
  });
}
