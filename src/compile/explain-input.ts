import type { CheckExplanation } from './checker/explanation.ts';
import type { InputContracts } from './input-contracts.ts';

/** How the input of one action, prompt or resource is checked. */
export interface ExplainedInput {
  readonly kind: 'action' | 'prompt' | 'resource';
  /** The tool of an action; undefined for the others. */
  readonly tool: string | undefined;
  /** The key of the action, or the name. */
  readonly name: string;
  /** Its DTO classes: those of the common inputs, then its own. Other schemas are not listed. */
  readonly checks: readonly CheckExplanation[];
}

/** The checks of one input; whatever is not compiled yet is compiled for it. */
export function explainContracts({ common, own }: InputContracts): readonly CheckExplanation[] {
  const contracts = own === undefined ? common : [...common, own];
  return Object.freeze(
    contracts.flatMap(({ explanation }) => (explanation === undefined ? [] : [explanation])),
  );
}
