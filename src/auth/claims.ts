import { AuthenticationError, type AuthInfo, type ProtectedResource } from '../index.ts';
import { deepFreeze } from '../shared/deep-freeze.ts';
import { filledText, type OptionRules } from '../shared/option-rules.ts';
import type { PlainObject } from '../shared/json.ts';

/**
 * Where facts are in the claims of a token: the name of a claim, or a path with dots into nested ones
 * (`realm_access.roles`).
 */
export interface ClaimPaths {
  /** Roles, as one text or a list. Default `roles`. */
  readonly roles?: string;
  /** The tenant. Where the issuer has one, no other is accepted. Default: that of the issuer. */
  readonly tenant?: string;
  /** The client. Default: `client_id`, or `azp`. */
  readonly clientId?: string;
}

export const CLAIM_RULES: OptionRules<ClaimPaths> = {
  roles: filledText,
  tenant: filledText,
  clientId: filledText,
};

/** What is compared with the claims of a token. */
export interface ExpectedClaims {
  /** What the token has to be for. */
  readonly server: Pick<ProtectedResource, 'isNamedBy'>;
  /** Further audiences, compared letter by letter. */
  readonly audiences: readonly string[];
  readonly issuer: string;
  readonly tenant: string | undefined;
  readonly paths: ClaimPaths;
  /** Whether the token may be bound to a key, because a proof of it is asked for. Default false. */
  readonly isProved?: boolean;
}

/** 9999-12-31T23:59:59Z in seconds: what counts longer counts forever. */
const LATEST = 253_402_300_799;

/**
 * The caller that verified claims name.
 * @throws AuthenticationError for claims of another server, or without what a caller needs
 */
export function callerOf(token: string, claims: PlainObject, expected: ExpectedClaims): AuthInfo {
  const { issuer, paths, isProved = false } = expected;
  const { exp, sub } = claims;
  if (!isForUs(claims['aud'], expected)) throw refused('The token is for another server');
  if (typeof exp !== 'number' || !(exp <= LATEST))
    throw refused(undefined, 'the token has no time at which it expires');
  // RFC 9449, 7.2; RFC 8705, 3: who stole such a token must not use it as a plain one
  if (claims['cnf'] !== undefined && !isProved) throw boundToKey();
  const tenant = tenantOf(claims, expected);
  return deepFreeze({
    token,
    clientId: filled(clientIn(claims, paths)),
    scopes: scopesOf(claims),
    expiresAt: exp,
    extra: {
      issuer,
      ...(sub === undefined ? {} : { sub: filled(sub) }),
      ...(tenant === undefined ? {} : { tenant }),
      roles: textsOf(claimAt(claims, paths.roles ?? 'roles')),
      claims,
    },
  });
}

/** An issuer whose tokens are all of one tenant cannot name another one. */
function tenantOf(claims: PlainObject, { tenant, paths }: ExpectedClaims): string | undefined {
  if (paths.tenant === undefined) return tenant;
  const named = filled(claimAt(claims, paths.tenant) ?? tenant);
  if (tenant !== undefined && named !== tenant) throw refused('The token is for another tenant');
  return named;
}

function clientIn(claims: PlainObject, { clientId }: ClaimPaths): unknown {
  return clientId === undefined ? (claims['client_id'] ?? claims['azp']) : claimAt(claims, clientId);
}

/** What names somebody. */
function filled(value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw refused(undefined, 'the token does not name who calls');
  return value;
}

/** A claim by its name, or by a path with dots. */
export function claimAt(claims: PlainObject, path: string): unknown {
  if (path.split('.').includes('__proto__')) return undefined;
  if (Object.hasOwn(claims, path)) return claims[path];
  let found: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as PlainObject)[name];
  }
  return found;
}

/** `scope` of RFC 9068, or `scp` as some providers have it. */
function scopesOf({ scope, scp }: PlainObject): readonly string[] {
  const given = scope ?? scp;
  const texts = typeof given === 'string' ? given.split(' ') : textsOf(given);
  return [...new Set(texts.filter((text) => text !== ''))];
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

function isForUs(aud: unknown, { server, audiences }: ExpectedClaims): boolean {
  return textsOf(aud).some((each) => server.isNamedBy(each) || audiences.includes(each));
}

export function boundToKey(): AuthenticationError {
  return refused('The token is bound to a key, which a bearer cannot show');
}

/** A refusal whose description says nothing of the token; the log gets the reason. */
export function refused(
  description = 'The token is not valid here',
  reason = description,
): AuthenticationError {
  return new AuthenticationError(401, { error: 'invalid_token', description, reason });
}
