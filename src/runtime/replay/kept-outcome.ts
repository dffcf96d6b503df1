import { ProtocolError } from '../../call/protocol-error.ts';
import type { CallToolResult } from '../../call/results.ts';
import type { PlainObject } from '../../shared/json.ts';
import { failureOf, resultOf, type Outcome } from '../outcome.ts';

/** An outcome as stores keep it: JSON, if its result is. */
export type KeptOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: PlainObject } };

export function keptOf(outcome: Outcome): KeptOutcome {
  return outcome.kind === 'failure' ? errorOf(outcome.error) : { result: outcome.value };
}

function errorOf({ code, message, data }: ProtocolError): KeptOutcome {
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** @param local what a call inside the process gets in place of an error */
export function outcomeOf(kept: KeptOutcome, local?: CallToolResult): Outcome {
  if ('result' in kept) return resultOf(kept.result as object);
  const { code, message, data } = kept.error;
  return failureOf(new ProtocolError(code, message, data), local);
}
