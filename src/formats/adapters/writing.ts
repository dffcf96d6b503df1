import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import type { Losses } from '../loss/losses.ts';
import type { Conversion } from '../rewrite/conversion.ts';
import type { Decoder } from '../rewrite/decode-arguments.ts';
import { rewriteSchema } from '../rewrite/rewrite-schema.ts';
import type { Target } from '../rewrite/rule.ts';
import { pointTo } from '../../schema/pointer.ts';
import type { TargetOptions } from './format-adapter.ts';

/** A field of the canonical tool. */
export type ToolField = keyof CanonicalTool;

/** One tool on its way to one format. */
export class Writing {
  readonly tool: CanonicalTool;
  readonly options: TargetOptions;
  readonly conversion: Conversion;
  readonly losses: Losses;
  /** The column of the matrix. */
  readonly target: Target;
  /** The name that is emitted. */
  readonly name: string;
  /** How to read arguments that are made by the emitted schema. */
  decoder: Decoder | undefined;

  constructor(parts: Omit<Writing, 'decoder' | 'input' | 'output' | 'lose' | 'extra'>) {
    this.tool = parts.tool;
    this.options = parts.options;
    this.conversion = parts.conversion;
    this.losses = parts.losses;
    this.target = parts.target;
    this.name = parts.name;
  }

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
    for (const field of fields) {
      if (isEmpty(this.tool[field])) continue;
      const outcome = `${field} was removed: there is no place for it.`;
      this.losses.report({ feature: field, path: pointTo('', field), action: 'dropped', outcome });
    }
  }

  /** What only this format knows, when the tool was read from it. */
  extra(): PlainObject {
    const { source } = this.tool;
    return source?.format === this.conversion.adapter ? source.extra : {};
  }
}

/** True for a field with nothing to lose. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}
