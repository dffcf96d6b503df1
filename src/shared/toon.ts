import { encode } from '@toon-format/toon';
import { oneOf, wholeNumber, type OptionRules } from './option-rules.ts';

/** Encoding options of TOON; the delimiter is `|` unless set, which never needs quoting in prose. */
export interface ToonOptions {
  /** Stands between the cells of a row. Default `,`. */
  readonly delimiter?: ',' | '\t' | '|';
  /** Spaces by which each level is indented. Default 2. */
  readonly indent?: number;
}

export const TOON_RULES: OptionRules<ToonOptions> = {
  delimiter: oneOf(',', '\t', '|'),
  indent: wholeNumber(1, 16),
};

/** Encodes a value as TOON (Token-Oriented Object Notation); uniform rows become a table. */
export function encodeToon(value: unknown, options: ToonOptions = {}): string {
  return encode(value, { delimiter: '|', ...options });
}
