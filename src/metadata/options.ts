import type { Deprecation, TaskOption, ResultFormat } from '../call/action-options.ts';
import type { ClassReference } from '../shared/class-type.ts';
import type { SchemaSource } from '../shared/schema-source.ts';

/** How undeclared fields are handled: `strict` reports an error, `strip` removes them silently. */
export type UnknownFields = 'strict' | 'strip';

/** One tool with a discriminator, or one tool per action. */
export type Expose = 'grouped' | 'flat';

/** How a tool describes its actions: as text, as a TOON table, or with one signature for each. */
export type Describe = 'plain' | 'toon' | 'signatures';

/** Hints for clients (spec: server/tools, Tool Annotations). They are hints, never guarantees. */
export interface ToolAnnotationHints {
  /** The name that clients show to people. */
  readonly title?: string | undefined;
  /** The tool changes nothing. Clients take false where it is left out. */
  readonly readOnlyHint?: boolean | undefined;
  /** The tool may destroy or overwrite something. Clients take true where it is left out. */
  readonly destructiveHint?: boolean | undefined;
  /** A repeated call changes nothing more. Clients take false where it is left out. */
  readonly idempotentHint?: boolean | undefined;
  /** The tool interacts with systems outside of the server. Clients take true where it is left out. */
  readonly openWorldHint?: boolean | undefined;
  /** An addition of some clients: the result is meant for the user as it is. */
  readonly returnDirect?: boolean | undefined;
}

/** An icon of a tool or server (spec: basic, Icons). */
export interface IconOptions {
  /** The URL of the image, or a `data:` URI. */
  readonly src: string;
  /** The media type of the image. Default: that of the response. */
  readonly mimeType?: string;
  /** The sizes it is meant for, such as `48x48`, or `any`. Default: any. */
  readonly sizes?: readonly string[];
  /** The background it is made for. Default: any. */
  readonly theme?: 'light' | 'dark';
}

