import type { Deprecation, ResultFormat, TaskOption } from '../call/action-options.ts';
import type { MiddlewareFunction, MiddlewareObject } from '../call/middleware.ts';
import type { RequiresOptions } from '../call/requirements.ts';
import type { DestructiveOptions } from '../features/consent/destructive.ts';
import type { IdempotentOptions } from '../features/idempotency/idempotent.ts';
import { resultRule, taskRule, unknownFieldsRule } from '../metadata/option-rules.ts';
import type { UnknownFields } from '../metadata/options.ts';
import { requiresRule } from '../scanner/requirements/read-requirement.ts';
import type { Class } from '../shared/class-type.ts';
import type { PlainObject } from '../shared/json.ts';
import {
  anything,
  checkedLater,
  listOf,
  objectOf,
  text,
  texts,
  trueOrFalse,
  type OptionRules,
} from '../shared/option-rules.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { FEATURES } from './features.ts';
import { CALL_LIMIT_RULES, type CallLimits } from './limit-options.ts';

/** The value a handler gets for a schema: the class's instance, the schema's output, or a plain object. */
export type InputOf<Schema> =
  Schema extends Class<infer Instance>
    ? Instance
    : Schema extends {
          readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
        }
      ? Output
      : PlainObject;

/** A middleware of the plain API: a function, an object with `use`, or a class of such objects without dependencies. */
export type ToolMiddleware<Context = unknown> =
  | MiddlewareFunction<Context>
  | MiddlewareObject<Context>
  | (new () => MiddlewareObject<Context>);

/** One action of a builder. */
export interface ToolAction<
  Schema extends SchemaSource | undefined = SchemaSource,
  Context = unknown,
  Common = unknown,
> {
  /** Non-empty, without a dot. */
  readonly name: string;
  /** Gets the merged input (own and common fields) and the context of the call. */
  readonly handler: (input: InputOf<Schema> & Common, context: Context) => unknown;
  /** The name that clients show to people. Default: the action's name. */
  readonly title?: string;
  /** What the action does, for models. Default: none. */
  readonly description?: string;
  /** What the input is checked against: a DTO class, a Standard Schema or a JSON Schema. */
  readonly input?: Schema;
  /** Another name of `input`. */
  readonly schema?: Schema;
  /** What the handler returns; it is checked, and sent as `structuredContent`. */
  readonly output?: SchemaSource;
  /** With `confirm`, as in `@Destructive`, each call is agreed to first. Default false, like the other marks. */
  readonly destructive?: boolean | DestructiveOptions;
  /** A repeated call changes nothing more; with a `key`, as in `@Idempotent`, it does not run again. Default false. */
  readonly idempotent?: boolean | IdempotentOptions;
  /** The action changes nothing. Default false. */
  readonly readOnly?: boolean;
  /** Whether it interacts with systems outside of the server. Default: unspecified. */
  readonly openWorld?: boolean;
  /** Runs around this action, inside the middleware of its group and builder. Default: none. */
  readonly middleware?: readonly ToolMiddleware<Context>[];
  /** Tags that filters select by, in addition to those of the builder. Default: none. */
  readonly tags?: readonly string[];
  /**
   * What happens to fields that the action does not declare. Default: that of the group, then of the builder.
   */
  readonly unknownFields?: UnknownFields;
  /** How the handler's value becomes text. Default `json`. */
  readonly result?: ResultFormat;
  /** As in `@Action`; `on-demand` needs a context that can `startTask()`. */
  readonly task?: TaskOption;
  /** The time limit of a call in milliseconds, as with `@Timeout`. Default: that of the registry or application. */
  readonly timeout?: number;
  /** What callers have to be, as with `@Scopes`, `@Roles`, `@Policy` and `@Public`. Default: nothing. */
  readonly requires?: RequiresOptions;
  /** How often and how many at once, as with `@RateLimit`, `@Quota` and `@Concurrency`. Default: any number. */
  readonly limits?: CallLimits;
  /** A semantic version, as in `@Action`. Default: that of the builder's options. */
  readonly version?: string;
  /** Marks the action as deprecated. Default: the builder's options. */
  readonly deprecated?: Deprecation;
  /** Lists it as a tool of its own on the surface `progressive`, as in `@Action`. Default false. */
  readonly pin?: boolean;
}

/** Those of the kernel, in the order in which messages list all. */
const OWN_RULES: OptionRules<ToolAction> = {
  name: checkedLater,
  handler: checkedLater,
  title: text,
  description: text,
  input: checkedLater,
  schema: checkedLater,
  output: checkedLater,
  destructive: anything,
  idempotent: anything,
  readOnly: trueOrFalse,
  openWorld: trueOrFalse,
  middleware: listOf(anything, 'a list of middleware'),
  tags: texts,
  unknownFields: unknownFieldsRule,
  result: resultRule,
  task: taskRule,
  timeout: anything,
  requires: requiresRule,
  limits: objectOf(CALL_LIMIT_RULES),
  version: checkedLater,
  deprecated: checkedLater,
  pin: trueOrFalse,
};

/** With the rules of features in the place of `anything`. */
export const TOOL_ACTION_RULES: OptionRules<ToolAction> = Object.freeze(
  Object.assign({}, OWN_RULES, ...FEATURES.map(({ options }) => options?.action)) as OptionRules<ToolAction>,
);
