/** A fixed text, and after it the value of a variable unless `accepts` is undefined. */
export interface Chunk {
  /** Characters or percent-encoded triplets. */
  readonly prefix: readonly string[];
  /** What a value may consist of; it has one unit at least. */
  readonly accepts: ((unit: string) => boolean) | undefined;
}

/** Chunks that follow each other; of optional ones the last may be missing, or the last two, and so on. */
export interface Part {
  readonly chunks: readonly Chunk[];
  readonly isOptional: boolean;
}

type Units = readonly string[];
/** Where a chunk may begin or end: one flag for each place before, between and after units. */
type Places = readonly boolean[];

/**
 * The values in a whole text, by their chunks; an earlier value takes as much as it can.
 * Sets of places instead of a regular expression: for `{y}-{m}-{d}` that one takes a time that grows
 * with the third power of the length, and the text is a client's.
 */
export function matchChunks(parts: readonly Part[], units: Units): ReadonlyMap<Chunk, string> | undefined {
  let places: Places = Array.from({ length: units.length + 1 }, (_, place) => place === 0);
  const passed = parts.map((part) => {
    const stops = [places];
    for (const chunk of part.chunks) stops.push(advance(chunk, stops.at(-1) ?? [], units));
    places = part.isOptional
      ? places.map((_, place) => stops.some((stop) => stop[place]))
      : (stops.at(-1) ?? []);
    return { part, stops };
  });
  if (places.at(-1) !== true) return undefined;

  const values = new Map<Chunk, string>();
  let end = units.length;
  for (const { part, stops } of passed.reverse()) {
    for (let count = stops.findLastIndex((stop) => stop[end]); count > 0; count -= 1) {
      const chunk = part.chunks[count - 1];
      if (chunk === undefined) continue;
      const start = valueStart(chunk, stops[count - 1] ?? [], end, units);
      if (chunk.accepts !== undefined) values.set(chunk, units.slice(start, end).join(''));
      end = start - chunk.prefix.length;
    }
  }
  return values;
}

/** The places that a chunk leads to. */
function advance(chunk: Chunk, from: Places, units: Units): Places {
  const starts = from.map((_, place) => isAfterPrefix(chunk, from, place, units));
  if (chunk.accepts === undefined) return starts;
  let isInside = false;
  return starts.map((_, place) => {
    const unit = units[place - 1];
    isInside =
      unit !== undefined && chunk.accepts?.(unit) === true && (isInside || starts[place - 1] === true);
    return isInside;
  });
}

/** Where the value of a chunk that ends at `end` begins; the nearest one, so that earlier values are longer. */
function valueStart(chunk: Chunk, from: Places, end: number, units: Units): number {
  if (chunk.accepts === undefined) return end;
  let start = end - 1;
  while (start > 0 && !isAfterPrefix(chunk, from, start, units)) start -= 1;
  return start;
}

function isAfterPrefix({ prefix }: Chunk, from: Places, place: number, units: Units): boolean {
  const start = place - prefix.length;
  return from[start] === true && prefix.every((unit, index) => units[start + index] === unit);
}
