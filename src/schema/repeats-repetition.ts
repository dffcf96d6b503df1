import { PATTERN_TOKEN, readTurns } from './bounded-pattern.ts';

/** What stands in a row in a pattern, as far as it matters here. */
interface Element {
  /** It may match nothing. */
  readonly isOptional: boolean;
  /** It may be nothing but one repetition without end. */
  readonly isLoop: boolean;
  /** It repeats such a loop, and nothing that could fail has come after it. */
  readonly isOpenEnded: boolean;
}

interface Reader {
  readonly tokens: readonly string[];
  place: number;
  isFound: boolean;
}

/**
 * True where a pattern repeats without end what is itself a repetition without end, such as `(\w+\s?)*$`: a text of
 * forty characters can be divided among the two in 2^40 ways, and the engine of JavaScript tries them all. Nothing is
 * said of other patterns; most of them are harmless.
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
