/**
 * What a terminal or a log takes for more than text: control characters other than tabs and newlines, the line ends of
 * Unicode, and marks that turn the direction of what follows (UAX #9, Bidi_Control).
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const BREAKS = /[\t\n]/g;

/** A text that another one wrote, with its control characters shown as JSON writes them. JSON keeps its meaning. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(CONTROLS, codeOf);
}

/** The same on one line: a name in a list starts no further row of it. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll(BREAKS, codeOf);
}

/** The same in a message of ours: a bar stands before all lines but the first, so that none of them looks like ours. */
export function quotedText(text: string): string {
  return visibleText(text).replaceAll('\n', '\n  | ');
}

/** The same as one entry of a log: all lines but the first are indented, so that none of them looks like an entry. */
export function logEntry(text: string): string {
  return visibleText(text).replaceAll('\t', codeOf).replaceAll('\n', '\n  ');
}

const PLAIN = /^[!#-<>-~]+$/;

/** A text as a member of a log entry: in quotes unless it is one word that cannot be taken for several members. */
export function logWord(text: string): string {
  return PLAIN.test(text) ? text : visibleText(JSON.stringify(text));
}

const MEMBER = /(?<=\s[\w.-]+)=/g;

/** A text that stands before or between the members of a log entry, without what looks like one of them. */
export function withoutMembers(text: string): string {
  return text.replaceAll(MEMBER, codeOf);
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
