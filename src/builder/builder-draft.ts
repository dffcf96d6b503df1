import type { Deprecation, ResultFormat, TaskOption } from '../call/action-options.ts';
import type { MiddlewareFunction, MiddlewareObject } from '../call/middleware.ts';
import type { ToolAnnotationHints, UnknownFields } from '../metadata/options.ts';
import type { VersioningOptions } from '../scanner/actions/versioning.ts';
import type { ScannedMiddleware } from '../scanner/members/scanned-callable.ts';
import type { Class } from '../shared/class-type.ts';
import type { PlainObject } from '../shared/json.ts';
import type { SchemaSource } from '../shared/schema-source.ts';

/** The draft of one group. */
export interface GroupDraft {
  readonly name: string;
  description: string | undefined;
  unknownFields: UnknownFields | undefined;
  timeout: number | undefined;
  readonly middleware: ScannedMiddleware[];
}

/** One registered action; `group` is undefined in flat mode. */
export interface ActionDraft {
  readonly key: string;
  readonly group: GroupDraft | undefined;
  readonly action: ToolAction;
  readonly middleware: readonly ScannedMiddleware[];
}

/** The draft of a builder: the only mutable state in the pipeline, dropped after the build. */
export interface BuilderDraft {
  readonly name: string;
  description: string | undefined;
  discriminator: string;
  annotations: ToolAnnotationHints;
  common: SchemaSource | undefined;
  isToon: boolean;
  /** The default for actions without their own setting. */
  readonly versioning: VersioningOptions;
  readonly tags: Set<string>;
  readonly middleware: ScannedMiddleware[];
  readonly groups: Map<string, GroupDraft>;
  readonly actions: ActionDraft[];
}

export function createDraft(name: string, versioning: VersioningOptions = {}): BuilderDraft {
  return {
    name,
    description: undefined,
    discriminator: 'action',
    annotations: {},
    common: undefined,
    isToon: false,
    versioning,
    tags: new Set(),
    middleware: [],
    groups: new Map(),
    actions: [],
  };
}

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
  MiddlewareFunction<Context> | MiddlewareObject<Context> | (new () => MiddlewareObject<Context>);

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
  /** Default false, like the other marks. */
  readonly destructive?: boolean;
  /** A repeated call changes nothing more. Default false. */
  readonly idempotent?: boolean;
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
  /** A semantic version, as in `@Action`. Default: that of the builder's options. */
  readonly version?: string;
  /** Marks the action as deprecated. Default: the builder's options. */
  readonly deprecated?: Deprecation;
}
