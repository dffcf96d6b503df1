import { OnceMade } from '../shared/once-made.ts';
import { createPieceCounter } from './long-pieces.ts';

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
