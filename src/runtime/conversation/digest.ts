import { createHash } from 'node:crypto';
import { canonicalJson } from '../../shared/canonical-json.ts';

const BYTES = 16;

/** Equal for equal JSON values, and for no others that anybody could find. */
export function digestOf(value: unknown): string {
  const hash = createHash('sha256').update(canonicalJson(value)).digest();
  return hash.subarray(0, BYTES).toString('base64url');
}
