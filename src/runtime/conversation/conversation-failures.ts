import { failureResult } from '../../call/failure-result.ts';
import type { Logger } from '../../call/logger.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import type { ToolwrightError } from '../../errors/toolwright-error.ts';
import { failureOf, resultOf, type Outcome } from '../outcome.ts';
import { nameOf, type ConductedCall } from './conducted-call.ts';

/** What a call that cannot go on is answered with: a result where there are error results, an error elsewhere. */
export function failCall(
  { method, target }: ConductedCall,
  code: 'REPLAY_DIVERGED' | 'INTERNAL_ERROR',
  message: string,
): Outcome {
  const headline = `[${target}] ${message}`;
  return method === 'tools/call'
    ? resultOf(failureResult({ code, message, headline, tool: target }))
    : failureOf(new ProtocolError(INTERNAL_ERROR, headline, { code }));
}

/** What a call is answered with whose handler took another way; the log has what was expected and what came. */
export function divergedCall(
  call: ConductedCall,
  error: ToolwrightError,
  logger: Logger | undefined,
): Outcome {
  const message = `${nameOf(call)} could not go on: ${error.message}`;
  logger?.log({ level: 'error', event: 'question.diverged', message, error });
  return failCall(
    call,
    'REPLAY_DIVERGED',
    'The call took another way when it went on with the answers; call it again from its start',
  );
}

/** Says no more than a client can use: which check failed is for the log. */
export function invalidState(): ProtocolError {
  return refusal('Invalid requestState: it was not given out for this request');
}

export function expiredState(): ProtocolError {
  return refusal('Invalid requestState: the time to answer is over');
}

export function answeredState(): ProtocolError {
  return refusal('Invalid requestState: the questions were answered before, in another way');
}

export function forgottenOutcome(): ProtocolError {
  const message =
    'Invalid requestState: the questions were answered before, and the result is not kept. ' +
    'The call was done; do not repeat it';
  return new ProtocolError(INVALID_PARAMS, message);
}

/** The same request may be sent again: its answers did not count yet. */
export function fullStore(): ProtocolError {
  const message = 'The server cannot take an answer now; send the same request again later';
  return new ProtocolError(INTERNAL_ERROR, message, { code: 'TRY_AGAIN_LATER' });
}

function refusal(reason: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `${reason}; call again without it`);
}
