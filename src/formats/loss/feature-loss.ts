/** What became of a value that the target cannot hold. */
export type LossAction = 'transformed' | 'described' | 'dropped';

/**
 * One thing that a conversion lost, or could keep only in another form.
 *
 * @example
 * const { warnings } = defaultRegistry().convert(tool, 'mcp', 'gemini');
 * for (const { feature, path, action } of warnings) console.warn(`${path}: ${feature} was ${action}`);
 */
export interface FeatureLossWarning {
  /** A keyword of JSON Schema, a field of the tool, or `open-value`, `name`, `propertyName`. */
  readonly feature: string;
  /** An RFC 6901 pointer into the canonical tool, to the value that was lost. */
  readonly path: string;
  /** The format that the tool was read from; `canonical` for a tool made by hand. */
  readonly fromAdapter: string;
  readonly toAdapter: string;
  readonly action: LossAction;
  /** Which variant of the target it was, and what became of the value. */
  readonly message: string;
}
