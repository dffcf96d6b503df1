import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { signInFailed } from '../client-errors.ts';
import { faultOfUrl, type Asked, type Asker } from './ask.ts';

/** What a refusal says of the authorization that is missing (RFC 6750, 3; RFC 9728, 5.1). */
export interface Challenge {
  readonly resourceMetadata?: string;
  readonly scope?: string;
  readonly error?: string;
}

/** Reads the header `WWW-Authenticate`. */
export function readChallenge(header: string): Challenge {
  const read = (name: string): string | undefined => {
    const found = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,]+))`, 'i').exec(header);
    return found?.[1] ?? found?.[2];
  };
  const [resourceMetadata, scope, error] = [read('resource_metadata'), read('scope'), read('error')];
  return {
    ...(resourceMetadata === undefined ? {} : { resourceMetadata }),
    ...(scope === undefined ? {} : { scope }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Where the metadata of a resource is, if no challenge says so (RFC 9728, 3.1). */
export function resourcePlaces(url: string): readonly string[] {
  const { origin, pathname } = new URL(url);
  const root = `${origin}/.well-known/oauth-protected-resource`;
  return pathname === '/' ? [root] : [root + pathname, root];
}

/** The order of the specification (basic/authorization, Authorization Server Metadata Discovery). */
const SERVER_PLACES = [
  '/.well-known/oauth-authorization-server{path}',
  '/.well-known/openid-configuration{path}',
  '{path}/.well-known/openid-configuration',
];

/** Where the metadata of an authorization server may be, in this order. */
export function serverPlaces(issuer: string, order: readonly string[] = SERVER_PLACES): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [...new Set(order.map((place) => origin + place.replace('{path}', path)))];
}

/** The document in an answer; undefined for any other answer. */
export function documentIn(asked: Asked | undefined): PlainObject | undefined {
  if (asked === undefined || 'failure' in asked || asked.status !== 200) return undefined;
  return isPlainObject(asked.json) ? asked.json : undefined;
}

/** The texts of a list; anything else counts as an empty one. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** Who signs people in for a resource. */
export interface TokenIssuer {
  /** The resource that tokens have to be for. */
  readonly resource: string;
  /** The scopes that the resource names. */
  readonly scope: string | undefined;
  readonly issuer: string;
  /** The metadata of the authorization server. */
  readonly metadata: PlainObject;
}

/**
 * Finds the authorization server of an MCP server.
 * @throws ToolwrightError TW_CLIENT_SIGN_IN where the way ends
 */
export async function findIssuer(
  url: string,
  { resourceMetadata }: Challenge,
  asker: Asker,
): Promise<TokenIssuer> {
  const places = resourceMetadata === undefined ? resourcePlaces(url) : [resourceMetadata];
  const resource = await firstDocument(url, places, asker);
  if (resource === undefined) {
    throw signInFailed(url, `has no resource metadata at ${places.join(' or ')}.`, ASK_MAINTAINERS);
  }
  checkResource(url, resource['resource']);
  const [issuer] = textsIn(resource['authorization_servers']);
  if (issuer === undefined)
    throw signInFailed(url, 'names no authorization server in its resource metadata.', ASK_MAINTAINERS);
  refuseUrl(url, 'authorization server', issuer);
  const metadata = await firstDocument(url, serverPlaces(issuer), asker);
  if (metadata === undefined)
    throw signInFailed(
      url,
      `names the authorization server ${issuer}, which has no metadata.`,
      ASK_MAINTAINERS,
    );
  checkServer(url, issuer, metadata);
  const scopes = textsIn(resource['scopes_supported']);
  return {
    resource: String(resource['resource']),
    scope: scopes.length === 0 ? undefined : scopes.join(' '),
    issuer,
    metadata,
  };
}

const ASK_MAINTAINERS =
  'tell the maintainers of the server; `toolwright doctor auth <url>` says all that is wrong with its sign-in';

async function firstDocument(
  url: string,
  places: readonly string[],
  asker: Asker,
): Promise<PlainObject | undefined> {
  for (const place of places) {
    refuseUrl(url, 'address of metadata', place);
    const document = documentIn(await asker.document(place));
    if (document !== undefined) return document;
  }
  return undefined;
}

/** A token for one server is nothing for another (RFC 9728, 3.3). */
function checkResource(url: string, resource: unknown): void {
  if (typeof resource === 'string' && URL.canParse(resource)) {
    const [named, typed] = [new URL(resource), new URL(url)];
    const above = named.pathname.replace(/\/?$/, '/');
    if (named.origin === typed.origin && `${typed.pathname}/`.startsWith(above)) return;
  }
  const what = `has the metadata of another resource: ${JSON.stringify(resource)}.`;
  throw signInFailed(url, what, 'connect to the URL that the server names for itself');
}

function checkServer(url: string, issuer: string, metadata: PlainObject): void {
  if (metadata['issuer'] !== issuer) {
    const what = `names the authorization server ${issuer}, whose metadata is that of ${JSON.stringify(metadata['issuer'])}.`;
    throw signInFailed(url, what, ASK_MAINTAINERS);
  }
  if (!textsIn(metadata['code_challenge_methods_supported']).includes('S256'))
    throw signInFailed(url, `signs in at ${issuer}, which does not offer PKCE with S256.`, ASK_MAINTAINERS);
  for (const name of ['authorization_endpoint', 'token_endpoint']) refuseUrl(url, name, metadata[name]);
  if (metadata['registration_endpoint'] !== undefined)
    refuseUrl(url, 'registration_endpoint', metadata['registration_endpoint']);
}

function refuseUrl(url: string, what: string, given: unknown): void {
  const fault = faultOfUrl(given, url);
  if (fault !== undefined)
    throw signInFailed(url, `names the ${what} ${JSON.stringify(given)}, which ${fault}.`, ASK_MAINTAINERS);
}
