import { createHash } from 'node:crypto';

/** What names may look like. */
export interface NameRule {
  /** One character that may not stand in a name. */
  readonly forbidden: RegExp;
  /** Matches a name that begins with a character which may not stand there. */
  readonly forbiddenFirst?: RegExp;
  readonly maxLength: number;
}

const HASH_LENGTH = 8;

/** A name in the form that a rule allows: characters replaced, then cut. The seed makes a cut name unique. */
export function safeName(name: string, rule: NameRule, seed: string): string {
  const replaced = replaceForbidden(name, rule);
  return replaced.length > rule.maxLength ? suffixed(replaced, rule, seed) : replaced;
}

function replaceForbidden(name: string, { forbidden, forbiddenFirst }: NameRule): string {
  // By code point: an emoji is one character and becomes one underscore
  const replaced = Array.from(name, (character) => (forbidden.test(character) ? '_' : character)).join('');
  return replaced === '' || forbiddenFirst?.test(replaced) === true ? `_${replaced}` : replaced;
}

/** The name with an underscore and a hash of the seed, cut to fit. */
export function suffixed(name: string, { maxLength }: NameRule, seed: string): string {
  const hash = createHash('sha256').update(seed).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, Math.max(0, maxLength - HASH_LENGTH - 1))}_${hash}`;
}

/** The name with a hash of the seed, which makes it another one than all that become equal by being cut. */
export function shortenTo(name: string, maxLength: number, seed: string): string {
  return suffixed(name, { forbidden: /$^/u, maxLength }, seed);
}

/** Whether a name shows nothing, or has white space around it, or a character that ends a line: nobody can repeat it. */
export function isBlankName(name: string): boolean {
  return name.trim() !== name || /^[\s\p{C}]*$|[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

/** A name with one variable in it, such as `review_{language}`. */
export interface NameTemplate {
  readonly text: string;
  readonly variable: string;
  /** The value of the variable in a name; undefined for a name of another form. */
  match(name: string): string | undefined;
}

const ONE_VARIABLE = /^(?<before>[^{}]*)\{(?<variable>[A-Za-z_$][\w$]*)\}(?<after>[^{}]*)$/;

/** Undefined for a text that has not exactly one variable. */
export function parseNameTemplate(text: string): NameTemplate | undefined {
  const parts = ONE_VARIABLE.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { before = '', variable = '', after = '' } = parts;
  return Object.freeze({
    text,
    variable,
    match: (name: string) => {
      const isOther = !name.startsWith(before) || !name.endsWith(after);
      if (isOther || name.length <= before.length + after.length) return undefined;
      return name.slice(before.length, name.length - after.length);
    },
  });
}

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
