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
