import { createHash } from 'node:crypto';
import type { ServiceParts } from '../runtime/mcp-service.ts';
import { canonicalJson } from '../shared/canonical-json.ts';

/**
 * Tells whether two applications, or two starts of one, offer the same: SHA-256 over the canonical JSON of all lists.
 * What templates and families list for each request is no part of it.
 */
export function surfaceHash({ tools, prompts, resources }: ServiceParts): string {
  const lists = {
    tools: tools?.list() ?? [],
    prompts: prompts?.fixed().list ?? [],
    resources: resources?.fixed().list ?? [],
    resourceTemplates: resources?.templates() ?? [],
  };
  return createHash('sha256').update(canonicalJson(lists)).digest('hex');
}
