import { isPlainObject, membersOf, type PlainObject } from '../../../../shared/json.ts';
import { type HttpExchange, type Passed, type Span, SPAN_KINDS, SPAN_STATES } from './span.ts';

/** A session as a file has it: JSON lines, the first of which says what it is. Each further line is a span. */
export interface SavedSession {
  readonly server: { readonly name: string; readonly version: string };
  /** ISO 8601. */
  readonly savedAt: string;
  readonly spans: readonly Span[];
}

/** Why a file is not opened, for a person. */
export class SessionFault extends Error {}

const FORMAT = 'toolwright-session';
const VERSION = 1;
/** In characters; a page that kept all it can is far below. */
export const LARGEST_SESSION = 64 * 1024 * 1024;
const MOST_SPANS = 10_000;
const DEEPEST = 200;
/** The last moment that a Date has. */
const LAST_TIME = 8.64e15;

export function writeSession({ server, savedAt, spans }: SavedSession): string {
  const lines = [{ format: FORMAT, version: VERSION, server, savedAt }, ...spans.map(withoutId)];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function withoutId({ id: _, ...span }: Span): object {
  return span;
}

/** @throws SessionFault for every text that {@link writeSession} did not write */
export function readSession(text: string): SavedSession {
  if (text.length > LARGEST_SESSION) throw new SessionFault('The file is too large for a session.');
  const [first = '', ...lines] = text.replace(/\n$/, '').split('\n');
  const { format, version, server, savedAt } = readLine(first, 1);
  if (format !== FORMAT)
    throw new SessionFault('The file is not a saved session: its first line says nothing of one.');
  if (version !== VERSION)
    throw new SessionFault(
      `The file has version ${String(version)} of the format; this page reads ${String(VERSION)}.`,
    );
  if (!isPlainObject(server) || typeof savedAt !== 'string') throw broken(1, 'it has no server or no time');
  const { name, version: release } = server;
  if (typeof name !== 'string' || typeof release !== 'string')
    throw broken(1, 'its server has no name or version');
  if (lines.length > MOST_SPANS)
    throw new SessionFault(`The file has more than ${String(MOST_SPANS)} spans.`);
  const spans = lines.map((line, index) => spanOf(readLine(line, index + 2), index));
  return { server: { name, version: release }, savedAt, spans };
}

function readLine(line: string, number: number): PlainObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw broken(number, 'it is not JSON');
  }
  if (!isPlainObject(value)) throw broken(number, 'it is not an object');
  if (isDeeper(value, DEEPEST)) throw broken(number, 'it is nested too deeply');
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function spanOf(line: PlainObject, index: number): Span {
  const { kind, method, subject, at, duration, state, status, client, messages } = line;
  const number = index + 2;
  if (!isOneOf(SPAN_KINDS, kind) || !isOneOf(SPAN_STATES, state))
    throw broken(number, 'it has no known kind or state');
  if (typeof method !== 'string' || typeof subject !== 'string')
    throw broken(number, 'its method or subject is not a text');
  if (!isTime(at)) throw broken(number, 'it has no time');
  if (!Array.isArray(messages)) throw broken(number, 'it has no list of messages');
  return {
    id: index + 1,
    kind,
    method,
    subject,
    at,
    state,
    messages: messages.map((passed) => passedOf(passed, number)),
    ...furtherOf({ duration, status, client }, number),
  };
}

/** What a span may have. */
function furtherOf(
  { duration, status, client }: PlainObject,
  number: number,
): Pick<Span, 'duration' | 'status' | 'client'> {
  if (duration !== undefined && !isTime(duration)) throw broken(number, 'its duration is not a number');
  if (!isTextOrNothing(status) || !isTextOrNothing(client))
    throw broken(number, 'its status or client is not a text');
  return {
    ...(duration === undefined ? {} : { duration }),
    ...(status === undefined ? {} : { status }),
    ...(client === undefined ? {} : { client }),
  };
}

function passedOf(value: unknown, number: number): Passed {
  if (!isPlainObject(value)) throw broken(number, 'a message is not an object');
  const { at, direction, message, http } = value;
  if (!isTime(at) || (direction !== 'sent' && direction !== 'received'))
    throw broken(number, 'a message has no time or no direction');
  if (http !== undefined && !isExchange(http)) throw broken(number, 'what HTTP said is not readable');
  return { at, direction, message, ...(http === undefined ? {} : { http }) };
}

function isExchange(value: unknown): value is HttpExchange {
  const { request, response } = membersOf(value);
  return [request, response].every((head) => {
    const { line, headers } = membersOf(head);
    return typeof line === 'string' && isPlainObject(headers);
  });
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= LAST_TIME;
}

function isTextOrNothing(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isOneOf<Known extends string>(known: readonly Known[], value: unknown): value is Known {
  return known.some((each) => each === value);
}

function broken(line: number, why: string): SessionFault {
  return new SessionFault(`Line ${String(line)} of the file cannot be read: ${why}.`);
}
