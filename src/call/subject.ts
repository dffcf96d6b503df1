import { createHash } from 'node:crypto';
import { ownedKey } from '../shared/owners/owned-key.ts';
import type { AuthInfo, Subject } from './request-context.ts';

/**
 * Who calls, by the verified token; undefined for anonymous callers.
 *
 * @example
 * const isOwner = (ctx: ToolContext, owner: string) => subjectOf(ctx.authInfo)?.sub === owner;
 */
export function subjectOf(authInfo: AuthInfo): Subject;
export function subjectOf(authInfo: AuthInfo | undefined): Subject | undefined;
export function subjectOf(authInfo: AuthInfo | undefined): Subject | undefined {
  if (authInfo === undefined) return undefined;
  const { clientId, extra = {} } = authInfo;
  return {
    issuer: textOf(extra['issuer']),
    clientId,
    sub: textOf(extra['sub']),
    tenant: textOf(extra['tenant']),
  };
}

/**
 * The subject as one text, for the keys of stores: equal for the same subject only.
 *
 * @example
 * const ownerOf = (ctx: ToolContext) =>
 *   ctx.authInfo === undefined ? 'anybody' : subjectKey(subjectOf(ctx.authInfo));
 */
export function subjectKey({ issuer, clientId, sub, tenant }: Subject): string {
  return JSON.stringify([issuer ?? null, clientId, sub ?? null, tenant ?? null]);
}

/** A person or account, whichever program calls for it. */
export type Person = Pick<Subject, 'issuer' | 'sub' | 'tenant'>;

/**
 * What the keys of stores call a person: 22 letters, digits, `-` and `_`. It is a hash without a key, because keys have to
 * stay the same when secrets change.
 */
export function ownerName({ issuer, sub, tenant }: Person): string {
  const text = JSON.stringify([issuer ?? null, sub ?? null, tenant ?? null]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

const names = new WeakMap<AuthInfo, string>();

/** The same of a caller. A token without a `sub` belongs to its client (RFC 9068, section 5). */
export function ownerOf(authInfo: AuthInfo): string;
export function ownerOf(authInfo: AuthInfo | undefined): string | undefined;
export function ownerOf(authInfo: AuthInfo | undefined): string | undefined {
  if (authInfo === undefined) return undefined;
  const known = names.get(authInfo);
  if (known !== undefined) return known;
  const { issuer, clientId, sub = clientId, tenant } = subjectOf(authInfo);
  const name = ownerName({ issuer, sub, tenant });
  names.set(authInfo, name);
  return name;
}

/** The subject in keys of stores, as one text: like {@link subjectKey}, and nobody reads from it who it is. */
export function ownedName(authInfo: AuthInfo): string {
  const { clientId, sub } = subjectOf(authInfo);
  return ownedKey(ownerOf(authInfo), JSON.stringify([clientId, sub !== undefined]));
}

/** Verifiers of applications may give numbers, as many databases do for people. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
