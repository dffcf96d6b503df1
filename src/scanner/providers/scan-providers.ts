import type { ProblemList } from '../../errors/problem-list.ts';
import { UserGraph } from './check-user-graph.ts';
import { constructorSlots, injectedSlot, type Slot } from './constructor-slots.ts';
import { orderDependenciesFirst } from '../../shared/dependency-order.ts';
import type { DraftRecipe, Edge, ProviderDraft } from './read-provider.ts';
import type { ProviderKey, ProviderRecipe, ScannedProvider } from './scanned-provider.ts';
import { findInjected, findOne } from './find-injected.ts';
import { findProvider, type TokenSpace } from './token-lookup.ts';

/** Resolves the dependencies of all providers and sorts dependencies first. */
export function scanProviders(
  drafts: readonly ProviderDraft[],
  space: TokenSpace,
  problems: ProblemList,
): readonly ScannedProvider[] {
  const graph = linkProviders(drafts, space, problems);
  const order = orderDependenciesFirst(
    graph.keys(),
    (key) => dependencyKeys(graph, key),
    (ring) => {
      reportRing(ring, graph, problems);
    },
  );
  checkUserGraph(graph, space, problems);
  const perCall = perCallKeys(order, graph);
  checkCaptures(order, graph, perCall, problems);
  return Object.freeze(order.flatMap((key) => scanProvider(key, graph, perCall.has(key))));
}

/** What the user's container makes, it makes of what it knows itself. */
function checkUserGraph(graph: ProviderGraph, space: TokenSpace, problems: ProblemList): void {
  const { container } = space.user;
  if (container === undefined) return;
  const userGraph = new UserGraph(container, space, problems);
  for (const { draft } of graph.values()) {
    if (draft.recipe.kind === 'registered') userGraph.check(draft.recipe.registration);
  }
}

function dependencyKeys(graph: ProviderGraph, key: ProviderKey): readonly ProviderKey[] {
  return (graph.get(key)?.edges ?? []).flatMap(({ to, isDelayed }) =>
    to === undefined || isDelayed === true ? [] : [to.key],
  );
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
      module: draft.home?.name ?? (draft.isOfUser === true ? 'tsyringe' : 'toolwright'),
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
  if (recipe.kind !== 'composed') return recipe;
  const { kind, compose, source } = recipe;
  return { kind, compose, source };
}

function reportRing(ring: readonly ProviderKey[], graph: ProviderGraph, problems: ProblemList): void {
  const names = ring.map((key) => graph.get(key)?.draft.where ?? String(key));
  problems.at(names[0] ?? '').add('TW_SCAN_PROVIDER_CYCLE', {
    what: `needs itself: ${names.join(' → ')}.`,
    fix: 'move what both need to a third provider, or @inject(delay(() => TheClass)) of tsyringe on one parameter',
  });
}

/** The dependencies of each provider, looked up in the module of that provider. */
type ProviderGraph = ReadonlyMap<
  ProviderKey,
  { readonly draft: ProviderDraft; readonly edges: readonly Edge[] }
>;

function linkProviders(
  drafts: readonly ProviderDraft[],
  space: TokenSpace,
  problems: ProblemList,
): ProviderGraph {
  const graph = new Map<ProviderKey, { readonly draft: ProviderDraft; readonly edges: readonly Edge[] }>();
  for (const draft of drafts) graph.set(draft.key, { draft, edges: edgesOf(draft, space, problems) });
  // What is looked up may need more, which comes at the end of this list
  for (const draft of space.user.created)
    graph.set(draft.key, { draft, edges: edgesOf(draft, space, problems) });
  return graph;
}

