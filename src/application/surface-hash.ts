import { createHash } from 'node:crypto';
import type { ServiceParts } from '../runtime/mcp-service.ts';
import { canonicalJson } from '../shared/canonical-json.ts';

/**
 * Gives the hash by which two applications, or two starts of one, can be compared: SHA-256 over the canonical JSON of
 * all lists. What templates and families list for each request is no part of it. It is computed again only when one of
 * the lists is another.
 */
export function createSurfaceHash({ tools, prompts, resources }: ServiceParts): () => string {
  let hashed: { readonly lists: readonly unknown[]; readonly hash: string } | undefined;
  return () => {
    const lists = {
      tools: tools?.list() ?? NOTHING,
      prompts: prompts?.fixed().list ?? NOTHING,
      resources: resources?.fixed().list ?? NOTHING,
      resourceTemplates: resources?.templates() ?? NOTHING,
    };
    const current = Object.values(lists);
    if (hashed?.lists.every((list, index) => list === current[index]) !== true) {
      hashed = { lists: current, hash: createHash('sha256').update(canonicalJson(lists)).digest('hex') };
    }
    return hashed.hash;
  };
}

const NOTHING: readonly never[] = Object.freeze([]);
