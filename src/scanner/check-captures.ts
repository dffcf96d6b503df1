import type { ProblemList } from '../errors/problem-list.ts';
import type { ProviderDraft } from './provider-draft.ts';
import type { ProviderGraph } from './provider-graph.ts';
import type { ProviderKey } from './scanned-provider.ts';

/** The providers whose instances differ from call to call. `order` has dependencies first. */
export function perCallKeys(order: readonly ProviderKey[], graph: ProviderGraph): ReadonlySet<ProviderKey> {
  const perCall = new Set<ProviderKey>();
  for (const key of order) {
    const node = graph.get(key);
    if (node === undefined) continue;
    const { draft, edges } = node;
    const isPassedOn = draft.recipe.kind === 'existing' || draft.scope === 'transient';
    const reaches = edges.some((edge) => edge.to !== undefined && perCall.has(edge.to.key));
    if (draft.scope === 'request' || (isPassedOn && reaches)) perCall.add(key);
  }
  return perCall;
}

/** Reports singletons that would keep what belongs to one call. */
export function checkCaptures(
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
      problems.add('TW_SCAN_SCOPE_CAPTURE', {
        where: edge.where,
        what: `would keep ${describePath(edge.to, graph, perCall)}, but ${node.draft.where} is a singleton.`,
        why: 'what belongs to one call would be seen by the next one.',
        fix: fixFor(node.draft, edge.to),
      });
    }
  }
}

/** The way from a per-call provider to the request-scoped one that makes it so. */
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
