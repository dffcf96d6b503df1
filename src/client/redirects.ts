import { connectionError } from './client-errors.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** These keep the method and the body of a request (RFC 9110, 15.4.8 and 15.4.9). */
const KEEPING: ReadonlySet<number> = new Set([307, 308]);
const MAX_SHOWN = 300;

/**
 * Where a response sends its request; undefined for one that answers it. What a request brings, such as keys and
 * arguments, is for the origin that the user has named, and for no other.
 * @throws ToolwrightError TW_CLIENT_CONNECTION for another origin, and where the request would have another method
 */
export function redirectTarget(response: Response, from: URL, place: string): URL | undefined {
  const { status, type, body } = response;
  // A browser does not say where it leads
  if (type === 'opaqueredirect') throw refusedRedirect(place, 'another address');
  const location = response.headers.get('location');
  if (!REDIRECTS.has(status) || location === null || !URL.canParse(location, from.href)) return undefined;
  void body?.cancel();
  const target = new URL(location, from);
  const shown = target.href.slice(0, MAX_SHOWN);
  if (target.origin !== from.origin) throw refusedRedirect(place, shown, 'it is another origin.');
  if (!KEEPING.has(status))
    throw refusedRedirect(place, shown, `the status ${String(status)} asks for another method.`);
  return target;
}

/** @param target the address that the redirect names */
export function refusedRedirect(place: string, target: string, why?: string): Error {
  return connectionError(
    place,
    `redirects to ${target}, and a client does not go there.`,
    'name that address yourself, if it is the server that you mean',
    undefined,
    why,
  );
}
