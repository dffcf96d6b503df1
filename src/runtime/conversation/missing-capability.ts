import { ERROR_META_KEY } from '../../call/failure-result.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import type { ClientCode } from '../../errors/client-codes.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { isFailure } from './play-round.ts';

/** Spec 2026-07-28: basic, Error Codes. */
const MISSING_CLIENT_CAPABILITY = -32021;

/** The code and details of a failed call, whether it failed with a result or with an error. */
export function failureOf(outcome: unknown): PlainObject | undefined {
  if (ProtocolError.is(outcome)) return outcome.data;
  if (!isFailure(outcome)) return undefined;
  const { _meta: meta } = outcome as { readonly _meta?: unknown };
  const facts = isPlainObject(meta) ? meta[ERROR_META_KEY] : undefined;
  return isPlainObject(facts) ? facts : undefined;
}

/** True for a call that failed with the code. */
export function failedWith(outcome: unknown, code: ClientCode): boolean {
  return failureOf(outcome)?.['code'] === code;
}

/**
 * The error that clients of 2026-07-28 expect of a call that needs what they did not declare
 * (spec 2026-07-28: basic, Error Codes); undefined for every other outcome.
 */
export function missingCapability(outcome: unknown): ProtocolError | undefined {
  if (!failedWith(outcome, 'CLIENT_CAPABILITY_MISSING')) return undefined;
  const details = failureOf(outcome)?.['details'];
  const required = isPlainObject(details) ? details['required'] : undefined;
  if (!isPlainObject(required)) return undefined;
  const message = `The call needs client capabilities that were not declared: ${JSON.stringify(required)}`;
  return new ProtocolError(MISSING_CLIENT_CAPABILITY, message, { requiredCapabilities: required });
}
