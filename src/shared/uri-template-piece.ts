import type { Chunk, Part } from './match-chunks.ts';
import { encodeAll, encodeKeepingReserved, unitsOf } from './uri-encoding.ts';

/** What stands for something else when a template is expanded, and what it fits when a URI is matched. */
export interface TemplatePiece extends Part {
  readonly expand: (values: TemplateValues) => string;
  /** Names and encoded values; undefined when what was found is not a list of the expression's variables. */
  readonly read: (found: ReadonlyMap<Chunk, string>) => readonly (readonly [string, string])[] | undefined;
}

export type TemplateValues = Readonly<Record<string, string | undefined>>;
export type TemplateOperator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

interface Style {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  readonly isOptional: boolean;
  /** What no value contains unless it is percent-encoded. */
  readonly excluded: string;
  readonly encode: (value: string) => string;
}

const LIST = { first: '', separator: ',', isNamed: false, isOptional: false };
const SEGMENT = { isNamed: false, isOptional: true, excluded: '/?#', encode: encodeAll };
const FORM = { separator: '&', isNamed: true, isOptional: true, excluded: '#', encode: encodeAll };

/** RFC 6570, appendix A. */
const STYLES: Readonly<Record<TemplateOperator, Style>> = {
  '': { ...LIST, excluded: '/?#', encode: encodeAll },
  '+': { ...LIST, excluded: '', encode: encodeKeepingReserved },
  '#': { ...LIST, first: '#', isOptional: true, excluded: '', encode: encodeKeepingReserved },
  '.': { ...SEGMENT, first: '.', separator: '.' },
  '/': { ...SEGMENT, first: '/', separator: '/' },
  ';': { ...SEGMENT, first: ';', separator: ';', isNamed: true },
  '?': { ...FORM, first: '?' },
  '&': { ...FORM, first: '&' },
};

export function literalPiece(text: string): TemplatePiece {
  const chunk = { prefix: unitsOf(text), accepts: undefined };
  return { chunks: [chunk], isOptional: false, expand: () => text, read: () => [] };
}

export function expressionPiece(operator: TemplateOperator, names: readonly string[]): TemplatePiece {
  const style = STYLES[operator];
  const matching = style.isNamed ? namedValues(names, style) : listedValues(names, style);
  return { ...matching, isOptional: style.isOptional, expand: (values) => expandList(names, values, style) };
}

function listedValues(
  names: readonly string[],
  { first, separator, excluded }: Style,
): Pick<TemplatePiece, 'chunks' | 'read'> {
  const refused = names.length > 1 ? excluded + separator : excluded;
  const chunks = names.map((_, index) => ({
    prefix: unitsOf(index === 0 ? first : separator),
    accepts: (unit: string) => !refused.includes(unit),
  }));
  const read: TemplatePiece['read'] = (found) =>
    names.flatMap((name, index) => {
      const chunk = chunks[index];
      const value = chunk === undefined ? undefined : found.get(chunk);
      return value === undefined ? [] : [[name, value]];
    });
  return { chunks, read };
}

/** Named values come in any order, so they are taken apart after the rest has been matched. */
function namedValues(
  names: readonly string[],
  { first, separator, excluded }: Style,
): Pick<TemplatePiece, 'chunks' | 'read'> {
  const chunk: Chunk = { prefix: [first], accepts: (unit) => !excluded.includes(unit) };
  const read: TemplatePiece['read'] = (found) => {
    const pairs = found.get(chunk)?.split(separator).map(readPair) ?? [];
    const isKnown = pairs.every(([name]) => names.includes(name));
    return isKnown && new Set(pairs.map(([name]) => name)).size === pairs.length ? pairs : undefined;
  };
  return { chunks: [chunk], read };
}

function readPair(pair: string): readonly [string, string] {
  const end = pair.indexOf('=');
  return end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
}

function expandList(
  names: readonly string[],
  values: TemplateValues,
  { first, separator, isNamed, encode }: Style,
): string {
  const items = names.flatMap((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return [];
    const encoded = encode(value);
    if (!isNamed) return [encoded];
    return [separator === ';' && encoded === '' ? name : `${name}=${encoded}`];
  });
  return items.length === 0 ? '' : first + items.join(separator);
}
