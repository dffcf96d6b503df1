import type { ProblemList } from '../errors/problem-list.ts';
import { checkCaptures, perCallKeys } from './check-captures.ts';
import { orderDependenciesFirst } from './find-rings.ts';
import type { DraftRecipe, ProviderDraft } from './provider-draft.ts';
import { linkProviders, type ProviderGraph } from './provider-graph.ts';
import type { ProviderKey, ProviderRecipe, ScannedProvider } from './scanned-provider.ts';
import type { TokenSpace } from './token-lookup.ts';

/** Resolves the dependencies of all providers and puts those first that others need. */
export function scanProviders(
  drafts: readonly ProviderDraft[],
  space: TokenSpace,
  problems: ProblemList,
): readonly ScannedProvider[] {
  const graph = linkProviders(drafts, space, problems);
  const order = orderDependenciesFirst(
    drafts.map((draft) => draft.key),
    (key) => dependencyKeys(graph, key),
    (ring) => {
      reportRing(ring, graph, problems);
    },
  );
  const perCall = perCallKeys(order, graph);
  checkCaptures(order, graph, perCall, problems);
  return Object.freeze(order.flatMap((key) => scanProvider(key, graph, perCall.has(key))));
}

function dependencyKeys(graph: ProviderGraph, key: ProviderKey): readonly ProviderKey[] {
  return (graph.get(key)?.edges ?? []).flatMap((edge) => (edge.to === undefined ? [] : [edge.to.key]));
}

function scanProvider(
  key: ProviderKey,
  graph: ProviderGraph,
  isPerCall: boolean,
): readonly ScannedProvider[] {
  const node = graph.get(key);
  if (node === undefined) return [];
  const { draft, edges } = node;
  const dependencies = edges.map((edge) => Object.freeze({ key: edge.to?.key }));
  return [
    Object.freeze({
      key,
      token: draft.token,
      module: draft.home?.name ?? 'toolwright',
      where: draft.where,
      scope: draft.scope,
      isPerCall,
      recipe: Object.freeze(scanRecipe(draft.recipe, edges[0]?.to?.key ?? key)),
      dependencies: Object.freeze(draft.recipe.kind === 'existing' ? [] : dependencies),
    }),
  ];
}

function scanRecipe(recipe: DraftRecipe, target: ProviderKey): ProviderRecipe {
  if (recipe.kind === 'existing') return { kind: 'existing', target };
  if (recipe.kind === 'factory') return { kind: 'factory', create: recipe.create };
  return recipe;
}

function reportRing(ring: readonly ProviderKey[], graph: ProviderGraph, problems: ProblemList): void {
  const names = ring.map((key) => graph.get(key)?.draft.where ?? String(key));
  problems.add('TW_SCAN_PROVIDER_CYCLE', {
    where: names[0] ?? '',
    what: `needs itself: ${names.join(' → ')}.`,
    fix: 'move what both need to a third provider, or hand one of them over in a method call',
  });
}
