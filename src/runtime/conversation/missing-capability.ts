import { ERROR_META_KEY } from '../../call/failure-result.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { failureOf, isFailure, type Outcome } from '../outcome.ts';

/** Spec 2026-07-28: basic, Error Codes. */
const MISSING_CLIENT_CAPABILITY = -32021;

/** The code and details of a failed call, whether it failed with a result or with an error. */
export function failureFactsOf(outcome: Outcome): PlainObject | undefined {
  if (outcome.kind === 'failure') return outcome.error.data;
  if (!isFailure(outcome)) return undefined;
  const { _meta: meta } = outcome.value as { readonly _meta?: unknown };
  const facts = isPlainObject(meta) ? meta[ERROR_META_KEY] : undefined;
  return isPlainObject(facts) ? facts : undefined;
}

/**
 * An outcome as clients of 2026-07-28 expect it: a call that needs what they did not declare fails with an error
 * (spec 2026-07-28: basic, Error Codes).
 */
export function withMissingCapability(outcome: Outcome): Outcome {
  const { code, details } = failureFactsOf(outcome) ?? {};
  const required = isPlainObject(details) ? details['required'] : undefined;
  if (code !== 'CLIENT_CAPABILITY_MISSING' || !isPlainObject(required)) return outcome;
  const message = `The call needs client capabilities that were not declared: ${JSON.stringify(required)}`;
  const data = { requiredCapabilities: required };
  return failureOf(new ProtocolError(MISSING_CLIENT_CAPABILITY, message, data));
}
