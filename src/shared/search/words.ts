/** Words of questions that say nothing of what is looked for. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be been by can could did do does for from give had has have how i if in is it ' +
    'its just let like make me my no not now of on one or our out please s so some t tell than that the their ' +
    'them then there these they this those to up us use want was we were what when where which who will with would ' +
    'you your'
  ).split(' '),
);

/** Verbs that names of actions and people who look for them use for the same. */
const VERBS: readonly (readonly string[])[] = [
  ['get', 'show', 'read', 'view', 'fetch', 'see', 'display', 'retrieve', 'detail', 'list'],
  ['list', 'show', 'read', 'view', 'fetch', 'see', 'display', 'retrieve', 'find', 'search'],
  [
    'create',
    'add',
    'new',
    'make',
    'open',
    'write',
    'post',
    'report',
    'submit',
    'insert',
    'start',
    'publish',
    'reply',
    'answer',
    'respond',
  ],
  ['update', 'edit', 'change', 'modify', 'rename', 'set', 'close', 'alter'],
  ['delete', 'remove', 'drop', 'erase', 'clear', 'unassign', 'withdraw', 'dismiss', 'discard'],
];

/** Other verbs for what a verb says; none for another word. */
export function readSynonyms(word: string): readonly string[] {
  return [...new Set(VERBS.filter((verbs) => verbs.includes(word)).flat())].filter((verb) => verb !== word);
}

/** Scripts that are written without spaces between words. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc';
const CHUNK = /[\p{L}\p{N}]+/gu;
const PART = new RegExp(
  `[${UNSPACED}]+|\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?\\p{Ll}+|(?:(?![${UNSPACED}])[\\p{Lt}\\p{Lm}\\p{Lo}])+|\\p{N}+`,
  'gu',
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const ONLY_LETTERS = /^\p{L}+$/u;

/**
 * The words of a text as a search compares them: without marks and case, names split at their parts, without the plural
 * `s`; of scripts without spaces, each pair of neighbouring characters.
 */
export function readWords(text: string): readonly string[] {
  // Composed again, because Hangul comes apart into letters
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC');
  return (plain.match(CHUNK) ?? []).flatMap(chunkWords).filter((word) => !STOP_WORDS.has(word));
}

function chunkWords(chunk: string): readonly string[] {
  const parts = chunk.match(PART) ?? [];
  const words = parts.flatMap((part) =>
    IS_UNSPACED.test(part) ? pairs(part) : [toSingular(part.toLowerCase())],
  );
  // `GitHub` is looked for as one word as well
  const isName =
    parts.length > 1 && ONLY_LETTERS.test(chunk) && !parts.some((part) => IS_UNSPACED.test(part));
  return isName ? [...words, toSingular(chunk.toLowerCase())] : words;
}

function pairs(run: string): readonly string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

function toSingular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.slice(0, /(?:ch|sh|x|ss)es$/.test(word) ? -2 : -1);
}

/** Whether one letter more, less, other or swapped with its neighbour makes one word the other. */
export function isOneEdit(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return isSwapped && short.slice(at + 2) === long.slice(at + 2);
}
