/** One thing that is wrong with a value. */
export interface ValidationError {
  /** An RFC 6901 pointer into the value; `""` is the value itself. */
  readonly path: string;
  /** The keyword that failed; `limit` when the value could not be checked to the end. */
  readonly keyword: string;
  readonly message: string;
  /** What the keyword wanted, such as `{ missingProperty: 'name' }`. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** What is wrong with a value: nothing, when it is valid. */
export interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly ValidationError[];
}

/**
 * Checks values against JSON Schemas: an object, a boolean, or JSON text of either. Values never make it throw,
 * schemas do: `INVALID_SCHEMA`, `UNSUPPORTED_DIALECT`, `EXTERNAL_REF`, `UNSUPPORTED_PATTERN`, `SCHEMA_TOO_LARGE`.
 */
export interface SchemaValidator {
  validate(schema: unknown, data: unknown): ValidationResult;
  /** Arguments against the `inputSchema`, which there has to be; `undefined` counts as `{}`. */
  validateInput(tool: { readonly inputSchema?: unknown } | null | undefined, args: unknown): ValidationResult;
  /** A result against the `outputSchema`; without one every result is valid. */
  validateOutput(
    tool: { readonly outputSchema?: unknown } | null | undefined,
    result: unknown,
  ): ValidationResult;
}
