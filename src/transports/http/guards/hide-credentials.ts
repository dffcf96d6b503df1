import { showValue, thrownMessage } from '../../../call/thrown-message.ts';
import type { HeaderReader } from '../../../engine/revision.ts';

/** Shorter parts of credentials are words such as `Bearer`. */
const SHORTEST_SECRET = 7;
/** Each is looked for in the whole text, and clients choose how many there are. */
const MOST_SECRETS = 300;
const NOT_SEARCHED = 'its message is not shown: the request carries more credentials than are looked for';

/** What a log may show of an error that was thrown while the headers of a request were looked at. */
export interface ShownError {
  readonly message: string;
  readonly cause: unknown;
}

/** The error as it is, or the text of it without the credentials that it shows. */
export function hideCredentials(cause: unknown, headers: HeaderReader): ShownError {
  const secrets = credentialsOf(headers);
  if (secrets.length > MOST_SECRETS) return { message: NOT_SEARCHED, cause: withoutMessage(cause) };
  const told = thrownMessage(cause);
  const message = withoutSecrets(told, secrets);
  const shown = showValue(cause);
  const safe = withoutSecrets(shown, secrets);
  return { message, cause: safe === shown ? cause : errorOf(message, safe) };
}

/** What clients prove with who they are: whole, in its parts, and decoded. */
function credentialsOf(headers: HeaderReader): readonly string[] {
  const values = [...headers].flatMap(([name, value]) =>
    /auth|cookie|key|token|secret/i.test(name) ? [value] : [],
  );
  const parts = values.flatMap((value) => [value, ...value.split(/\s+/), ...value.split(/[\s;,=.]+/)]);
  const decoded = parts.flatMap((part) => {
    const text = Buffer.from(part, 'base64').toString();
    return [text, ...text.split(':')];
  });
  const found = [...parts, ...decoded].filter((part) => part.length >= SHORTEST_SECRET);
  // The longest first, so that no part of one is left beside the mark
  return [...new Set(found)].sort((left, right) => right.length - left.length);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[credential]'), text);
}

/** What it was and where it was thrown: whatever else an error says may come from the request. */
function withoutMessage(cause: unknown): unknown {
  if (!(cause instanceof Error)) return undefined;
  const { message, stack = '' } = cause;
  const place = stack.indexOf(message);
  // Behind the message, which may have lines that look like frames
  const frames = place === -1 ? '' : stack.slice(place + message.length);
  return errorOf(NOT_SEARCHED, `${cause.constructor.name}: ${NOT_SEARCHED}${frames}`);
}

function errorOf(message: string, stack: string): Error {
  const error = new Error(message);
  error.stack = stack;
  return error;
}
