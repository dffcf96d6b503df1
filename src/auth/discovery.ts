import { isPlainObject } from '../shared/json.ts';
import { fetchJson, type Fetch } from './fetch-json.ts';

const MOST_BYTES = 1024 * 1024;

/**
 * Where an issuer says that its keys are. Only for issuers that are trusted already.
 * @throws Error where no document of the issuer says it
 */
export async function discoverKeys(
  issuer: string,
  given: { readonly fetch: Fetch | undefined; readonly timeout: number },
): Promise<string> {
  let failure: unknown;
  for (const url of documentsOf(issuer)) {
    const found = await fetchJson(url, { ...given, limit: MOST_BYTES }).catch((cause: unknown) => {
      failure = cause;
    });
    if (!isPlainObject(found)) continue;
    // RFC 8414, 3.3
    if (found['issuer'] !== issuer) throw new Error('the metadata names another issuer');
    const uri = found['jwks_uri'];
    if (!isReachable(uri, issuer)) throw new Error('the metadata names no https URL for the keys');
    return uri;
  }
  throw failure instanceof Error ? failure : new Error('no metadata was found');
}

/** RFC 8414, 3.1 first, then OpenID Connect Discovery, in both of its places. */
function documentsOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
}

/** Another scheme than TLS on this machine only, and only for an issuer that is on it as well. */
function isReachable(uri: unknown, issuer: string): uri is string {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return false;
  const { protocol } = new URL(uri);
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'));
}