function edgesOf(draft: ProviderDraft, space: TokenSpace, problems: ProblemList): readonly Edge[] {
  const { recipe, where: name } = draft;
  if (recipe.kind === 'composed') return recipe.parts;
  // What no module declares sees the tokens of the root module
  const home = draft.home ?? space.modules.at(-1);
  if (home === undefined) return [];
  if (recipe.kind === 'existing')
    return [{ where: name, to: findOne(recipe, { where: name, home }, space, problems) }];
  return slotsOf(draft, problems).map(({ where, token, isOptional, isTyped, injection }) => {
    if (injection !== undefined)
      return { where, to: findInjected(injection, { where, home }, space, problems) };
    if (token === undefined) return { where, to: undefined };
    return { where, to: findProvider({ token, home, where, isOptional, isTyped }, space, problems) };
  });
}

function slotsOf({ recipe, where }: ProviderDraft, problems: ProblemList): readonly Slot[] {
  switch (recipe.kind) {
    case 'class':
      return constructorSlots(recipe.type, problems);
    case 'factory':
      return recipe.inject.map((entry, index) =>
        factorySlot(entry, `${where} factory #${String(index + 1)}`, problems),
      );
    default:
      return [];
  }
}

function factorySlot(entry: unknown, where: string, problems: ProblemList): Slot {
  const isObject = typeof entry === 'object' && entry !== null;
  const { token, ...options } = isObject ? (entry as { readonly token?: unknown }) : { token: entry };
  return injectedSlot(token, options, '`inject`', problems.at(where));
}

/** The providers whose instances differ from call to call. */
function perCallKeys(order: readonly ProviderKey[], graph: ProviderGraph): ReadonlySet<ProviderKey> {
  const perCall = new Set<ProviderKey>();
  // `order` has dependencies first, but for delayed ones
  for (let known = -1; known < perCall.size;) {
    known = perCall.size;
    for (const key of order) {
      const node = graph.get(key);
      if (node === undefined) continue;
      const { draft, edges } = node;
      const isPassedOn = draft.recipe.kind === 'existing' || draft.scope === 'transient';
      const reaches = edges.some((edge) => edge.to !== undefined && perCall.has(edge.to.key));
      if (draft.scope === 'request' || (isPassedOn && reaches)) perCall.add(key);
    }
  }
  return perCall;
}

/** Reports singletons that would keep an instance of one call. */
function checkCaptures(
  order: readonly ProviderKey[],
  graph: ProviderGraph,
  perCall: ReadonlySet<ProviderKey>,
  problems: ProblemList,
): void {
  for (const key of order) {
    const node = graph.get(key);
    if (node === undefined || perCall.has(key) || node.draft.scope !== 'singleton') continue;
    for (const edge of node.edges) {
      if (edge.to === undefined || !perCall.has(edge.to.key)) continue;
      problems.at(edge.where).add('TW_SCAN_SCOPE_CAPTURE', {
        what: `would keep ${describePath(edge.to, graph, perCall)}, but ${node.draft.where} is a singleton.`,
        why: 'what belongs to one call would be seen by the next one.',
        fix: fixFor(node.draft, edge.to),
      });
    }
  }
}

/** The path from a per-call provider to the request-scoped one that makes it per-call. */
function describePath(start: ProviderDraft, graph: ProviderGraph, perCall: ReadonlySet<ProviderKey>): string {
  const names = [start.where];
  let draft = start;
  while (draft.scope !== 'request') {
    const next = graph
      .get(draft.key)
      ?.edges.find((edge) => edge.to !== undefined && perCall.has(edge.to.key));
    if (next?.to === undefined) break;
    draft = next.to;
    names.push(draft.where);
  }
  const path = names.length > 1 ? ` (${names.join(' → ')})` : '';
  return `${start.where}, which lives for one call only${path}`;
}

function fixFor(singleton: ProviderDraft, dependency: ProviderDraft): string {
  const { recipe, where } = singleton;
  if (recipe.kind !== 'class') return `scope: 'request' in the provider of ${where}`;
  const inMethod =
    dependency.recipe.kind === 'context' ? 'take the ToolContext as a parameter of the method' : undefined;
  return [`@Injectable({ scope: 'request' }) on ${where}`, inMethod]
    .filter((line) => line !== undefined)
    .join(', or ');
}
