// Lists are mutable arrays, and undefined is allowed, because the types of the MCP SDK are like that;
// so objects pass between the two without a cast.

/** What every wire object has (spec: schema, BaseMetadata and Icons). */
export interface WireBase {
  /** The name, for programs. */
  readonly name: string;
  /** The name that clients show to people. */
  readonly title?: string | undefined;
  /** What it is for, for models and people. */
  readonly description?: string | undefined;
  /** Icons that clients show beside the name. */
  readonly icons?: WireIcon[] | undefined;
  /** Additional data for the client, passed through as it is. */
  readonly _meta?: Record<string, unknown> | undefined;
}

/** An icon as MCP sends it. */
export interface WireIcon {
  /** The URL of the image, or a `data:` URI. */
  readonly src: string;
  /** The media type of the image. */
  readonly mimeType?: string | undefined;
  /** The sizes it is meant for, such as `48x48`, or `any`. */
  readonly sizes?: string[] | undefined;
  /** The background it is made for. Default: any. */
  readonly theme?: 'light' | 'dark' | undefined;
}

/** Annotations of a resource as MCP sends them. */
export interface WireAnnotations {
  /** Who the resource is for. Default: both. */
  readonly audience?: ('user' | 'assistant')[] | undefined;
  /** From 0, entirely optional, to 1, effectively required. */
  readonly priority?: number | undefined;
  /** When it last changed, ISO 8601. */
  readonly lastModified?: string | undefined;
}

/** Hints of a tool as MCP sends them; `returnDirect` is an addition that clients ignore. */
export interface WireToolAnnotations {
  /** The name that clients show to people. */
  readonly title?: string | undefined;
  /** The tool changes nothing. */
  readonly readOnlyHint?: boolean | undefined;
  /** The tool may destroy or overwrite something. */
  readonly destructiveHint?: boolean | undefined;
  /** A repeated call changes nothing more. */
  readonly idempotentHint?: boolean | undefined;
  /** The tool interacts with systems outside of the server. */
  readonly openWorldHint?: boolean | undefined;
  /** An addition of some clients: the result is meant for the user as it is. */
  readonly returnDirect?: boolean | undefined;
}

/** A JSON Schema whose root is an object. */
export interface WireSchema {
  /** Arguments are always an object. */
  readonly type: 'object';
  /** Field name → its JSON Schema. */
  readonly properties?: Record<string, object> | undefined;
  /** The names of the fields that must be there. */
  readonly required?: string[] | undefined;
  /** Any other keyword of JSON Schema. */
  readonly [keyword: string]: unknown;
}

/** A tool as `tools/list` sends it. */
export interface WireTool extends WireBase {
  /** The JSON Schema of the arguments. */
  readonly inputSchema: WireSchema;
  /** The JSON Schema of `structuredContent`. */
  readonly outputSchema?: WireSchema | undefined;
  /** Hints about what calls may do. */
  readonly annotations?: WireToolAnnotations | undefined;
}

/** An argument of a prompt as `prompts/list` sends it. */
export interface WirePromptArgument extends WireBase {
  /** Whether the argument must be there. Default false. */
  readonly required?: boolean | undefined;
}

/** A prompt as `prompts/list` sends it. */
export interface WirePrompt extends WireBase {
  /** The arguments of the prompt, in order. */
  readonly arguments?: WirePromptArgument[] | undefined;
}

/** A resource as `resources/list` sends it. */
export interface WireResource extends WireBase {
  /** The URI by which clients read the resource. */
  readonly uri: string;
  /** The media type of the content. */
  readonly mimeType?: string | undefined;
  /** The size of the content in bytes. */
  readonly size?: number | undefined;
  /** Hints for clients: who it is for, how important it is, when it last changed. */
  readonly annotations?: WireAnnotations | undefined;
}

/** A resource template as `resources/templates/list` sends it. */
export interface WireResourceTemplate extends WireBase {
  /** The URI template (RFC 6570) of the resources. */
  readonly uriTemplate: string;
  /** The media type of all contents, if they have the same one. */
  readonly mimeType?: string | undefined;
  /** Hints for clients: who it is for, how important it is, when it last changed. */
  readonly annotations?: WireAnnotations | undefined;
}

/** A tree of groups as plain data. MCP itself has no groups. */
export interface WireGroup extends WireBase {
  /** Left out where it is the default one. */
  readonly nameSeparator?: string | undefined;
  /** The groups below this one, in order. */
  readonly groups: WireGroup[];
  /** The tools of this group itself. */
  readonly tools: WireTool[];
  /** The prompts of this group itself. */
  readonly prompts: WirePrompt[];
  /** The resources of this group itself. */
  readonly resources: WireResource[];
  /** The resource templates of this group itself. */
  readonly resourceTemplates: WireResourceTemplate[];
}

/** A wire object that may also be deeply readonly, such as a frozen definition. */
export type ReadonlyWire<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyWire<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyWire<T[Key]> }
    : T;
