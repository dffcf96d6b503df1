/**
 * One line of `src`, and what a mutation makes of it. It is found by its code and not by a path or a line number: files
 * move, and lines are added above.
 */
export interface Place {
  /** In words, as `=== to !==`. */
  readonly mutation: string;
  /** All lines are without the white space around them. */
  readonly line: string;
  /** The line before, where the line alone does not say which is meant. */
  readonly before?: string;
  /** The line after, where that is still not enough. */
  readonly after?: string;
  /** What the line becomes; empty where all of it goes. */
  readonly becomes: string;
}

/** The texts of `src` by their paths below it. */
export type Sources = ReadonlyMap<string, string>;

export interface Spot {
  readonly path: string;
  /** Counted from 1, as editors do. */
  readonly line: number;
}

/** All spots that have the code of a place: none where the code is gone, and one where it is clear. */
export function findPlace(place: Place, sources: Sources): readonly Spot[] {
  const spots: Spot[] = [];
  for (const [path, text] of sources) {
    if (!text.includes(place.line)) continue;
    const lines = text.split('\n').map((line) => line.trim());
    lines.forEach((line, index) => {
      const isMeant =
        line === place.line &&
        (place.before === undefined || lines[index - 1] === place.before) &&
        (place.after === undefined || lines[index + 1] === place.after);
      if (isMeant) spots.push({ path, line: index + 1 });
    });
  }
  return spots;
}

/** The text with the mutation in it; all other lines stay. */
export function mutate(text: string, { line }: Spot, { becomes }: Place): string {
  const lines = text.split('\n');
  const [indent = ''] = /^\s*/.exec(lines[line - 1] ?? '') ?? [];
  return lines.with(line - 1, indent + becomes).join('\n');
}
