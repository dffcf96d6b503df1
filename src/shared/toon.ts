import { encode } from '@toon-format/toon';

/** Encoding options of TOON; the delimiter is `|` unless set, which never needs quoting in prose. */
export interface ToonOptions {
  readonly delimiter?: ',' | '\t' | '|';
  readonly indent?: number;
}

/** Encodes a value as TOON (Token-Oriented Object Notation); uniform rows become a table. */
export function encodeToon(value: unknown, options: ToonOptions = {}): string {
  return encode(value, { delimiter: '|', ...options });
}
