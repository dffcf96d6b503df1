// A step is an attempt to continue from one place of the text: some 20 ns.
const MAX_STEPS = 1_000_000;
/** No request holds longer texts. */
export const LONGEST_TEXT = 2 ** 26;

/** The ways in which a text can be matched: choices multiply, and an unbounded repetition may stop anywhere. */
interface Piece {
  readonly choices: number;
  /** The number of unbounded repetitions. */
  readonly open: number;
  /** The number of characters that it reads, without those of unbounded repetitions. */
  readonly length: number;
}

interface Group {
  choices: number;
  open: number;
  length: number;
  branches: number;
  /** The piece that a following repetition would repeat. */
  last: Piece | undefined;
}

/** A piece of a pattern: a character, a class, the beginning or the end of a group, a repetition. */
const PATTERN_TOKEN =
  /\\(?:u\{[^}]*\}|[pPk][{<][^}>]*[}>]|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\{\d+(?:,\d*)?\}|[^]/gu;
const REPEAT = /^\{(\d+)(?:,(\d*))?\}$/;
const CHARACTER: Piece = { choices: 1, open: 0, length: 1 };
/** Above this number of choices, their number counts, not only their existence. */
const FEW_CHOICES = 8;

/**
 * The longest text for which an expression takes few steps, whatever the text contains. The estimate is an upper
 * bound, often far too high: a power of the length, and unbounded if a piece with several ways is repeated.
 */
export function longestSafe({ source, flags }: Pick<RegExp, 'source' | 'flags'>): number {
  const ways = waysOf(source.match(PATTERN_TOKEN) ?? []);
  if (ways === undefined) return 0;
  const isAnchored = source.startsWith('^') && !flags.includes('m') && ways.branches === 1;
  const exponent = ways.open + (isAnchored ? 0 : 1);
  const steps = ways.choices * (isAnchored ? 1 : Math.max(1, ways.length));
  if (exponent <= 1 && steps <= FEW_CHOICES) return LONGEST_TEXT;
  return Math.floor((MAX_STEPS / steps) ** (1 / Math.max(1, exponent)));
}

/** Undefined if a repetition repeats a piece with several ways, or if there is a back-reference. */
function waysOf(tokens: readonly string[]): Group | undefined {
  const outer: Group[] = [];
  let group = begin();
  for (const token of tokens) {
    if (/^\\[1-9k]/.test(token)) return undefined;
    if (token.startsWith('(')) {
      outer.push(group);
      group = begin();
    } else if (token === ')') {
      const closed = group;
      const around = outer.pop();
      if (around === undefined) return undefined;
      group = around;
      add(group, { ...closed, choices: closed.choices * closed.branches });
    } else if (token === '|') {
      group.branches += 1;
      group.last = undefined;
    } else {
      const turns = readTurns(token);
      if (turns === undefined) add(group, CHARACTER);
      else if (!repeat(group, token, turns)) return undefined;
    }
  }
  return outer.length === 0 ? { ...group, choices: group.choices * group.branches } : undefined;
}

/** Few turns of few choices can be counted. */
function multiply(group: Group, { choices, open }: Piece, times: number): boolean {
  const all = choices ** (times - 1);
  if (open > 0 || all > MAX_STEPS) return false;
  group.choices *= all;
  return true;
}

function begin(): Group {
  return { choices: 1, open: 0, length: 0, branches: 1, last: undefined };
}

function add(group: Group, piece: Piece): void {
  group.choices *= piece.choices;
  group.open += piece.open;
  group.length += piece.length;
  group.last = piece;
}

/** False if each turn would multiply the ways of the repeated piece. */
function repeat(group: Group, token: string, { least, most }: Turns): boolean {
  const { last } = group;
  group.last = undefined;
  // after a repetition it makes the repetition lazy, which changes nothing here
  if (last === undefined) return token === '?';
  const hasWays = last.choices > 1 || last.open > 0;
  if (hasWays && most > 1 && !multiply(group, last, most)) return false;
  if (most === Number.POSITIVE_INFINITY) group.open += 1;
  else {
    group.choices *= most - least + 1;
    group.length += last.length * Math.max(0, most - 1);
  }
  return true;
}

