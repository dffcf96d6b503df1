/** The nodes of a graph, with the targets of their edges. */
type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * The nodes that can reach themselves, by Kosaraju's algorithm: linear, and without recursion, because the graph of a
 * foreign schema may be one long chain.
 */
export function findCycles(graph: Graph): ReadonlySet<string> {
  const component = components(finishOrder(graph), reversed(graph));
  const sizes = new Map<string, number>();
  for (const root of component.values()) sizes.set(root, (sizes.get(root) ?? 0) + 1);
  const isCyclic = (node: string): boolean =>
    (sizes.get(component.get(node) ?? '') ?? 0) > 1 || (graph.get(node) ?? []).includes(node);
  return new Set([...graph.keys()].filter(isCyclic));
}

function finishOrder(graph: Graph): readonly string[] {
  const seen = new Set<string>();
  const finished: string[] = [];
  for (const start of graph.keys()) {
    const open: { readonly node: string; readonly isDone: boolean }[] = [{ node: start, isDone: false }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.isDone) finished.push(next.node);
      if (next.isDone || seen.has(next.node)) continue;
      seen.add(next.node);
      open.push({ node: next.node, isDone: true });
      for (const node of graph.get(next.node) ?? []) open.push({ node, isDone: false });
    }
  }
  return finished;
}

function reversed(graph: Graph): Graph {
  const result = new Map<string, string[]>([...graph.keys()].map((node) => [node, []]));
  for (const [from, targets] of graph) for (const to of targets) result.get(to)?.push(from);
  return result;
}

/** Node → the first node of its strongly connected component. */
function components(finished: readonly string[], backward: Graph): ReadonlyMap<string, string> {
  const component = new Map<string, string>();
  for (const root of finished.toReversed()) {
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (component.has(node)) continue;
      component.set(node, root);
      open.push(...(backward.get(node) ?? []));
    }
  }
  return component;
}
