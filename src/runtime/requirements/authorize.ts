import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import type { Caller } from '../../call/request-context.ts';
import { frozenCopy } from '../../compile/stages/bound-arguments.ts';
import type { CompileStage as CompileAttemptStage } from '../../kernel/call/stage.ts';
import { ToolError } from '../../errors/tool-error.ts';
import type { ScannedPolicy, ScannedRequirement } from '../../scanner/requirements/scanned-requirements.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../../kernel/call/call.ts';
import {
  challengeOf,
  refusalOf,
  withoutChallenge,
  type Challenge,
  type Outcome,
} from '../../kernel/call/outcome.ts';
import { resourceNotFound } from '../failures/protocol-failures.ts';
import type { CompileStage, Stage } from '../routes/route.ts';
import type { Authority } from '../../kernel/call/authority.ts';
import type {} from './call-fields.ts';
import type { Authorization, TokenChallenger } from './authorization.ts';
import { hasPerson, sayRequirement } from './caller.ts';
import { deniedOf, type SortedRequirements } from './verdicts.ts';

/**
 * Checks what is listed to callers who may not call it, with each request: scopes, and what is refused in words. What is
 * hidden is not found at all, and has no route that could be entered. Arguments are checked later, when they are valid.
 */
export const compileAuthorization: CompileStage = (target, { authorization }) => {
  if (target.kind === 'miss')
    return authorization.resourceServer && askForToken(authorization.resourceServer);
  if (target.handler === undefined) return undefined;
  const { toCall } = authorization.learn(target.handler.requirements);
  const checked = toCall.filter((each) => each.kind !== 'policy' || each.policy.hasList);
  return checked.length === 0 ? undefined : checkCalls(checked, authorization);
};

/** Checks the caller of a request, and goes on with what is known of it. */
export function withAuthority<Result>(
  call: Call,
  authorization: Authorization,
  next: (authority: Authority) => MaybePromise<Result>,
): MaybePromise<Result> {
  const { authInfo } = call;
  const { context, served } = call.origin;
  const request = { authInfo, isLocal: context.carrier === 'local' };
  served.subscriptions?.servedFor(request);
  const checking = authorization.check(request);
  if (checking instanceof Promise) context.holdStatus?.(checking);
  return thenMaybe(checking, (authority) => {
    // What was accepted in another process was authorized there; here the handler learns who called
    const isAccepted = call.origin.task !== undefined;
    call.authority = isAccepted ? { ...authority, isTrusted: true, verdicts: undefined } : authority;
    return next(call.authority);
  });
}

/** An anonymous caller may have meant something that others can see: names that are hidden and unknown look alike. */
function askForToken(challenger: TokenChallenger): Stage {
  return (next) => (call) => {
    const { authority } = call;
    const isAnonymous = authority !== undefined && authority.caller === undefined && !authority.isTrusted;
    const isAsked = call.namesNothing === true && isAnonymous && call.origin.context.carrier === 'http';
    return isAsked ? unauthenticated(call, challenger) : next(call);
  };
}

function checkCalls(checked: SortedRequirements['toCall'], authorization: Authorization): Stage {
  // First what no other scope helps with, then scopes; policies may take their time
  const roles = checked.filter((each) => each.kind === 'roles');
  const scopes = checked.filter((each) => each.kind === 'scopes');
  const policies = checked.filter((each) => each.kind === 'policy');
  const required = scopes.flatMap(({ allOf }) => allOf);
  return (next) => (call) => {
    const { caller, isTrusted } = call.authority ?? { caller: undefined, isTrusted: false };
    if (isTrusted) return next(call);
    const missing = roles.find(({ anyOf }) => caller?.roles.some((role) => anyOf.includes(role)) !== true);
    const refused =
      missing ?? scopes.find((each) => deniedOf(each) === 'refuse' && !meets(caller, each.allOf));
    if (refused !== undefined || caller === undefined) return forbidden(call, refused ?? AUTHENTICATED);
    if (!meets(caller, required)) {
      return insufficientScope(call, caller, required, authorization);
    }
    return policies.length === 0 ? next(call) : askEach(policies, caller, call, next);
  };

  function meets(caller: Caller | undefined, allOf: readonly (readonly string[])[]): boolean {
    return caller !== undefined && authorization.scopes.meets(caller, allOf);
  }

  function askEach(
    [first, ...others]: readonly Extract<SortedRequirements['toCall'][number], { kind: 'policy' }>[],
    caller: Caller,
    call: Call,
    next: (call: Call) => MaybePromise<Outcome>,
  ): MaybePromise<Outcome> {
    if (first === undefined) return next(call);
    return thenMaybe(authorization.policies.mayList(first.policy, caller), (isAdmitted) =>
      isAdmitted ? askEach(others, caller, call, next) : forbidden(call, first),
    );
  }
}