/** How often something is repeated. */
interface Turns {
  readonly least: number;
  readonly most: number;
}

/** Undefined for a piece that repeats nothing. */
function readTurns(token: string): Turns | undefined {
  if (token === '?') return { least: 0, most: 1 };
  if (token === '*' || token === '+') return { least: token === '*' ? 0 : 1, most: Number.POSITIVE_INFINITY };
  const [repeat, least = '0', most = least] = REPEAT.exec(token) ?? [];
  if (repeat === undefined) return undefined;
  return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) };
}

/** The properties of a sequence in a pattern that matter here. */
interface Element {
  /** It may match nothing. */
  readonly isOptional: boolean;
  /** It may be a single unbounded repetition. */
  readonly isLoop: boolean;
  /** It repeats such a loop, and no element that could fail has followed. */
  readonly isOpenEnded: boolean;
}

interface Reader {
  readonly tokens: readonly string[];
  place: number;
  isFound: boolean;
}

/**
 * True if a pattern has an unbounded repetition of an unbounded repetition, such as `(\w+\s?)*$`: a text of forty
 * characters can be divided between the two in 2^40 ways, and the engine of JavaScript tries them all. False does
 * not mean that a pattern is safe, but most other patterns are harmless.
 */
export function repeatsRepetition(source: string): boolean {
  const reader: Reader = { tokens: source.match(PATTERN_TOKEN) ?? [], place: 0, isFound: false };
  while (reader.place < reader.tokens.length) {
    readBranches(reader);
    reader.place += 1;
  }
  return reader.isFound;
}

/** Reads up to the end of a group. */
function readBranches(reader: Reader): Element {
  const branches = [readRow(reader)];
  while (reader.tokens[reader.place] === '|') {
    reader.place += 1;
    branches.push(readRow(reader));
  }
  return {
    isOptional: branches.some(({ isOptional }) => isOptional),
    isLoop: branches.some(({ isLoop }) => isLoop),
    isOpenEnded: branches.some(({ isOpenEnded }) => isOpenEnded),
  };
}

function readRow(reader: Reader): Element {
  const row: Element[] = [];
  for (let token = nextToken(reader); token !== undefined; token = nextToken(reader)) {
    const element = readElement(reader, token);
    if (!element.isOptional && row.some(({ isOpenEnded }) => isOpenEnded)) reader.isFound = true;
    row.push(element);
  }
  const needed = row.filter(({ isOptional }) => !isOptional);
  return {
    isOptional: needed.length === 0,
    isLoop: (needed.length === 0 ? row : needed.length === 1 ? needed : []).some(({ isLoop }) => isLoop),
    isOpenEnded: row.some(({ isOpenEnded }) => isOpenEnded),
  };
}

function nextToken(reader: Reader): string | undefined {
  const token = reader.tokens[reader.place];
  return token === ')' || token === '|' ? undefined : token;
}

const ATOM: Element = { isOptional: false, isLoop: false, isOpenEnded: false };

function readElement(reader: Reader, token: string): Element {
  reader.place += 1;
  let element = ATOM;
  if (token.startsWith('(')) {
    const inside = readBranches(reader);
    reader.place += 1;
    // look-around reads nothing, and can fail
    element = /^\(\?<?[=!]/.test(token) ? ATOM : inside;
  }
  const turns = readTurns(reader.tokens[reader.place] ?? '');
  if (turns === undefined) return element;
  reader.place += 1;
  if (reader.tokens[reader.place] === '?') reader.place += 1;
  const isEndless = turns.most === Number.POSITIVE_INFINITY;
  return {
    isOptional: element.isOptional || turns.least === 0,
    isLoop: element.isLoop || isEndless,
    isOpenEnded: element.isOpenEnded || (element.isLoop && isEndless),
  };
}
