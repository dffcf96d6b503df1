import { canonicalJson } from '../../shared/canonical-json.ts';

/** True for values whose JSON is the same but for the order of keys; what is not there counts as null. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return canonicalJson(left ?? null) === canonicalJson(right ?? null);
}
