const FIRST_OR = /^(.*?\/or)\/(\d+)/;

/** Says of every outermost `or` whose alternatives failed that one of them is enough. */
export function suggestAlternatives(paths: readonly string[]): readonly string[] {
  const alternatives = new Map<string, Set<string>>();
  for (const path of paths) {
    const [, or, index] = FIRST_OR.exec(path) ?? [];
    if (or === undefined || index === undefined) continue;
    alternatives.set(or, (alternatives.get(or) ?? new Set()).add(index));
  }
  return Array.from(alternatives)
    .filter(([, indices]) => indices.size > 1)
    .map(([or]) => `Of the alternatives at ${or}, one is enough.`);
}
