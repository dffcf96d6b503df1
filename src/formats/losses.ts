import { compareText } from '../shared/canonical-json.ts';

/** The treatment of a value that the target cannot hold. */
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
  /** The name of the adapter that wrote the tool. */
  readonly toAdapter: string;
  /** What the adapter did about it. */
  readonly action: LossAction;
  /** Which variant of the target it was, and what became of the value. */
  readonly message: string;
}

interface Loss {
  readonly feature: string;
  readonly path: string;
  readonly action: LossAction;
  /** What became of the value, as a sentence; the variant is put in front of it. */
  readonly outcome: string;
}

/** Collects what one conversion loses: each thing once, in an order that the input's key order cannot change. */
export class Losses {
  readonly #losses = new Map<string, Loss>();

  report(loss: Loss): void {
    const key = JSON.stringify([loss.path, loss.feature, loss.action]);
    if (!this.#losses.has(key)) this.#losses.set(key, loss);
  }

  /** @param variant the target with its options, as in `openai-strict` */
  warnings(fromAdapter: string, toAdapter: string, variant: string): readonly FeatureLossWarning[] {
    const losses = [...this.#losses.values()].sort(byPlace);
    return losses.map(({ feature, path, action, outcome }) =>
      Object.freeze({ feature, path, fromAdapter, toAdapter, action, message: `${variant}: ${outcome}` }),
    );
  }
}

function byPlace(left: Loss, right: Loss): number {
  return (
    compareText(left.path, right.path) ||
    compareText(left.feature, right.feature) ||
    compareText(left.action, right.action)
  );
}
