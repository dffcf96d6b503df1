import { pointTo } from '../../schema/pointer.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import { ConversionError, type Conversion } from '../errors.ts';
import type { FeatureLossWarning, Losses } from '../losses.ts';
import type { Decoder } from '../rewrite/decode.ts';
import { rewriteSchema } from '../rewrite/rewriter.ts';
import type { Target } from '../rewrite/rules/rule.ts';
import type { TargetOptions } from './format-adapter.ts';

/** A field of the canonical tool. */
export type ToolField = keyof CanonicalTool;

/** One tool on its way to one format. */
export class Writing {
  /** How to read arguments that are made by the emitted schema. */
  decoder: Decoder | undefined;

  /**
   * @param target the column of the matrix
   * @param name the one that is emitted
   */
  constructor(
    readonly tool: CanonicalTool,
    readonly conversion: Conversion,
    readonly losses: Losses,
    readonly target: Target,
    readonly name: string,
  ) {}

  /** The schema of the arguments as the target takes it. */
  input(): PlainObject {
    const { schema, decoder } = rewriteSchema({
      ...this.#request(),
      schema: this.tool.inputSchema,
      path: '/inputSchema',
    });
    this.decoder = decoder;
    return schema;
  }

  /** The schema of the result; undefined for one that says nothing. */
  output(target = this.target): PlainObject | undefined {
    const { outputSchema } = this.tool;
    if (outputSchema === false) this.lose(['outputSchema']);
    if (outputSchema === undefined || typeof outputSchema === 'boolean') return undefined;
    const { schema } = rewriteSchema({
      ...this.#request(),
      target,
      schema: outputSchema,
      path: '/outputSchema',
    });
    return Object.keys(schema).length === 0 ? undefined : schema;
  }

  #request() {
    const { target, conversion, losses } = this;
    return { target, conversion, losses };
  }

  /** Reports fields that the target has no place for, as far as the tool has them. */
  lose(fields: readonly ToolField[]): void {
    reportLost(this, fields, '');
  }

  /** The members that only this format knows, if the tool was read from it. */
  extra(): PlainObject {
    const { source } = this.tool;
    return source?.format === this.conversion.adapter ? source.extra : {};
  }
}

/** Reports fields of the tool at `path` that a target has no place for, as far as the tool has them. */
export function reportLost(
  { tool, losses }: Pick<Writing, 'tool' | 'losses'>,
  fields: readonly ToolField[],
  path: string,
): void {
  for (const field of fields) {
    if (isEmpty(tool[field])) continue;
    const outcome = `${field} was removed: there is no place for it.`;
    losses.report({ feature: field, path: pointTo(path, field), action: 'dropped', outcome });
  }
}

/** True for a field with nothing to lose. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}

/** Fields that only MCP has a place for. */
export const ONLY_MCP: readonly ToolField[] = [
  'category',
  'annotations',
  'icons',
  'uiHints',
  'deterministic',
  'idempotent',
  'streaming',
  'timeoutMs',
  'requiredScopes',
  'securitySchemes',
];

/** Fields that MCP and A2A have a place for, but model providers do not. */
export const NOT_FOR_MODELS: readonly ToolField[] = [
  ...ONLY_MCP,
  'version',
  'tags',
  'inputModes',
  'outputModes',
  'securityRequirements',
];

const TEXTS = ['description', 'summary', 'title'] as const;

/** The text that describes a tool, and the field it comes from. */
export function describing(tool: CanonicalTool): {
  readonly text: string | undefined;
  readonly field: (typeof TEXTS)[number] | undefined;
} {
  const field = TEXTS.find((each) => !isEmpty(tool[each]));
  return { field, text: field === undefined ? undefined : tool[field] };
}

/** The description for a target with one text only; the other texts are lost. */
export function describeTool(writing: Writing): { readonly description?: string } {
  const { text, field } = describing(writing.tool);
  writing.lose((['summary', 'title'] as const).filter((each) => each !== field));
  return text === undefined ? {} : { description: text };
}

/** The members that are defined: an optional member is absent, not undefined. */
export function defined<Members extends object>(
  members: Members,
): { [Key in keyof Members]: NonNullable<Members[Key]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Members]: NonNullable<Members[Key]> };
}

/** The root of a schema with `properties`, which a provider wants to see even when there are none. */
export function withProperties(schema: PlainObject): PlainObject {
  if (Object.hasOwn(schema, 'properties')) return schema;
  const entries = Object.entries(schema);
  const position = entries.findIndex(([keyword]) => keyword === 'type') + 1;
  return Object.fromEntries(entries.toSpliced(position, 0, ['properties', {}]));
}

/** The warnings that are not ignored; an error if the caller allows no loss. */
export function admitted(
  warnings: readonly FeatureLossWarning[],
  { ignore = [], onLoss = 'warn' }: Pick<TargetOptions, 'ignore' | 'onLoss'>,
  { adapter, direction }: Conversion,
): readonly FeatureLossWarning[] {
  const left = Object.freeze(warnings.filter(({ feature }) => !ignore.includes(feature)));
  if (onLoss === 'warn' || left.length === 0) return left;
  const list = left.map(({ path, message }) => `${path}: ${message}`).join(' ');
  throw new ConversionError('LOSS_NOT_ALLOWED', {
    adapter,
    direction,
    path: left[0]?.path ?? '',
    cause: `the conversion is not without loss: ${list}`,
    warnings: left,
  });
}
