import { shownArguments } from '../../compile/stages/bound-arguments.ts';
import type { Attempt } from '../../kernel/call/attempt.ts';
import type { StagedCallable } from '../../kernel/call/stage.ts';
import { REDACTED } from '../../errors/redact.ts';
import { compareText } from '../../shared/canonical-json.ts';
import { membersOf } from '../../shared/json.ts';

/** What a question is made of. */
type Asked = Pick<Attempt, 'input' | 'common' | 'place'>;
type Described = Pick<StagedCallable, 'title' | 'description'>;

/** Characters of one value, and of what an action does. */
const LONGEST = 200;
const MOST_LINES = 20;
/** Characters of a text that are looked at: some of them are left out. */
const LONGEST_SEEN = 2000;

/** What a client could show as markup, and what could end the quotes. */
const MARKUP = /[\\"<>&`[\]*~|]/g;
/** What makes a link of the text after it. */
const LINK = /:(?=\/\/)|(?<=\bwww)\.|(?<=\b(?:javascript|data|mailto|tel|file|vbscript)):/gi;
const PIECE = /\\u[0-9a-f]{4}|./gsu;

/**
 * Asks whether a call may run, in words that are the same each time. What comes from its arguments is quoted, cut, and
 * free of markup and links, so that it cannot pass for a part of the question.
 */
export function consentQuestion({ place, input, common }: Asked, described: Described = {}): string {
  const { tool, name, version } = place;
  const called = version === undefined ? name : `${name} ${version}`;
  const args = shownArguments({ input, common });
  const shown: string[] = [];
  for (const line of linesOf(args)) {
    shown.push(line);
    if (shown.length === MOST_LINES) break;
  }
  const more = countValues(args) - shown.length;
  return [
    `Allow "${called}" of "${tool ?? ''}"${purposeOf(described)}? You may not be able to undo it.`,
    ...shown,
    ...(more > 0 ? [`(and ${String(more)} more values)`] : []),
  ].join('\n');
}

/** What the author says that an action does: its title, or the first sentence of its description. */
function purposeOf({ title, description = '' }: Described): string {
  const [sentence = ''] = (title ?? description).trim().split(/[.!?]\s|\n/, 1);
  return sentence === '' ? '' : ` (${sentence.replace(/\.$/, '').slice(0, LONGEST)})`;
}

/** One line for each value, however deep it is, in an order that is the same each time. */
function* linesOf(value: unknown, path = ''): Generator<string> {
  const members = membersOf(value);
  const names = Array.isArray(value) ? Object.keys(members) : Object.keys(members).sort(compareText);
  if (names.length === 0 && path !== '') yield `${path}: ${shownValue(value)}`;
  for (const name of names) {
    yield* linesOf(members[name], path === '' ? quoteArgument(name) : longerPath(path, name));
  }
}

/** A path is no longer than a value; what is deeper has the beginning of its path. */
function longerPath(path: string, name: string): string {
  if (path.length > LONGEST) return path;
  const longer = `${path}.${quoteArgument(name)}`;
  return longer.length > LONGEST ? `${longer.slice(0, LONGEST).replace(CUT_CHARACTER, '')}…` : longer;
}

/** What is left of a character that was cut in two, or of its escape. */
const CUT_CHARACTER = /(?:[\uD800-\uDBFF]|\\(?:u[0-9a-f]{0,3})?)$/;

/** The lines that there would be. They are counted and not made: a caller can send a hundred thousand. */
function countValues(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const inner = Object.values(membersOf(open.pop()));
    if (inner.length === 0) count += 1;
    for (const one of inner) open.push(one);
  }
  return Object.keys(membersOf(value)).length === 0 ? 0 : count;
}

function shownValue(value: unknown): string {
  if (value === REDACTED) return REDACTED;
  return typeof value === 'string' ? `"${quoteArgument(value)}"` : JSON.stringify(value);
}

/** A text of somebody else as a part of a question. */
export function quoteArgument(text: string): string {
  const seen = text
    .slice(0, LONGEST_SEEN)
    .replace(/[^\S\ufeff]+/g, ' ')
    // What nobody sees, or what changes how the text around it is shown; V8 collects these characters here, not at start-up
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu, '')
    .slice(0, LONGEST + 1);
  const pieces = seen.replace(MARKUP, escaped).replace(LINK, escaped).match(PIECE) ?? [];
  let shown = '';
  for (const piece of pieces) {
    if (shown.length + piece.length >= LONGEST) return `${shown}…`;
    shown += piece;
  }
  return text.length > LONGEST_SEEN ? `${shown}…` : shown;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
