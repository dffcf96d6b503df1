import type { CallToolResult } from '../../call/results.ts';

/** A call of a tool as a model made it. */
export interface ModelCall {
  /** By which the provider finds the result again; some give none. */
  readonly id: string | undefined;
  /** The name that the provider was given. */
  readonly name: string;
  /** As the model wrote them; JSON text is parsed. */
  readonly args: unknown;
  /** Why the arguments could not be read: a mistake of the model, which it can repair. */
  readonly fault?: string;
}

/** How a provider writes calls and wants their results. */
export interface CallForm {
  /** @throws ConversionError for what is no call in this form */
  read(raw: unknown): ModelCall;
  write(call: ModelCall, result: CallToolResult): unknown;
}
