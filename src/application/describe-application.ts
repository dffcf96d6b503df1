import { createHash } from 'node:crypto';
import type { CompiledApplication } from '../compile/compile-application.ts';
import type { CompiledPrompt } from '../compile/primitives/compile-prompt.ts';
import type { CompiledResource } from '../compile/primitives/compile-resource.ts';
import type { ExplainedInput } from '../compile/tools/compiled-tool.ts';
import type { ServiceParts } from '../runtime/service-parts.ts';
import { canonicalJson } from '../shared/canonical-json.ts';

/**
 * Creates a function that hashes the public surface, to compare two applications or two starts of one: SHA-256 over
 * the canonical JSON of all lists, without what templates and families list per request. The hash is recomputed only
 * when a list changes.
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

/** Lists how every input of an application is checked. */
export function explainChecks({ tools, prompts, resources }: CompiledApplication): readonly ExplainedInput[] {
  const explain = (
    kind: ExplainedInput['kind'],
    { name, explain: checksOf }: CompiledPrompt | CompiledResource,
  ): ExplainedInput => Object.freeze({ kind, tool: undefined, name, checks: checksOf() });
  return Object.freeze([
    ...tools.flatMap((set) => set.tools.flatMap((tool) => tool.definition.explain())),
    ...prompts.map((prompt) => explain('prompt', prompt)),
    ...resources.map((resource) => explain('resource', resource)),
  ]);
}
