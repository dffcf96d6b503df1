/** A template of RFC 6570, levels 1 to 3: every variable is one text. */
export interface UriTemplate {
  readonly text: string;
  /** In order of appearance. */
  readonly variables: readonly string[];
  /** The decoded variables of a URI that fits as a whole; those that it leaves out are missing. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

type Operator = keyof typeof STYLES;

/** A literal has no operator. */
type Node =
  | { readonly operator: undefined; readonly text: string }
  | { readonly operator: Operator; readonly names: readonly string[] };

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;
const NAME = /^(?:\w|%[\da-f]{2})+(?:\.(?:\w|%[\da-f]{2})+)*$/i;
const MODIFIER = /(?:\*|:\d+)$/;

/**
 * Reads a template.
 *
 * @throws SyntaxError that says in one sentence what is wrong with it, or why no URI could be matched with it.
 */
export function parseUriTemplate(text: string): UriTemplate {
  const nodes = joinForms(readNodes(text));
  const variables = nodes.flatMap((node) => (node.operator === undefined ? [] : node.names));
  const twice = variables.find((name, index) => variables.indexOf(name) !== index);
  if (twice !== undefined) throw new SyntaxError(`The variable "${twice}" stands in it twice.`);
  const pieces = nodes.map((node) =>
    node.operator === undefined ? literalPiece(node.text) : expressionPiece(node.operator, node.names),
  );
  return Object.freeze({
    text,
    variables: Object.freeze(variables),
    match: (uri: string) => matchPieces(pieces, uri),
  });
}

/**
 * The URI without the parameters of its query that a template with a query of its own does not have: links carry some that
 * others added. Undefined where nothing is left out.
 */
export function withoutUnknownQuery({ text, variables }: UriTemplate, uri: string): string | undefined {
  const [, base, query] = /^([^?#]*)\?([^#]*)$/.exec(uri) ?? [];
  if (base === undefined || query === undefined || !/\{[?&]/.test(text)) return undefined;
  const pairs = query.split('&');
  const known = pairs.filter((pair) => {
    const [name] = readPair(pair);
    return variables.includes(name) || text.includes(`${name}=`);
  });
  if (known.length === pairs.length) return undefined;
  return known.length === 0 ? base : `${base}?${known.join('&')}`;
}

function readNodes(text: string): readonly Node[] {
  const nodes: Node[] = [];
  let end = 0;
  const addLiteral = (literal: string): void => {
    if (/[{}]/.test(literal)) {
      throw new SyntaxError('A brace in it opens or closes nothing; a brace as such is written %7B or %7D.');
    }
    if (literal !== '') nodes.push({ operator: undefined, text: literal });
  };
  for (const { 0: expression, 1: operator = '', 2: list = '', index } of text.matchAll(EXPRESSION)) {
    addLiteral(text.slice(end, index));
    nodes.push({ operator: operator as Operator, names: list.split(',').map(readName) });
    end = index + expression.length;
  }
  addLiteral(text.slice(end));
  return nodes;
}

function readName(variable: string): string {
  const name = variable.replace(MODIFIER, '');
  if (!NAME.test(name)) {
    throw new SyntaxError(`"${variable}" cannot be the name of a variable: letters, digits, _ and dots can.`);
  }
  if (name !== variable) {
    throw new SyntaxError(
      `"${variable}" stands for a list or the beginning of a value, but a variable is one whole text.`,
    );
  }
  return name;
}

/** Reads `{?a}{&b}` as `{?a,b}`, for named values come in any order. */
function joinForms(nodes: readonly Node[]): readonly Node[] {
  const joined: Node[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.operator === '&' && (last?.operator === '?' || last?.operator === '&')) {
      joined[joined.length - 1] = { operator: last.operator, names: [...last.names, ...node.names] };
    } else joined.push(node);
  }
  return joined;
}

function matchPieces(pieces: readonly Piece[], uri: string): Readonly<Record<string, string>> | undefined {
  try {
    const units = unitsOfUri(uri);
    // Encoded separators stay encoded until the URI has been taken apart
    const found = units === undefined ? undefined : matchChunks(pieces, units);
    if (found === undefined) return undefined;
    const values: [string, string][] = [];
    for (const piece of pieces) {
      const pairs = piece.read(found);
      if (pairs === undefined) return undefined;
      for (const [name, encoded] of pairs) values.push([name, decodeURIComponent(encoded)]);
    }
    return Object.freeze(Object.fromEntries(values));
  } catch (error) {
    // Triplets that are not UTF-8, or half an emoji
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** What a literal or an expression fits when a URI is matched. */
interface Piece extends Part {
  /** Names and encoded values; undefined when what was found is not a list of the expression's variables. */
  readonly read: (found: ReadonlyMap<Chunk, string>) => readonly (readonly [string, string])[] | undefined;
}

interface Style {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  readonly isOptional: boolean;
  /** What no value contains unless it is percent-encoded. */
  readonly excluded: string;
}

const LIST: Style = { first: '', separator: ',', isNamed: false, isOptional: false, excluded: '' };
const SEGMENT = { isNamed: false, isOptional: true, excluded: '/?#' };
const FORM = { separator: '&', isNamed: true, isOptional: true, excluded: '#' };

/** RFC 6570, appendix A. */
const STYLES = {
  '': { ...LIST, excluded: '/?#' },
  '+': LIST,
  '#': { ...LIST, first: '#', isOptional: true },
  '.': { ...SEGMENT, first: '.', separator: '.' },
  '/': { ...SEGMENT, first: '/', separator: '/' },
  ';': { ...SEGMENT, first: ';', separator: ';', isNamed: true },
  '?': { ...FORM, first: '?' },
  '&': { ...FORM, first: '&' },
} as const satisfies Readonly<Record<string, Style>>;

function literalPiece(text: string): Piece {
  const chunk = { prefix: unitsOf(encodeLiteral(text)), accepts: undefined };
  return { chunks: [chunk], isOptional: false, read: () => [] };
}

function expressionPiece(operator: Operator, names: readonly string[]): Piece {
  const style: Style = STYLES[operator];
  const matching = style.isNamed ? namedValues(names, style) : listedValues(names, style);
  return { ...matching, isOptional: style.isOptional };
}

function listedValues(
  names: readonly string[],
  { first, separator, excluded }: Style,
): Pick<Piece, 'chunks' | 'read'> {
  const refused = names.length > 1 ? excluded + separator : excluded;
  const chunks = names.map((_, index) => ({
    prefix: unitsOf(index === 0 ? first : separator),
    accepts: (unit: string) => !refused.includes(unit),
  }));
  const read: Piece['read'] = (found) =>
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
): Pick<Piece, 'chunks' | 'read'> {
  const chunk: Chunk = { prefix: [first], accepts: (unit) => !excluded.includes(unit) };
  const read: Piece['read'] = (found) => {
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

/** A fixed text, and after it the value of a variable unless `accepts` is undefined. */
interface Chunk {
  /** Characters or percent-encoded triplets. */
  readonly prefix: readonly string[];
  /** What a value may consist of; it has one unit at least. */
  readonly accepts: ((unit: string) => boolean) | undefined;
}

/** Chunks that follow each other; of optional ones the last may be missing, or the last two, and so on. */
interface Part {
  readonly chunks: readonly Chunk[];
  readonly isOptional: boolean;
}

type Units = readonly string[];
/** Where a chunk may begin or end: one flag for each place before, between and after units. */
type Places = readonly boolean[];

/**
 * The values in a whole text, by their chunks; an earlier value takes as much as it can.
 * Sets of places instead of a regular expression: for `{y}-{m}-{d}` that one takes a time that grows
 * with the third power of the length, and the text is a client's.
 */
function matchChunks(parts: readonly Part[], units: Units): ReadonlyMap<Chunk, string> | undefined {
  let places: Places = Array.from({ length: units.length + 1 }, (_, place) => place === 0);
  const passed = parts.map((part) => {
    const stops = [places];
    for (const chunk of part.chunks) stops.push(advance(chunk, stops.at(-1) ?? [], units));
    places = part.isOptional
      ? places.map((_, place) => stops.some((stop) => stop[place]))
      : (stops.at(-1) ?? []);
    return { part, stops };
  });
  if (places.at(-1) !== true) return undefined;

  const values = new Map<Chunk, string>();
  let end = units.length;
  for (const { part, stops } of passed.reverse()) {
    for (let count = stops.findLastIndex((stop) => stop[end]); count > 0; count -= 1) {
      const chunk = part.chunks[count - 1];
      if (chunk === undefined) continue;
      const start = valueStart(chunk, stops[count - 1] ?? [], end, units);
      if (chunk.accepts !== undefined) values.set(chunk, units.slice(start, end).join(''));
      end = start - chunk.prefix.length;
    }
  }
  return values;
}

/** The places that a chunk leads to. */
function advance(chunk: Chunk, from: Places, units: Units): Places {
  const starts = from.map((_, place) => isAfterPrefix(chunk, from, place, units));
  if (chunk.accepts === undefined) return starts;
  let isInside = false;
  return starts.map((_, place) => {
    const unit = units[place - 1];
    isInside =
      unit !== undefined && chunk.accepts?.(unit) === true && (isInside || starts[place - 1] === true);
    return isInside;
  });
}

/** Where the value of a chunk that ends at `end` begins; the nearest one, so that earlier values are longer. */
function valueStart(chunk: Chunk, from: Places, end: number, units: Units): number {
  if (chunk.accepts === undefined) return end;
  let start = end - 1;
  while (start > 0 && !isAfterPrefix(chunk, from, start, units)) start -= 1;
  return start;
}

function isAfterPrefix({ prefix }: Chunk, from: Places, place: number, units: Units): boolean {
  const start = place - prefix.length;
  return from[start] === true && prefix.every((unit, index) => units[start + index] === unit);
}

/** Reserved characters and percent-encoded triplets stay as they are (RFC 6570, 3.1). */
function encodeLiteral(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/%(?![0-9A-Fa-f]{2})|[^%\w.~:/?#[\]@!$&'()*+,;=-]+/g, encodeURIComponent);
}

/** The characters and percent-encoded triplets of a text; triplets mean the same in either case (RFC 3986, 6.2.2.1). */
function unitsOf(text: string): readonly string[] {
  const upper = text.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase());
  return upper.match(/%[0-9A-F]{2}|[^%]|%/gu) ?? [];
}

/**
 * The units of a whole URI; undefined when it contains what no URI does.
 *
 * @throws URIError when it contains half an emoji.
 */
function unitsOfUri(uri: string): readonly string[] | undefined {
  const units = unitsOf(uri.replace(/[^\0-\x7F]+/g, encodeURIComponent));
  return units.every((unit) => /^(?:%..|[!-$&-~])$/.test(unit)) ? units : undefined;
}
