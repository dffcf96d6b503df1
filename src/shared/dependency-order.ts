/** A walk along a graph that visits dependencies first and reports each ring it meets once. */
export function orderDependenciesFirst<Node>(
  nodes: Iterable<Node>,
  next: (node: Node) => readonly Node[],
  onRing: (ring: readonly Node[]) => void,
): readonly Node[] {
  const ordered = new Set<Node>();
  const path: Node[] = [];
  const visit = (node: Node): void => {
    if (ordered.has(node)) return;
    const start = path.indexOf(node);
    if (start >= 0) {
      onRing([...path.slice(start), node]);
      return;
    }
    path.push(node);
    next(node).forEach(visit);
    path.pop();
    ordered.add(node);
  };
  for (const node of nodes) visit(node);
  return [...ordered];
}
