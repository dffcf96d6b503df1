import { loadClients } from '../profiles/clients.ts';
import { isLoopbackRedirect } from '../shared/loopback.ts';

/** Printable ASCII without what parsers read in different ways. */
const PLAIN = /^[\x21-\x7e]+$/;

/** Which places an authorization may lead back to. */
export class Redirects {
  readonly #patterns: readonly RegExp[];
  readonly #isLoopbackAllowed: boolean;

  /** @param known where known clients are led back to */
  constructor(
    known: readonly string[],
    given: readonly string[] | { readonly only: readonly string[] } = [],
  ) {
    const listed = 'only' in given ? given.only : [...known, ...given];
    this.#patterns = listed.map(patternOf);
    this.#isLoopbackAllowed = !('only' in given);
  }

  /** @param origin that of the document in which a client describes itself */
  allows(uri: unknown, origin?: string): uri is string {
    if (!isSound(uri)) return false;
    if (this.#patterns.some((pattern) => pattern.test(uri))) return true;
    if (this.#isLoopbackAllowed && isLoopbackRedirect(uri)) return true;
    return origin !== undefined && uri.startsWith(`${origin}/`) && new URL(uri).origin === origin;
  }
}

/** Where known clients are led back to, beside this computer. */
export async function knownRedirects(): Promise<readonly string[]> {
  const { clients } = await loadClients();
  const all = Object.values(clients).flatMap(({ facts }) => facts['signIn.redirects']?.value ?? []);
  return all.filter((uri) => !uri.startsWith('http:'));
}

/** Nothing that one program reads as another place than the next one. */
function isSound(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > 512 || !PLAIN.test(uri) || /[#\\<>"]/.test(uri)) return false;
  if (!URL.canParse(uri)) return false;
  const { href, username, password, protocol, pathname } = new URL(uri);
  if (username !== '' || password !== '') return false;
  if (protocol !== 'https:' && protocol !== 'http:') return true;
  if (/%2e|\/\//i.test(pathname)) return false;
  return href === uri || href.replace(/\/(?=\?|$)/, '') === uri.replace(/\/(?=\?|$)/, '');
}

/** A star stands for one segment of a path. */
function patternOf(listed: string): RegExp {
  const parts = listed.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\w.~-]+')}$`);
}
