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

/** Verifiers of applications may give numbers, as many databases do for people. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
