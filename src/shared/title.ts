const LETTER_AFTER_SMALL = /([\p{Ll}\d])(?=\p{Lu})/gu;
const WORD_AFTER_CAPITALS = /(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;
const ALL_CAPITALS = /^(?=.*\p{Lu}.*\p{Lu})[\p{Lu}\d]+$/u;

/**
 * A name in words, as people read it: `add_line` is "Add line", and `HTTPServer_logs` is "HTTP server logs".
 * The name itself where it has no letters and no digits.
 */
export function titleFromName(name: string): string {
  const words = name
    .replace(LETTER_AFTER_SMALL, '$1 ')
    .replace(WORD_AFTER_CAPITALS, '$1 ')
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .map((word) => (ALL_CAPITALS.test(word) ? word : word.toLowerCase()));
  const [first, ...others] = words;
  if (first === undefined) return name;
  const [letter = '', ...rest] = first;
  return [letter.toUpperCase() + rest.join(''), ...others].join(' ');
}
