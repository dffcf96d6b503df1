/** A text of letters from A to Z has about so many characters for each token of a model. */
const CHARACTERS_PER_TOKEN = 4;
const BEYOND_ASCII = /[^\p{ASCII}]/gu;

/** About how many tokens a text has, without the vocabulary of a model. */
export function estimateTokens(text: string): number {
  const others = text.match(BEYOND_ASCII)?.length ?? 0;
  return Math.ceil((text.length - others) / CHARACTERS_PER_TOKEN) + others;
}
