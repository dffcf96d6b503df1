import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import type { WorkflowDocument } from './workflow-document.ts';

/**
 * Names a document by what it says: `sha256:` and the SHA-256 of its canonical JSON (RFC 8785), in hex. The order
 * of members does not count, nor does the hash that a definition carries.
 *
 * @param document a valid one; others may not have a canonical form
 */
export function hashOfDocument(document: WorkflowDocument & { readonly hash?: string }): string {
  const { hash: _hash, ...rest } = document;
  return `sha256:${createHash('sha256').update(canonicalJson(rest)).digest('hex')}`;
}