/** Options of `@ToolGroup`. */
export interface ToolGroupOptions {
  /** The tool's name, or the group's segment of the action keys. Default: the class name without `Controller`, `Tools`, `ToolGroup` or `Group` at the end, in kebab-case. */
  readonly name?: string;
  /** The name that clients show to people. Default: they show `name`. */
  readonly title?: string;
  /** What the group is for, for models. Default: none. */
  readonly description?: string;
  /** Another @ToolGroup class; this group's actions then belong to the tool at the root of the tree. */
  readonly parent?: ClassReference;
  /** Fields that all actions share. */
  readonly common?: SchemaSource;
  /** Tags that filters select by; those of an action are added. Default: none. */
  readonly tags?: readonly string[];
  /** The name of the argument that says which action to run. Default `action`. Root groups only. */
  readonly discriminator?: string;
  /**
   * One tool with a discriminator, or one tool per action. Default: that of the application. Root groups
   * only.
   */
  readonly expose?: Expose;
  /**
   * Describes the actions as text, as a TOON table or with signatures. Default: that of the application. Root groups
   * only.
   */
  readonly describe?: Describe;
  /** Between the names of a flat tool. Default `_`. Root groups only. */
  readonly separator?: string;
  /** What the names of flat tools begin with; `''` leaves it out. Default: the group's name. Root groups only. */
  readonly prefix?: string;
  /** Explicit hints; they win over what the actions' marks add up to. */
  readonly annotations?: ToolAnnotationHints;
  /**
   * What happens to fields that an action does not declare. Default: that of the parent, then of the
   * application.
   */
  readonly unknownFields?: UnknownFields;
  /** Icons that clients show beside the name. Default: none. */
  readonly icons?: readonly IconOptions[];
  /** The semantic version of actions without their own. Default: that of the parent. */
  readonly version?: string;
  /** The default for actions without their own setting. Default: that of the parent. */
  readonly deprecated?: Deprecation;
  /** `_meta` of the tool. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Options of `@Action`. */
export interface ActionOptions<
  Input extends SchemaSource = SchemaSource,
  Output extends SchemaSource = SchemaSource,
> {
  /** Default: the method's name. */
  readonly name?: string;
  /** The name that clients show to people. Default: they show `name`. */
  readonly title?: string;
  /** What the action does, for models. Default: none. */
  readonly description?: string;
  /**
   * What the input is checked against: a DTO class, a Standard Schema or a JSON Schema. Default: the class of
   * the parameter without another role.
   */
  readonly input?: Input;
  /** What the method returns; it is checked, and sent as `structuredContent`. Default: none. */
  readonly output?: Output;
  /** Further @ToolGroup classes that this action also belongs to. */
  readonly groups?: readonly ClassReference[];
  /** Tags that filters select by, in addition to those of the group. Default: none. */
  readonly tags?: readonly string[];
  /** What happens to fields that the action does not declare. Default: that of the group. */
  readonly unknownFields?: UnknownFields;
  /** Default `json`. */
  readonly result?: ResultFormat;
  /**
   * Lets a call become a task, so that the client polls for the result. If the client does not support tasks,
   * the call runs normally; with `required` it is rejected. With `on-demand` the handler decides, by
   * `ctx.startTask()`. With `{ queue: 'reports' }` it is run by the processes that work on that queue
   * (`app.work()`), where the application shares queues, and here where it does not. Default false.
   */
  readonly task?: TaskOption;
  /**
   * A semantic version. Several methods may be the same action in different versions; callers that ask for none get
   * the newest release. Default: the version of the group.
   */
  readonly version?: string;
  /** Marks the action as deprecated. Default: that of the group. */
  readonly deprecated?: Deprecation;
  /** Lists it as a tool of its own on the surface `progressive`, where other actions are found first. Default false. */
  readonly pin?: boolean;
}

/** One prompt of a family, as its `list` method gives it; what it leaves out is taken from the family. */
export interface ListedPrompt {
  /** The name of the prompt; it fits the name of the family. */
  readonly name: string;
  /** The name that clients show to people. Default: that of the family. */
  readonly title?: string;
  /** What the prompt is for. Default: that of the family. */
  readonly description?: string;
}

/** Options of `@Prompt`. */
export interface PromptOptions {
  /**
   * Default: the method's name. Unique among the prompts of an application. With one variable, such as
   * `review_{language}`, it is a family of prompts: the variable becomes a member of the input, and `list` says
   * which there are.
   */
  readonly name?: string;
  /** The name of a method of the same class that lists the prompts of a family, as {@link ListedPrompt}s. */
  readonly list?: string;
  /** The name that clients show to people. Default: they show `name`. */
  readonly title?: string;
  /** What the prompt is for. Default: none. */
  readonly description?: string;
  /** The schema of the arguments. Default: the class of the parameter without another role. */
  readonly input?: SchemaSource;
  /** Icons that clients show beside the name. Default: none. */
  readonly icons?: readonly IconOptions[];
  /** Tags that filters select by. Default: none. */
  readonly tags?: readonly string[];
  /** What happens to arguments that the prompt does not declare. Default: that of the application. */
  readonly unknownFields?: UnknownFields;
  /** `_meta` of the prompt. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** How long clients and proxies may keep a result (spec 2026-07-28: server/utilities/caching). */
export interface CacheOptions {
  /** In milliseconds; 0 means that the result may change at any time. Default 0. */
  readonly ttl?: number;
  /** `public` if all clients get the same result, so that a shared cache may serve it. Default `private`. */
  readonly scope?: 'public' | 'private';
}

/** Hints of a resource for clients (spec: server/resources, Annotations). */
export interface ResourceAnnotationOptions {
  /** Who the resource is for. Default: both. */
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 is entirely optional, 1 is effectively required. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** One resource as the `list` method of a template gives it; what it leaves out is taken from the template. */
export interface ListedResource {
  /** The URI of the resource; it fits the template. */
  readonly uri: string;
  /** The name, for programs. Default: that of the template. */
  readonly name?: string;
  /** The name that clients show to people. Default: that of the template. */
  readonly title?: string;
  /** What the resource has in it. Default: that of the template. */
  readonly description?: string;
  /** The media type of the content. Default: that of the template. */
  readonly mimeType?: string;
  /** The size of the content in bytes. Default: unknown. */
  readonly size?: number;
  /** Hints for clients. Default: those of the template. */
  readonly annotations?: ResourceAnnotationOptions;
}

/** Options of `@Resource`. */
export interface ResourceOptions {
  /** Default: the method's name. */
  readonly name?: string;
  /** The name that clients show to people. Default: they show `name`. */
  readonly title?: string;
  /** What the resource has in it. Default: none. */
  readonly description?: string;
  /** The media type of the content. Default: none is listed. */
  readonly mimeType?: string;
  /** Hints for clients: who it is for, how important it is, when it last changed. Default: none. */
  readonly annotations?: ResourceAnnotationOptions;
  /** In bytes; of fixed URIs only. */
  readonly size?: number;
  /** Icons that clients show beside the name. Default: none. */
  readonly icons?: readonly IconOptions[];
  /** The name of a method of the same class that lists the resources of a template, as {@link ListedResource}s. */
  readonly list?: string;
  /** The schema of the template's variables. */
  readonly input?: SchemaSource;
  /** Tags that filters select by. Default: none. */
  readonly tags?: readonly string[];
  /** How long the content may be cached. */
  readonly cache?: CacheOptions;
  /** `_meta` of the resource. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A type of JSON. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** Options of `@Field`. */
export interface FieldOptions {
  /** What the field is for, for models. Default: none. */
  readonly description?: string;
  /** A short name of the field, for people. Default: none. */
  readonly title?: string;
  /** Values that the field may have, for models. Default: none. */
  readonly examples?: readonly unknown[];
  /** The value that the schema shows as the default. Default: the initial value of the property. */
  readonly default?: unknown;
  /** Marks the field as deprecated. Default false. */
  readonly deprecated?: boolean;
  /** The `format` of JSON Schema, such as `date-time`. Default: what the validators say. */
  readonly format?: string;
  /**
   * The type that the field is sent as, or several, where it is another one than validators and the property show: for
   * what `@Transform` or `@Type` converts. A value of another type is refused. Default: what they show.
   */
  readonly type?: JsonType | readonly JsonType[];
  /**
   * Allows `null` as a value: the schema includes it, validators are skipped for it, and the handler receives it.
   * Otherwise, null for an optional field means that the field is absent.
   */
  readonly nullable?: boolean;
  /**
   * The name under which HTTP clients repeat the value as `Mcp-Param-<name>`, for proxies that route by it
   * (spec 2026-07-28: server/tools, x-mcp-header). For texts, integers and booleans only.
   */
  readonly header?: string;
}

/** How an action is agreed to before it runs: not at all, by a person who is asked, on a page, or by a second call. */
export type Confirm = boolean | 'twice' | 'url';

/** Options of `@Page`. */
export interface PageOptions<Element = unknown> {
  /**
   * The `nextCursor` after the last element that was kept, such that the handler goes on with the one after it. It may be
   * called several times. Needed where the class declares `nextCursor`.
   */
  readonly cursor?: (last: Element, page: PageCut) => string | number;
}

/** A page as it is cut. */
export interface PageCut {
  /** How many elements are kept. */
  readonly kept: number;
  /** What the handler gave, as JSON carries it. */
  readonly output: Readonly<Record<string, unknown>>;
  /** The validated input of the call. */
  readonly input: unknown;
}
