import type { GuardedHead } from '../decisive-headers.ts';
import { HttpRefusal } from '../http-answer.ts';
import type { HttpSettings } from '../http-options.ts';

/** The names that a browser on this machine may use for this machine. */
export const LOOPBACK_NAMES: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses what must never reach a session. Host and Origin come first: a page that a browser loaded from
 * elsewhere must learn nothing at all (spec: basic/transports, Security Warning; DNS rebinding).
 * @returns the origin of the page that sent the request, if one did
 */
export function guardSource(
  request: GuardedHead,
  { allowedHosts, allowedOrigins }: Pick<HttpSettings, 'allowedHosts' | 'allowedOrigins'>,
): string | undefined {
  checkHost(request.host, allowedHosts);
  const origin = request.headers.get('origin');
  if (origin === null) return undefined;
  if (isLoopback(origin) || allowedOrigins.includes(origin)) return origin;
  throw new HttpRefusal(403, `Origin ${quote(origin)} is not allowed; see the option allowedOrigins`);
}

export function guardTarget(
  { path: given, method }: GuardedHead,
  path: string | undefined,
  methods: readonly string[],
): void {
  if (path !== undefined && withoutSlash(given) !== withoutSlash(path)) {
    throw new HttpRefusal(404, `Nothing is served at this path; the endpoint is ${path}`);
  }
  if (!methods.includes(method)) {
    const isStateless = !methods.includes('GET');
    const why = isStateless ? 'There is no session and no standalone stream here' : 'Method not allowed';
    throw new HttpRefusal(405, `${why}; use ${methods.join(', ')}`, {
      headers: { allow: methods.join(', ') },
    });
  }
}

function checkHost(host: string | null, allowed: readonly string[] | undefined): void {
  if (allowed === undefined) return;
  const given = (host ?? '').toLowerCase();
  const name = given.replace(/:\d+$/, '');
  const isAllowed = allowed.some((entry) => [given, name].includes(entry.toLowerCase()));
  if (!isAllowed)
    throw new HttpRefusal(403, `Host ${quote(host)} is not allowed; see the option allowedHosts`);
}

/** Only what a browser sends: an origin in any other spelling comes from something else. */
function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return (
    ['http:', 'https:'].includes(url.protocol) &&
    url.origin === origin &&
    LOOPBACK_NAMES.includes(url.hostname)
  );
}

export function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/$/, '');
}

function quote(value: string | null): string {
  return value === null ? '(none)' : JSON.stringify(value.slice(0, 100));
}
