import { distance } from 'fastest-levenshtein';

const MAXIMUM_EDITS = 2;

/**
 * The nearest of the known names, or undefined when none is near.
 * At most two edits count as near, letter case ignored; of equally near names the first one wins.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let edits = MAXIMUM_EDITS + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= edits) continue;
    const candidateEdits = distance(wanted, candidate.toLowerCase());
    if (candidateEdits < edits && candidateEdits < candidate.length) {
      nearest = candidate;
      edits = candidateEdits;
    }
  }
  return nearest;
}
