import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import type { Caller } from '../../call/request-context.ts';
import type { ScannedRequirement } from '../../scanner/requirements/scanned-requirements.ts';
import type { Call } from '../call.ts';
import { challengeOf, failureOf, withoutChallenge, type Challenge, type Outcome } from '../outcome.ts';
import type { Authorization, SignIn } from './authorization.ts';
import { hasPerson, sayRequirement } from './caller.ts';

/** An anonymous caller of something that is not there for everybody: a client signs in then. */
export function unauthenticated(call: Call, signIn: SignIn): Outcome {
  const error = new ProtocolError(INTERNAL_ERROR, 'A token is needed', { code: 'UNAUTHENTICATED' });
  return refuseWith(call, error, 401, signIn.challenge({ scope: signIn.firstScope }), signIn);
}

/** A caller whose token does not permit the call. */
export function insufficientScope(
  call: Call,
  caller: Caller,
  allOf: readonly (readonly string[])[],
  { scopes, signIn }: Authorization,
): Outcome {
  const required = [...new Set(scopes.wanted(allOf, caller))].sort();
  const description = `The call needs the ${required.length === 1 ? 'scope' : 'scopes'} ${required.join(' ')}`;
  const error = new ProtocolError(INTERNAL_ERROR, description, {
    code: 'INSUFFICIENT_SCOPE',
    suggestion: 'sign in with more scopes, or ask for another action',
    requiredScopes: required,
  });
  // There is nobody who could sign in for more
  if (signIn?.metadataUrl === undefined || !hasPerson(caller)) return plain(call, error);
  // Clients up to 2025-11-25 replace their scopes by those of the challenge; later ones add them
  const is2025 = call.context.retry === undefined;
  const granted = is2025 ? caller.scopes.filter((scope) => scopes.known.has(scope)) : [];
  const scope = [...new Set([...required, ...granted])].sort().join(' ');
  const challenge = signIn.challenge({ error: 'insufficient_scope', scope, description });
  return refuseWith(call, error, 403, challenge, signIn);
}

/** A caller who lacks something that no sign-in would bring. */
export function forbidden(call: Call, requirement: ScannedRequirement): Outcome {
  const message = `The call needs ${sayRequirement(requirement)}`;
  return plain(call, new ProtocolError(INTERNAL_ERROR, message, { code: 'FORBIDDEN' }));
}

function refuseWith(
  call: Call,
  error: ProtocolError,
  status: Challenge['status'],
  challenge: string,
  { options }: SignIn,
): Outcome {
  const { context } = call.origin;
  if (context.carrier !== 'http') return plain(call, error);
  const refusal = challengeOf(error, { status, headers: { 'www-authenticate': challenge } });
  const isResult = status === 403 && options.challenges === 'result';
  return isResult ? withoutChallenge(refusal, call.origin) : refusal;
}

/** Without a status of its own: the result of a tool, or an error. */
function plain(call: Call, error: ProtocolError): Outcome {
  const refusal = { ...failureOf(error), challenge: NO_CHALLENGE };
  return withoutChallenge(refusal, call.origin);
}

const NO_CHALLENGE: Challenge = Object.freeze({ status: 403, headers: Object.freeze({}) });
