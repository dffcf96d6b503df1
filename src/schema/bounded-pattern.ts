import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { AutomatonMemory } from './automaton-memory.ts';
import { translatePattern } from './translate-pattern.ts';

/** A regular expression of an author, for texts of strangers. */
export interface BoundedPattern {
  readonly test: (text: string) => boolean;
  /** False where nothing but the backtracking engine can read it, and a text may hold that up for long. */
  readonly isBounded: boolean;
}

// A step is an attempt to go on from one place of the text: some 20 ns.
const MOST_STEPS = 1_000_000;
/** No request holds longer texts. */
const LONGEST_TEXT = 2 ** 26;

/**
 * Runs a regular expression on V8 for texts so short that backtracking cannot take long, whatever they hold, and on
 * RE2 for longer ones. What RE2 cannot read (look-around, back-references, most flags) stays on V8.
 */
export function boundPattern(expression: RegExp, longestText = LONGEST_TEXT): BoundedPattern {
  const longest = longestSafe(expression);
  const native = (text: string): boolean => expression.test(text);
  if (longest >= longestText) return { test: native, isBounded: true };
  const linear = linearPattern(expression);
  if (linear === undefined) return { test: native, isBounded: false };
  return { test: (text) => (text.length <= longest ? native(text) : linear(text)), isBounded: true };
}

/** The same on RE2, which takes time in proportion to the text; undefined for what it cannot read, or reads otherwise. */
export function linearPattern({ source, flags }: RegExp): ((text: string) => boolean) | undefined {
  if (!/^(?:d?i?|d?u)$/.test(flags)) return undefined;
  const translated = TAKEN.test(source) || isFolded(source, flags) ? undefined : translatePattern(source);
  if (translated === undefined) return undefined;
  let compiled: RE2JS;
  try {
    compiled = compile(translated, flags);
  } catch {
    return undefined;
  }
  const memory = new AutomatonMemory();
  if (flags.includes('u')) return (text) => memory.test(compiled, text);
  // without `u`, `\u{4}` and `\p{L}` mean repeated letters
  if (/\\(?:u\{|[pP])/.test(source)) return undefined;
  return (text) => memory.test(compiled, text.replace(OTHERWISE_READ, apart));
}

/** Where {@link apart} puts characters: an expression that names one of these is left alone. */
const TAKEN = /[\ud800-\ue8ff]|\\u\{?0*[dDeE]/;
/** Halves of pairs, which RE2 reads together, and the two that it takes for `s` and `k` where case does not count. */
const OTHERWISE_READ = /[\ud800-\udfff\u017f\u212a]/g;

/** To where nothing is a letter, a digit or a space, and no expression looks. */
function apart(character: string): string {
  if (character === '\u017f') return '\ue800';
  return character === '\u212a' ? '\ue801' : String.fromCharCode(character.charCodeAt(0) + 0x800);
}

/** Beyond ASCII, `i` knows other pairs of letters than RE2. */
function isFolded(source: string, flags: string): boolean {
  return flags.includes('i') && !/^(?:[\x00-\x7f](?<!\\[ux]))*$/.test(source);
}

/** Loaded when the first pattern needs it: most applications have none. */
let engine: typeof RE2JS | undefined;

function compile(translated: string, flags: string): RE2JS {
  engine ??= (createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS;
  return engine.compile(translated, flags.includes('i') ? engine.CASE_INSENSITIVE : 0);
}

/** The ways in which a text can be matched: the choices multiply, and a repetition without end may stop anywhere. */
interface Piece {
  readonly choices: number;
  /** Repetitions without end. */
  readonly open: number;
  /** Characters that it reads, those of repetitions without end left out. */
  readonly length: number;
}

interface Group {
  choices: number;
  open: number;
  length: number;
  branches: number;
  /** What a repetition would repeat. */
  last: Piece | undefined;
}

/** A piece of a pattern: a character, a class, the beginning or the end of a group, a repetition. */
export const PATTERN_TOKEN =
  /\\(?:u\{[^}]*\}|[pPk][{<][^}>]*[}>]|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\{\d+(?:,\d*)?\}|[^]/gu;
const REPEAT = /^\{(\d+)(?:,(\d*))?\}$/;
const CHARACTER: Piece = { choices: 1, open: 0, length: 1 };
/** Above it, what counts is no longer whether there are choices but how many. */
const FEW_CHOICES = 8;

/**
 * The longest text for which an expression takes few steps, whatever the text holds. The steps are estimated from
 * above, often far: they are a power of the length, and without bound where what has several ways is repeated.
 */
export function longestSafe({ source, flags }: Pick<RegExp, 'source' | 'flags'>): number {
  const ways = waysOf(source.match(PATTERN_TOKEN) ?? []);
  if (ways === undefined) return 0;
  const isAnchored = source.startsWith('^') && !flags.includes('m') && ways.branches === 1;
  const exponent = ways.open + (isAnchored ? 0 : 1);
  const steps = ways.choices * (isAnchored ? 1 : Math.max(1, ways.length));
  if (exponent <= 1 && steps <= FEW_CHOICES) return LONGEST_TEXT;
  return Math.floor((MOST_STEPS / steps) ** (1 / Math.max(1, exponent)));
}

/** Undefined where a repetition repeats what has several ways, or where something refers back. */
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
  if (open > 0 || all > MOST_STEPS) return false;
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

/** False where each turn would multiply the ways of what is repeated. */
function repeat(group: Group, token: string, { least, most }: Turns): boolean {
  const { last } = group;
  group.last = undefined;
  // behind a repetition it makes that lazy, which changes nothing here
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
export function readTurns(token: string): Turns | undefined {
  if (token === '?') return { least: 0, most: 1 };
  if (token === '*' || token === '+') return { least: token === '*' ? 0 : 1, most: Number.POSITIVE_INFINITY };
  const [repeat, least = '0', most = least] = REPEAT.exec(token) ?? [];
  if (repeat === undefined) return undefined;
  return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) };
}