const AUTHENTICATED = Object.freeze({ kind: 'authenticated' } as const);

/** Asks the policies about the validated arguments of a call. */
export const compilePermission: CompileAttemptStage = (callable, { needs }) => {
  const policies = (callable.requirements?.all ?? []).flatMap((each) =>
    each.kind === 'policy' && each.policy.hasCall ? [each] : [],
  );
  if (policies.length === 0) return undefined;
  const isFrozen = needs.bindsArguments === true;
  return (next) => (attempt) => {
    const { call, place } = attempt;
    const { authority } = call;
    if (authority?.isTrusted === true) return next(attempt);
    // Whatever a policy does with it, the handler gets what was validated
    const input = isFrozen ? attempt.input : frozenCopy(attempt.input);
    const ask = (index: number): MaybePromise<unknown> => {
      const required = policies[index];
      if (required === undefined) return next(attempt);
      const { policy } = required;
      return thenMaybe(permits(policy), (isPermitted) => {
        if (isPermitted) return ask(index + 1);
        if (place.kind === 'resource' && deniedOf(required) === 'hide') throw resourceNotFound(call);
        authority?.authorization.countFailure('forbidden');
        const reason = authority?.authorization.policies.reasonOf(policy);
        throw new ToolError('FORBIDDEN', reason ?? `${policy.name} does not allow this call`);
      });
    };
    const permits = (policy: ScannedPolicy): MaybePromise<boolean> => {
      if (authority?.caller === undefined) return false;
      return authority.authorization.policies.mayCall(policy, authority.caller, attempt, input);
    };
    return ask(0);
  };
};

/** An anonymous caller of something that is not there for everybody: its client gets a token then. */
function unauthenticated(call: Call, challenger: TokenChallenger): Outcome {
  call.authority?.authorization.countFailure('missing_token');
  const error = new ProtocolError(INTERNAL_ERROR, 'A token is needed', { code: 'UNAUTHENTICATED' });
  return refuseWith(call, error, 401, challenger.challenge({ scope: challenger.firstScope }), challenger);
}

/** A caller whose token does not permit the call. */
function insufficientScope(
  call: Call,
  caller: Caller,
  allOf: readonly (readonly string[])[],
  authorization: Authorization,
): MaybePromise<Outcome> {
  authorization.countFailure('insufficient_scope');
  const { scopes, resourceServer } = authorization;
  const challenger = resourceServer?.ofTenant(caller.tenant);
  const required = [...new Set(scopes.wanted(allOf, caller))].sort();
  const description = `The call needs the ${required.length === 1 ? 'scope' : 'scopes'} ${required.join(' ')}`;
  const error = new ProtocolError(INTERNAL_ERROR, description, {
    code: 'INSUFFICIENT_SCOPE',
    ...placeOf(call),
    suggestion: 'sign in with more scopes, or ask for another action',
    requiredScopes: required,
  });
  // No token would have more of them
  if (challenger?.metadataUrl === undefined || !hasPerson(caller)) return refusalOf(error, call.origin);
  // Clients up to 2025-11-25 replace their scopes by those of the challenge; later ones add them
  const is2025 = call.context.retry === undefined;
  const granted = is2025 ? caller.scopes.filter((scope) => scopes.known.has(scope)) : [];
  const scope = [...new Set([...required, ...granted])].sort().join(' ');
  const challenge = challenger.challenge({ error: 'insufficient_scope', scope, description });
  const refusal = refuseWith(call, error, 403, challenge, challenger);
  const { authInfo } = call;
  if (!is2025 || authInfo === undefined) return refusal;
  return thenMaybe(challenger.insufficientScope(authInfo), () => refusal);
}

/** A caller who lacks something that no token of another scope would bring. */
function forbidden(call: Call, requirement: ScannedRequirement): Outcome {
  const { authorization, caller } = call.authority ?? {};
  authorization?.countFailure(caller === undefined ? 'missing_token' : 'forbidden');
  const message = `The call needs ${sayRequirement(requirement)}`;
  const error = new ProtocolError(INTERNAL_ERROR, message, { code: 'FORBIDDEN', ...placeOf(call) });
  return refusalOf(error, call.origin);
}

/** The action of a call that is refused: its caller sees it in lists. */
function placeOf({ target }: Call): { readonly action?: string } {
  return target?.action === undefined ? {} : { action: target.action };
}

function refuseWith(
  call: Call,
  error: ProtocolError,
  status: Challenge['status'],
  challenge: string,
  { options }: TokenChallenger,
): Outcome {
  const { context } = call.origin;
  if (context.carrier !== 'http') return refusalOf(error, call.origin);
  const refusal = challengeOf(error, { status, headers: { 'www-authenticate': challenge } });
  const isResult = status === 403 && options.challenges === 'result';
  return isResult ? withoutChallenge(refusal, call.origin) : refusal;
}
