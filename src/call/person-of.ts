import type { AuthInfo } from './call-exchange.ts';

/**
 * Names whom a token stands for, to keep what belongs to a person apart from what belongs to others. One client id
 * often stands for a program that many persons use; `sub` names the person (RFC 9068, 2.2).
 *
 * @example
 * const ownerOf = (ctx: ToolContext) => (ctx.authInfo === undefined ? 'anybody' : personOf(ctx.authInfo));
 */
export function personOf({ clientId, extra }: AuthInfo): string {
  return JSON.stringify([clientId, extra?.['sub'] ?? null]);
}
