import { failureResult } from '../../call/result-helpers.ts';
import type { Logger } from '../../call/logger.ts';
import { personOf } from '../../call/request-context.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import { askedVersions } from '../../call/call-context.ts';
import type { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { Call } from '../call.ts';
import { digestOf } from './journal.ts';
import { failureOf, resultOf, type Outcome } from '../outcome.ts';

/** The name of the tool or prompt that is called, or the URI of the resource. */
function targetOf({ params }: Call): string {
  return String(params['name'] ?? params['uri']);
}

/** Identifies caller, target and arguments: only the same ones may resume the call. */
export function originOf(call: Call): string {
  const { authInfo, params } = call;
  const { method } = call.origin;
  const person = authInfo === undefined ? null : personOf(authInfo);
  // An answer goes to the version that asked
  const versions = method === 'tools/call' ? askedVersions(call) : undefined;
  const facts = [person, method, targetOf(call), params['arguments'] ?? {}];
  return digestOf(versions === undefined ? facts : [...facts, versions]);
}

/** How logs and errors name a call. */
export function nameOf(call: Call): string {
  return `${call.origin.method} ${targetOf(call)}`;
}

/** The answer to a call that cannot be resumed: an error result for tools, otherwise an error. */
export function failCall(call: Call, code: 'REPLAY_DIVERGED' | 'INTERNAL_ERROR', message: string): Outcome {
  const target = targetOf(call);
  const headline = `[${target}] ${message}`;
  return call.origin.method === 'tools/call'
    ? resultOf(failureResult({ code, message, headline, tool: target }))
    : failureOf(new ProtocolError(INTERNAL_ERROR, headline, { code }));
}

/** The answer to a call whose handler has diverged; the log has the difference. */
export function divergedCall(call: Call, error: ToolwrightError, logger: Logger | undefined): Outcome {
  const message = `${nameOf(call)} could not go on: ${error.message}`;
  logger?.log({ level: 'error', event: 'question.diverged', message, error });
  return failCall(
    call,
    'REPLAY_DIVERGED',
    'The call did something else when it ran again with the answers; call it again from the start',
  );
}
