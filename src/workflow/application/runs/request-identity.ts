import { createHash } from 'node:crypto';
import { checkKey } from './check-request.ts';

/** By what a repeated request is known. */
export interface RequestIdentity {
  /** Within what the key is unique: a run, or who starts runs. */
  readonly scope: string;
  readonly key: string;
  /** Of all that was asked for. */
  readonly hash: string;
}

/**
 * @param request JSON
 * @param key what the caller gave; the hash of the request stands in for it, so that a plain repeat is safe
 */
export function identify(scope: string, request: unknown, key: string | undefined): RequestIdentity {
  const hash = createHash('sha256').update(JSON.stringify(request, sortMembers)).digest('hex');
  return { scope, key: checkKey(key) ?? `request:${hash}`, hash };
}

/** The order of members makes no other request. */
function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.sort(([left], [right]) => (left < right ? -1 : 1)));
}
