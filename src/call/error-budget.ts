import { Buffer } from 'node:buffer';
import { sayFurther } from '../shared/listing.ts';

/*
 * How much a client is sent when a call fails, whatever it sent itself. All bytes are those of JSON, which writes some
 * characters with six.
 */

/** All error texts of one answer together, those of its `_meta` included. */
export const MAX_ERROR_BYTES = 16 * 1024;
/** An error result that a handler writes itself. */
export const MAX_ERROR_RESULT_BYTES = 48 * 1024;
/** Such a result with its `_meta`; the rest of 64 KiB is for the message around it. */
export const MAX_ANSWER_BYTES = 62 * 1024;
/** One issue. */
export const MAX_ISSUE_BYTES = 1024;
/** The message of an error. It is sent twice: in the text, and in `_meta`. */
const MAX_MESSAGE_BYTES = 7 * 1024;
/** All issues, as often as they are written: as message, as lines, and in `_meta`. The rest is for names. */
export const MAX_ISSUES_BYTES = 14 * 1024;
/** The names of tools or actions that a call may choose from. They are sent three times. */
const MAX_NAMES_BYTES = 3 * 1024;
/** What an author adds to an error, as data. */
const MAX_DETAILS_BYTES = 32 * 1024;
/** Any other text of an error. */
export const MAX_FACT_BYTES = 400;
/** The quotes of a name in a list, and what parts it from the next one. */
const NAME_OVERHEAD = 4;

/** The bytes of a text in JSON, without its quotes. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The beginning of a text; where it was cut, it ends with `…`. */
export function cutToBytes(text: string, most: number): string {
  if (text.length <= most && jsonBytes(text) <= most) return text;
  let left = most - jsonBytes('…');
  let kept = '';
  for (const character of text.slice(0, most)) {
    left -= jsonBytes(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

/** As many of the names as there is room for; where there are more, their number comes last. */
export function fitNames(names: readonly string[], most = MAX_NAMES_BYTES): readonly string[] {
  let left = most;
  const isTooMuch = (name: string): boolean => (left -= jsonBytes(name) + NAME_OVERHEAD) < 0;
  const end = names.findIndex(isTooMuch);
  if (end < 0) return names;
  // The names before it make room for the number
  const kept = names.slice(0, Math.max(0, end - 2));
  return [...kept, sayFurther(names.length - kept.length)];
}

/** The message of an error. */
export function boundMessage(message: string): string {
  return cutToBytes(message, MAX_MESSAGE_BYTES);
}

/** Any other fact of an error that is one text. */
export function boundFact(text: string): string {
  return cutToBytes(text, MAX_FACT_BYTES);
}

/** What an author adds to an error; of what is too large, its size. */
export function boundDetails(details: unknown): unknown {
  const json: string | undefined = details === undefined ? undefined : JSON.stringify(details);
  const size = Buffer.byteLength(json ?? '');
  return size <= MAX_DETAILS_BYTES ? details : `[left out: ${String(size)} bytes]`;
}

/** A text that stands beside `others`, which are sent as well. */
export function boundText(text: string, others: object): string {
  const room = MAX_ERROR_BYTES - Buffer.byteLength(JSON.stringify(others));
  return cutToBytes(text, Math.max(room, MAX_ISSUE_BYTES));
}
