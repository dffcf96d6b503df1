import { oneOf, texts, trueOrFalse, wholeNumber, type OptionRules } from '../../shared/option-rules.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import type { FeatureLossWarning } from '../losses.ts';
import type { NameMap } from '../names.ts';
import type { SchemaFeature } from '../rewrite/rows.ts';

/** How a tool is written. */
export interface TargetOptions {
  /** OpenAI and Anthropic: hold the model to the schema. Default: what the tool was read with, else false. */
  readonly strict?: boolean;
  /** Gemini: the field that takes the schema. Default `parametersJsonSchema`. */
  readonly schema?: 'parametersJsonSchema' | 'parameters';
  /** Put the namespace in front of the name, as in `files__read`. Default true, but false for MCP. */
  readonly qualify?: boolean;
  /** The longest name, in characters. Default: 64; 128 for MCP. No shorter than 10, so that a hash fits in. */
  readonly maxNameLength?: number;
  /** Whether a loss is a warning or an error. Default `warn`. */
  readonly onLoss?: 'warn' | 'error';
  /** Features whose loss is of no interest: they are left out of the warnings. */
  readonly ignore?: readonly string[];
  /** Put a hash of the id behind the name, as `convertMany` does for tools whose names are the same. Default false. */
  readonly hashName?: boolean;
}

export const TARGET_RULES: OptionRules<TargetOptions> = {
  strict: trueOrFalse,
  schema: oneOf('parametersJsonSchema', 'parameters'),
  qualify: trueOrFalse,
  maxNameLength: wholeNumber(1),
  onLoss: oneOf('warn', 'error'),
  ignore: texts,
  hashName: trueOrFalse,
};

/** A tool in the form of a target, what it lost, and how to read the calls of its model. */
export interface Converted<Emitted = unknown> {
  /** The tool in the form of the target. */
  readonly tool: Emitted;
  /** What the target could not carry. */
  readonly warnings: readonly FeatureLossWarning[];
  /** The names of the target by the names of the tools, and back. */
  readonly names: NameMap;
}

/**
 * Reads and writes the tools of one format. Adapters are pure: synchronous, deterministic, and their inputs stay as
 * they are.
 *
 * @example
 * const plain: FormatAdapter = {
 *   name: 'plain',
 *   toCanonical: (raw) => ({ name: String(raw), inputSchema: { type: 'object' } }),
 *   fromCanonical: (tool) => ({ tool: tool.name, warnings: [], names: createNameMap([]) }),
 *   supportsFeature: () => false,
 * };
 */
export interface FormatAdapter {
  /** What the registry and the warnings call it. */
  readonly name: string;
  /** @throws ConversionError for anything but a tool of this format */
  toCanonical(raw: unknown): CanonicalTool;
  /** @throws ConversionError for a tool that the format cannot express at all */
  fromCanonical(tool: CanonicalTool, options?: TargetOptions): Converted;
  /** Whether a keyword reaches the target without loss. */
  supportsFeature(feature: SchemaFeature, options?: TargetOptions): boolean;
}
