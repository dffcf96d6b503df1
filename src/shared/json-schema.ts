/** A JSON Schema 2020-12 object. Only the keywords that the framework reads are typed. */
export interface JsonSchema {
  /** The type of the value, or several of them. */
  readonly type?: string | readonly string[];
  /** A short name, for people. */
  readonly title?: string;
  /** What the value is for. */
  readonly description?: string;
  /** The values that are allowed. */
  readonly enum?: readonly unknown[];
  /** The only value that is allowed. */
  readonly const?: unknown;
  /** The value that stands for a missing one. */
  readonly default?: unknown;
  /** Name → the schema of the member. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The names of the members that must be there. */
  readonly required?: readonly string[];
  /** The schema of the items of an array. */
  readonly items?: JsonSchema | boolean;
  /** The schema of members without one of their own; false allows none. */
  readonly additionalProperties?: JsonSchema | boolean;
  /** The value must fit exactly one of these schemas. */
  readonly oneOf?: readonly JsonSchema[];
  /** The value must fit at least one of these schemas. */
  readonly anyOf?: readonly JsonSchema[];
  /** The value must fit all of these schemas. */
  readonly allOf?: readonly JsonSchema[];
  /** Refers to another schema of the document. */
  readonly $ref?: string;
  /** Name → a schema that others refer to. */
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  /** Any other keyword of JSON Schema. */
  readonly [keyword: string]: unknown;
}

/** A schema whose root is an object: the only root that MCP clients accept for a tool's input. */
export interface ObjectSchema extends JsonSchema {
  /** The value is an object. */
  readonly type: 'object';
}
