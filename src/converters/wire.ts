// Lists are mutable arrays, and undefined is allowed, because the types of the MCP SDK are like that;
// so objects pass between the two without a cast.

/** What every wire object has (spec: schema, BaseMetadata and Icons). */
export interface WireBase {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: WireIcon[] | undefined;
  readonly _meta?: Record<string, unknown> | undefined;
}

/** An icon as MCP sends it. */
export interface WireIcon {
  readonly src: string;
  readonly mimeType?: string | undefined;
  readonly sizes?: string[] | undefined;
  readonly theme?: 'light' | 'dark' | undefined;
}

/** Annotations of a resource as MCP sends them. */
export interface WireAnnotations {
  readonly audience?: ('user' | 'assistant')[] | undefined;
  readonly priority?: number | undefined;
  readonly lastModified?: string | undefined;
}

/** Hints of a tool as MCP sends them; `returnDirect` is an addition that clients ignore. */
export interface WireToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
  readonly returnDirect?: boolean | undefined;
}

/** A JSON Schema whose root is an object. */
export interface WireSchema {
  readonly type: 'object';
  readonly properties?: Record<string, object> | undefined;
  readonly required?: string[] | undefined;
  readonly [keyword: string]: unknown;
}

/** A tool as `tools/list` sends it. */
export interface WireTool extends WireBase {
  readonly inputSchema: WireSchema;
  readonly outputSchema?: WireSchema | undefined;
  readonly annotations?: WireToolAnnotations | undefined;
}

/** An argument of a prompt as `prompts/list` sends it. */
export interface WirePromptArgument extends WireBase {
  readonly required?: boolean | undefined;
}

/** A prompt as `prompts/list` sends it. */
export interface WirePrompt extends WireBase {
  readonly arguments?: WirePromptArgument[] | undefined;
}

/** A resource as `resources/list` sends it. */
export interface WireResource extends WireBase {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly size?: number | undefined;
  readonly annotations?: WireAnnotations | undefined;
}

/** A resource template as `resources/templates/list` sends it. */
export interface WireResourceTemplate extends WireBase {
  readonly uriTemplate: string;
  readonly mimeType?: string | undefined;
  readonly annotations?: WireAnnotations | undefined;
}

/** A tree of groups as plain data. MCP itself has no groups. */
export interface WireGroup extends WireBase {
  /** Left out where it is the default one. */
  readonly nameSeparator?: string | undefined;
  readonly groups: WireGroup[];
  readonly tools: WireTool[];
  readonly prompts: WirePrompt[];
  readonly resources: WireResource[];
  readonly resourceTemplates: WireResourceTemplate[];
}

/** A wire object that may also be deeply readonly, such as a frozen definition. */
export type ReadonlyWire<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyWire<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyWire<T[Key]> }
    : T;
