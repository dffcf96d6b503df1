import { OnceMade } from '../shared/once-made.ts';

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** The encoding that is counted in: that of OpenAI's models since GPT-4o. No other provider has published its own. */
export const ENCODING = 'o200k_base';

/** Longer pieces take the library a time that grows with the square of their length. */
const LONG = 500;

const tokenizer = new OnceMade<CountTokens>(async () => {
  const { countTokens, PIECES, VOCABULARY } = await import('./o200k.ts');
  // A text may contain what looks like a special token, such as <|endoftext|>: it is text all the same
  const options = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  let countLong: CountTokens | undefined;
  return (text) => {
    if (text.length <= LONG) return countTokens(text, options);
    let short = '';
    let tokens = 0;
    for (const [piece] of text.matchAll(PIECES)) {
      if (piece.length <= LONG) short += piece;
      else {
        countLong ??= createPieceCounter(VOCABULARY);
        tokens += countTokens(short, options) + countLong(piece);
        short = '';
      }
    }
    return tokens + countTokens(short, options);
  };
});

/** Loads the tokenizer, two megabytes of vocabulary, with its first use. */
export function loadTokenizer(): Promise<CountTokens> {
  return tokenizer.get();
}

/** A pair of neighbouring tokens that may be joined, and the rank of what they would become. */
interface Pair {
  readonly rank: number;
  readonly left: number;
  readonly length: number;
}

/**
 * Counts the tokens of one piece of text by byte pair encoding, in a time that grows hardly faster than its length.
 * @param vocabulary the tokens in the order of their ranks: texts, or the bytes of what cannot be a text
 */
function createPieceCounter(
  vocabulary: readonly (string | readonly number[] | undefined)[],
): (piece: string) => number {
  const ranks = new Map<string, number>();
  for (const [rank, token] of vocabulary.entries()) if (token !== undefined) ranks.set(bytesOf(token), rank);
  return (piece) => countPiece(bytesOf(piece), ranks);
}

/** Bytes as a text with a letter for each, which a map can look up. */
function bytesOf(token: string | readonly number[]): string {
  const bytes = typeof token === 'string' ? Buffer.from(token, 'utf8') : Buffer.from(token);
  return bytes.toString('latin1');
}

/** Joins the pair of the lowest rank, the leftmost of equal ones, until no pair is a token. */
function countPiece(bytes: string, ranks: ReadonlyMap<string, number>): number {
  const ends = Array.from(bytes, (_, index) => index + 1);
  const starts = Array.from(bytes, (_, index) => index);
  const pairs = new PairHeap();
  const offer = (left: number): void => {
    const middle = ends[left];
    const end = middle === undefined ? undefined : ends[middle];
    const rank = end === undefined ? undefined : ranks.get(bytes.slice(left, end));
    if (end !== undefined && rank !== undefined) pairs.add({ rank, left, length: end - left });
  };
  for (let left = 0; left < bytes.length; left += 1) offer(left);
  let count = bytes.length;
  for (let pair = pairs.take(); pair !== undefined; pair = pairs.take()) {
    const { left, length } = pair;
    const middle = ends[left] ?? -1;
    // One of the two may have been joined with another neighbour since
    if (middle < 0 || ends[middle] !== left + length || starts[left + length - 1] !== middle) continue;
    ends[left] = left + length;
    ends[middle] = -1;
    starts[left + length - 1] = left;
    count -= 1;
    offer(left);
    const previous = left === 0 ? undefined : starts[left - 1];
    if (previous !== undefined) offer(previous);
  }
  return count;
}

/** A binary heap: the lowest rank first, and of equal ranks the leftmost. */
class PairHeap {
  readonly #pairs: Pair[] = [];

  add(pair: Pair): void {
    const pairs = this.#pairs;
    let place = pairs.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = pairs[above] as Pair;
      if (!isBefore(pair, parent)) break;
      pairs[place] = parent;
      place = above;
    }
    pairs[place] = pair;
  }

  take(): Pair | undefined {
    const pairs = this.#pairs;
    const first = pairs[0];
    const last = pairs.pop();
    if (first === undefined || last === undefined || pairs.length === 0) return first;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= pairs.length) break;
      const right = left + 1;
      const isRight = right < pairs.length && isBefore(pairs[right] as Pair, pairs[left] as Pair);
      const child = isRight ? right : left;
      if (!isBefore(pairs[child] as Pair, last)) break;
      pairs[place] = pairs[child] as Pair;
      place = child;
    }
    pairs[place] = last;
    return first;
  }
}

function isBefore(one: Pair, other: Pair): boolean {
  return one.rank < other.rank || (one.rank === other.rank && one.left < other.left);
}
