/** Says of every outermost `or` whose alternatives failed that one of them is enough. */
export function suggestAlternatives(paths: readonly string[]): readonly string[] {
  const alternatives = new Map<string, Set<string>>();
  for (const path of paths) {
    const steps = path.split('/');
    const or = steps.findIndex((step, position) => step === 'or' && !isForbidden(steps.slice(0, position)));
    const index = steps[or + 1];
    if (or === -1 || index === undefined) continue;
    const place = steps.slice(0, or + 1).join('/');
    alternatives.set(place, (alternatives.get(place) ?? new Set()).add(index));
  }
  return Array.from(alternatives)
    .filter(([, indices]) => indices.size > 1)
    .map(([or]) => `Of the alternatives at ${or}, one is enough.`);
}

/** Beneath a `not`, none of the alternatives may be left. */
function isForbidden(steps: readonly string[]): boolean {
  return steps.filter((step) => step === 'not').length % 2 === 1;
}
