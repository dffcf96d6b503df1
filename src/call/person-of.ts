import type { AuthInfo } from './call-exchange.ts';

/** One client id often stands for a program that many persons use; `sub` names the person (RFC 9068, 2.2). */
export function personOf({ clientId, extra }: AuthInfo): string {
  return JSON.stringify([clientId, extra?.['sub'] ?? null]);
}
