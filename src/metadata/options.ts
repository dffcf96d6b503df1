import type { Deprecation, TaskOption, ResultFormat } from '../call/action-options.ts';
import type { Class, ClassReference, Token } from '../shared/class-type.ts';
import type { SchemaSource } from '../shared/schema-source.ts';

/** How undeclared fields are handled: `strict` reports an error, `strip` removes them silently. */
export type UnknownFields = 'strict' | 'strip';

/** One tool with a discriminator, or one tool per action. */
export type Expose = 'grouped' | 'flat';

/** How a tool describes its actions: as text, or as a TOON table. */
export type Describe = 'plain' | 'toon';

/** The lifetime of an instance: one per application, per call, or per injection. */
export type Scope = 'singleton' | 'request' | 'transient';

/** The default limits of calls. */
export interface LimitOptions {
  /** The time limit of a call in milliseconds; `@Timeout` overrides it. Default: none. */
  readonly timeout?: number;
  /** Maximum number of values in the arguments of a call, including objects and lists. Default 100,000. */
  readonly argumentNodes?: number;
}

/** Hints for clients (spec: server/tools, Tool Annotations). They are hints, never guarantees. */
export interface ToolAnnotationHints {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
  /** An addition of some clients: the result is meant for the user as it is. */
  readonly returnDirect?: boolean | undefined;
}

/** An icon of a tool or server (spec: basic, Icons). */
export interface IconOptions {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Options of `@ToolGroup`. */
export interface ToolGroupOptions {
  /** The tool's name, or the group's segment of the action keys. Default: the class name without `Controller`, `Tools`, `ToolGroup` or `Group` at the end, in kebab-case. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** Another @ToolGroup class; this group's actions then belong to the tool at the root of the tree. */
  readonly parent?: ClassReference;
  /** Fields that all actions share. */
  readonly common?: SchemaSource;
  readonly tags?: readonly string[];
  /** The name of the argument that says which action to run. Default `action`. Root groups only. */
  readonly discriminator?: string;
  readonly expose?: Expose;
  readonly describe?: Describe;
  /** Between the names of a flat tool. Default `_`. Root groups only. */
  readonly separator?: string;
  /** What the names of flat tools begin with; `''` leaves it out. Default: the group's name. Root groups only. */
  readonly prefix?: string;
  /** Explicit hints; they win over what the actions' marks add up to. */
  readonly annotations?: ToolAnnotationHints;
  readonly unknownFields?: UnknownFields;
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
  readonly title?: string;
  readonly description?: string;
  readonly input?: Input;
  readonly output?: Output;
  /** Further @ToolGroup classes that this action also belongs to. */
  readonly groups?: readonly ClassReference[];
  readonly tags?: readonly string[];
  readonly unknownFields?: UnknownFields;
  /** Default `json`. */
  readonly result?: ResultFormat;
  /**
   * Lets a call become a task, so that the client polls for the result. If the client does not support tasks,
   * the call runs normally; with `required` it is rejected. With `on-demand` the handler decides, by
   * `ctx.startTask()`. Default false.
   */
  readonly task?: TaskOption;
  /**
   * A semantic version. Several methods may be the same action in different versions; callers that ask for none get
   * the newest release. Default: the version of the group.
   */
  readonly version?: string;
  /** Marks the action as deprecated. Default: that of the group. */
  readonly deprecated?: Deprecation;
}

/** One prompt of a family, as its `list` method gives it; what it leaves out is taken from the family. */
export interface ListedPrompt {
  readonly name: string;
  readonly title?: string;
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
  readonly title?: string;
  readonly description?: string;
  /** The schema of the arguments. Default: the class of the parameter without another role. */
  readonly input?: SchemaSource;
  readonly icons?: readonly IconOptions[];
  readonly tags?: readonly string[];
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
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 is entirely optional, 1 is effectively required. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** One resource as the `list` method of a template gives it; what it leaves out is taken from the template. */
export interface ListedResource {
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: ResourceAnnotationOptions;
}

/** Options of `@Resource`. */
export interface ResourceOptions {
  /** Default: the method's name. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: ResourceAnnotationOptions;
  /** In bytes; of fixed URIs only. */
  readonly size?: number;
  readonly icons?: readonly IconOptions[];
  /** The name of a method of the same class that lists the resources of a template, as {@link ListedResource}s. */
  readonly list?: string;
  /** The schema of the template's variables. */
  readonly input?: SchemaSource;
  readonly tags?: readonly string[];
  /** How long the content may be cached. */
  readonly cache?: CacheOptions;
  /** `_meta` of the resource. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Options of `@Field`. */
export interface FieldOptions {
  readonly description?: string;
  readonly title?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly deprecated?: boolean;
  readonly format?: string;
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

/** Options of `@Injectable`. */
export interface InjectableOptions {
  /** Default `singleton`. */
  readonly scope?: Scope;
}

/** Options of `@Inject`. */
export interface InjectOptions {
  /** Injects `undefined` if there is no provider. Default false. */
  readonly optional?: boolean;
}

/** A provider whose instances are those of a class. */
export interface ClassProvider<T = unknown> {
  readonly provide: Token<T>;
  readonly useClass: Class<T>;
  readonly scope?: Scope;
}

/** A provider that is a value already. */
export interface ValueProvider<T = unknown> {
  readonly provide: Token<T>;
  readonly useValue: T;
}

/** A provider with instances created by a function from the values of the tokens in `inject`. */
export interface FactoryProvider<T = unknown> {
  readonly provide: Token<T>;
  /** May be async, unless the scope is transient. Receives what `inject` names, in that order. */
  readonly useFactory: (...dependencies: never[]) => T | Promise<T>;
  readonly inject?: readonly (Token | { readonly token: Token; readonly optional: true })[];
  readonly scope?: Scope;
}

/** A second token for what another token stands for. */
export interface ExistingProvider<T = unknown> {
  readonly provide: Token<T>;
  readonly useExisting: Token<T>;
}

/** What a module provides: a class, or a token with the way to its value. */
export type Provider = Class | ClassProvider | ValueProvider | FactoryProvider | ExistingProvider;

/** What `forRoot()` of a configurable module returns. */
export interface DynamicModule extends Omit<ModuleOptions, 'imports'> {
  readonly module: Class;
  readonly imports?: readonly ModuleReference[];
}

/** A module as `imports` and `exports` name it; a function for modules that import each other. */
export type ModuleReference = ClassReference | DynamicModule;

/** Options of `@Module`. */
export interface ModuleOptions {
  readonly imports?: readonly ModuleReference[];
  readonly controllers?: readonly Class[];
  readonly providers?: readonly Provider[];
  /** Tokens, or imported modules whose exports are passed on. */
  readonly exports?: readonly (Token | ModuleReference)[];
  /** Makes the exports visible everywhere. */
  readonly global?: boolean;
}
