import { HttpRefusal } from './http-refusal.ts';
import type { HttpRequest } from './http-request.ts';
import type { HttpSettings } from './http-options.ts';

/** The names that a browser on this machine may use for this machine. */
export const LOOPBACK_NAMES: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);

type GuardSettings = Pick<HttpSettings, 'allowedHosts' | 'allowedOrigins' | 'path'>;

/**
 * Refuses what must never reach a session. Host and Origin come first: a page that a browser loaded from
 * elsewhere must learn nothing at all (spec: basic/transports, Security Warning; DNS rebinding).
 */
export function guardRequest(request: HttpRequest, settings: GuardSettings, isStateless: boolean): void {
  checkHost(request.host, settings.allowedHosts);
  checkOrigin(request.headers.get('origin'), settings.allowedOrigins);
  if (settings.path !== undefined && request.url.pathname !== settings.path) {
    throw new HttpRefusal(404, `Nothing is served at this path; the endpoint is ${settings.path}`);
  }
  const methods = isStateless ? ['POST'] : ['GET', 'POST', 'DELETE'];
  if (!methods.includes(request.method)) {
    const why = isStateless ? 'This server has no sessions and no standalone stream' : 'Method not allowed';
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

function checkOrigin(origin: string | null, allowed: readonly string[]): void {
  if (origin === null) return;
  const given = normalOrigin(origin);
  if (isLoopback(given) || allowed.some((entry) => normalOrigin(entry) === given)) return;
  throw new HttpRefusal(403, `Origin ${quote(origin)} is not allowed; see the option allowedOrigins`);
}

function normalOrigin(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '');
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && LOOPBACK_NAMES.includes(new URL(origin).hostname);
}

function quote(value: string | null): string {
  return value === null ? '(none)' : JSON.stringify(value.slice(0, 100));
}
