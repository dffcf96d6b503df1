import { distance } from 'fastest-levenshtein';
import { tokenName, type Token } from './class-type.ts';

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

/** `did you mean "tasks"?`, of the nearest of the known names; undefined when none is near. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : askWhether(`"${nearest}"`);
}

/** The same for tokens; `name` is one that `tokenName` gave, and a class is written without quotes. */
export function didYouMeanToken(name: string, known: Iterable<Token>): string | undefined {
  const nearest = nearestName(name, Array.from(known, tokenName));
  return nearest === undefined ? undefined : askWhether(nearest);
}

/** The question itself, of a name as it is to be written. */
export function askWhether(meant: string): string {
  return `did you mean ${meant}?`;
}

/** The same as the member of an issue or of an error's data; empty without a near name. */
export function suggestionFor(name: unknown, known: Iterable<string>): { readonly suggestion?: string } {
  const suggestion = typeof name === 'string' ? nearestName(name, known) : undefined;
  return suggestion === undefined ? {} : { suggestion };
}
