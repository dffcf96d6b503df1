import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../shared/canonical-json.ts';
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
 * @param request JSON; the order of its members makes no other request
 * @param key what the caller gave; the hash of the request stands in for it, so that a plain repeat is safe
 */
export function identify(scope: string, request: unknown, key: string | undefined): RequestIdentity {
  const hash = createHash('sha256').update(canonicalJson(request)).digest('hex');
  return { scope, key: checkKey(key) ?? `request:${hash}`, hash };
}
