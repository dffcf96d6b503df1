/** A way from one node of a graph to another. */
export interface Edge {
  readonly to: string;
  /** Whether the way leads through an optional property. */
  readonly isOptional: boolean;
}

type Graph = ReadonlyMap<string, readonly Edge[]>;

/**
 * The nodes that can reach themselves, by Kosaraju's algorithm: linear, and without recursion, because the graph of a
 * stranger's schema may be one long chain.
 */
export function findCycles(graph: Graph, counts: (edge: Edge) => boolean = () => true): ReadonlySet<string> {
  const forward = new Map(
    [...graph].map(([node, edges]) => [node, edges.filter(counts).map(({ to }) => to)] as const),
  );
  const component = components(finishOrder(forward), reversed(forward));
  const sizes = new Map<string, number>();
  for (const root of component.values()) sizes.set(root, (sizes.get(root) ?? 0) + 1);
  const isCyclic = (node: string): boolean =>
    (sizes.get(component.get(node) ?? '') ?? 0) > 1 || (forward.get(node) ?? []).includes(node);
  return new Set([...graph.keys()].filter(isCyclic));
}

type Neighbours = ReadonlyMap<string, readonly string[]>;

function finishOrder(neighbours: Neighbours): readonly string[] {
  const seen = new Set<string>();
  const finished: string[] = [];
  for (const start of neighbours.keys()) {
    const open: { readonly node: string; readonly isDone: boolean }[] = [{ node: start, isDone: false }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.isDone) finished.push(next.node);
      if (next.isDone || seen.has(next.node)) continue;
      seen.add(next.node);
      open.push({ node: next.node, isDone: true });
      for (const node of neighbours.get(next.node) ?? []) open.push({ node, isDone: false });
    }
  }
  return finished;
}

function reversed(neighbours: Neighbours): Neighbours {
  const result = new Map<string, string[]>([...neighbours.keys()].map((node) => [node, []]));
  for (const [from, targets] of neighbours) for (const to of targets) result.get(to)?.push(from);
  return result;
}

/** Node → the first node of its strongly connected component. */
function components(finished: readonly string[], backward: Neighbours): ReadonlyMap<string, string> {
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
