import { canonicalArguments } from '../../compile/stages/bound-arguments.ts';
import type { CallPlace } from '../../compile/stages/stages.ts';

/** Characters of one value. */
const LONGEST = 200;
const MOST_LINES = 20;

/** What nobody sees, or what changes how the text around it is shown. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;
/** What a client could show as markup, and what could end the quotes. */
const MARKUP = /[\\"<>&`[\]*~|]/g;
/** What makes a link of the text after it. */
const LINK = /:(?=\/\/)|(?<=\bwww)\.|(?<=\b(?:javascript|data|mailto|tel|file|vbscript)):/gi;
const PIECE = /\\u[0-9a-f]{4}|./gsu;

/**
 * Asks whether a call may run, in words that are the same each time. What comes from its arguments is quoted, cut, and
 * free of markup and links, so that it cannot pass for a part of the question.
 */
export function consentQuestion({ tool, name, version }: CallPlace, input: unknown): string {
  const called = version === undefined ? name : `${name} ${version}`;
  const lines = [...linesOf(JSON.parse(canonicalArguments({ input: input ?? {} })))];
  const shown = lines.slice(0, MOST_LINES);
  const more = lines.length - shown.length;
  return [
    `May "${called}" of "${tool ?? ''}" run? It may destroy something.`,
    ...shown,
    ...(more > 0 ? [`(and ${String(more)} more values)`] : []),
  ].join('\n');
}

/** One line for each value, however deep it is. */
function* linesOf(value: unknown, path = ''): Generator<string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length > 0) {
    for (const [name, member] of members) {
      const shown = shownText(name);
      yield* linesOf(member, path === '' ? shown : `${path}.${shown}`);
    }
  } else if (path !== '') yield `${path}: ${shownValue(value)}`;
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? `"${shownText(value)}"` : JSON.stringify(value);
}

/** A text of somebody else as a part of a question. */
export function shownText(text: string): string {
  const seen = text
    .replace(/[^\S\ufeff]+/g, ' ')
    .replace(UNSEEN, '')
    .slice(0, LONGEST + 1);
  const pieces = seen.replace(MARKUP, escaped).replace(LINK, escaped).match(PIECE) ?? [];
  let shown = '';
  for (const piece of pieces) {
    if (shown.length + piece.length >= LONGEST) return `${shown}…`;
    shown += piece;
  }
  return shown;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
