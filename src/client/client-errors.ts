import type { ErrorCode } from '../errors/catalogue.ts';
import { ToolwrightError, type ErrorFacts } from '../errors/toolwright-error.ts';
import { quotedText } from '../shared/visible-text.ts';

/** What a server says stays behind a bar, so that no line of it looks like one of the error. */
function clientError(code: ErrorCode, { what, why, ...facts }: ErrorFacts): ToolwrightError {
  const reason = why === undefined ? undefined : quotedText(why);
  return new ToolwrightError(code, { ...facts, what: quotedText(what), why: reason });
}

export function connectionError(
  place: string,
  what: string,
  fix = 'look at the log of the server',
  cause?: unknown,
  why?: string,
): ToolwrightError {
  return clientError('TW_CLIENT_CONNECTION', { where: place, what, why, fix, cause });
}

/** The most bytes that a client takes as one answer, unless its options say otherwise: 64 MiB. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** @param what what the bytes are of: `one answer` */
export function tooLarge(place: string, what: string, bytes: number): ToolwrightError {
  return clientError('TW_CLIENT_LIMIT', {
    where: place,
    what: `sends more than ${String(bytes)} bytes as ${what}.`,
    why: 'a server must not fill the memory of its client.',
    fix: 'allow more, if you expect it: { maxAnswerBytes: 256 * 1024 * 1024 }; on the command line --max-answer 256',
  });
}

/** @param challenge the header `WWW-Authenticate`, which may name the metadata of the resource (RFC 9728, section 5.1) */
export function unauthorized(
  place: string,
  status: number,
  text: string,
  challenge: string | null,
): ToolwrightError {
  const [, metadata] = /\bresource_metadata="([^"]+)"/.exec(challenge ?? '') ?? [];
  return clientError('TW_CLIENT_UNAUTHORIZED', {
    where: place,
    what: `answered ${String(status)}${text === '' ? '.' : `: ${text.slice(0, 300)}`}`,
    why: metadata === undefined ? undefined : `it asks for authorization as ${metadata} describes.`,
    fix: 'send what the server asks for: token, headers, or signIn for a person; on the command line --header',
  });
}

/** @param what the rest of a sentence that begins with the server */
export function signInFailed(place: string, what: string, fix: string): ToolwrightError {
  return clientError('TW_CLIENT_SIGN_IN', { where: place, what, fix });
}

/** The connection ended, by whichever side. */
export function connectionClosed(place: string, cause?: unknown): ToolwrightError {
  return connectionError(place, 'is not connected any more.', 'connect again', cause);
}

export function requestTimedOut(place: string, method: string, milliseconds: number): ToolwrightError {
  return clientError('TW_CLIENT_TIMEOUT', {
    where: place,
    what: `did not answer ${method} within ${String(milliseconds)} milliseconds.`,
    fix: 'allow more: { timeout: 300_000 }. Each progress notification restarts the time',
  });
}

export function unusableAnswer(place: string, method: string, why: string): ToolwrightError {
  return clientError('TW_CLIENT_ANSWER', {
    where: place,
    what: `gave an answer to ${method} that a client cannot use.`,
    why,
    fix: 'report it to the maintainers of the server',
  });
}

export function eraNotServed(place: string, era: string, cause: unknown): ToolwrightError {
  return connectionError(
    place,
    `does not speak the revision ${era} of the protocol.`,
    'let the client find out which one it speaks, by naming no era',
    cause,
  );
}
