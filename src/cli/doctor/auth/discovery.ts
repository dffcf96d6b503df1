import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { faultOfUrl, isHere, type Answer, type Asked } from '../../../client/sign-in/ask.ts';
import {
  documentIn,
  readChallenge,
  resourcePlaces,
  serverPlaces,
  textsIn,
  type Challenge,
} from '../../../client/sign-in/metadata.ts';
import { quote, type Examination } from './report.ts';

/** What a server says of sign-in before anyone signs in. */
export interface Discovered {
  /** The resource that tokens have to be for. */
  readonly resource: string;
  /** The scopes that the 401 or else the resource names. */
  readonly scope: string | undefined;
  readonly issuer: string;
  /** The metadata of the authorization server. */
  readonly server: PlainObject;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'toolwright-doctor', version: '1' },
  },
});

/** Follows a server from its 401 to the metadata of its authorization server; undefined where the way ends. */
export async function discover(examination: Examination): Promise<Discovered | undefined> {
  const challenge = await examineChallenge(examination);
  if (challenge === undefined) return undefined;
  const resource = await examineResource(examination, challenge);
  if (resource === undefined) return undefined;
  const { issuer, document } = resource;
  const server = await examineServer(examination, issuer);
  if (server === undefined) return undefined;
  const scopes = textsIn(document['scopes_supported']);
  return {
    resource: typeof document['resource'] === 'string' ? document['resource'] : examination.url,
    scope: challenge.scope ?? (scopes.length === 0 ? undefined : scopes.join(' ')),
    issuer,
    server,
  };
}

async function examineChallenge({ url, asker, report }: Examination): Promise<Challenge | undefined> {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const asked = await asker.ask(url, { method: 'POST', headers, body: INITIALIZE, headOnly: true });
  if ('failure' in asked) {
    report.problem('connection', `no answer: ${quote(asked.failure)}`, fixOfConnection(asked.failure));
    return undefined;
  }
  if (url.startsWith('https:')) report.ok('connection', 'over TLS');
  else if (isHere(url)) report.ok('connection', 'on this machine; clients elsewhere need https');
  else report.problem('connection', 'tokens would travel in the clear', 'serve it at an https URL');
  const about = 'challenge';
  if (asked.status >= 300 && asked.status < 400) {
    const to = quote(asked.headers.get('location'));
    report.problem(about, `a redirect to ${to}`, 'enter the URL that it leads to, or serve this one');
    return undefined;
  }
  const header = asked.headers.get('www-authenticate') ?? '';
  const challenge = readChallenge(header);
  if (asked.status !== 401) {
    const found = `${String(asked.status)} for a request without a token`;
    if (asked.status < 300) report.advise(about, `${found}: it does not ask for a sign-in`, FIX_OF_401);
    else report.problem(about, found, FIX_OF_401);
    return challenge;
  }
  if (challenge.resourceMetadata === undefined)
    report.problem(about, '401 without resource_metadata', FIX_OF_401);
  else if (/(^|[\s,])error=/i.test(header))
    report.advise(about, '401 with an error, though no token came', 'name no error where there is no token');
  else report.ok(about, '401 with resource_metadata');
  return challenge;
}

const FIX_OF_401 = '401 with WWW-Authenticate: Bearer resource_metadata="…"';

function fixOfConnection(failure: string): string {
  return /CERT|SSL|TLS|ALTNAME|ISSUER/.test(failure)
    ? 'a certificate that clients trust, for this name and with its whole chain'
    : 'start the server, and check the URL, the name and the firewall';
}

interface Resource {
  readonly issuer: string;
  readonly document: PlainObject;
}

/** Looks at the document that a client takes, and at both of its places (RFC 9728, 3.1). */
async function examineResource(
  examination: Examination,
  { resourceMetadata }: Challenge,
): Promise<Resource | undefined> {
  const { url, asker, report } = examination;
  const about = 'resource metadata';
  const fault = resourceMetadata === undefined ? undefined : faultOfUrl(resourceMetadata, url);
  if (fault !== undefined) {
    const fix = 'the whole https URL of the document in resource_metadata';
    report.problem(about, `${quote(resourceMetadata)} of the challenge ${fault}`, fix);
    return undefined;
  }
  const places = resourcePlaces(url);
  const named = resourceMetadata ?? places[0] ?? '';
  const found = new Map<string, Asked>();
  for (const place of new Set([named, ...places])) found.set(place, await asker.document(place));
  const taken = resourceMetadata ?? places.find((place) => documentIn(found.get(place)) !== undefined);
  const document = documentIn(found.get(taken ?? ''));
  if (document === undefined) {
    const where = taken ?? places.join(' and at ');
    const fix = `{ "resource": "${url}", "authorization_servers": ["https://…"] } there, as application/json`;
    report.problem(about, `none at ${quote(where)}: ${sayAsked(found.get(named))}`, fix);
    return undefined;
  }
  for (const place of places.filter((each) => documentIn(found.get(each)) === undefined))
    report.advise(about, `none at ${quote(place)}, where some clients look`, `the same document there`);
  return examineDocument(examination, document);
}

function examineDocument(examination: Examination, document: PlainObject): Resource | undefined {
  const { url, report } = examination;
  const about = 'resource metadata';
  checkResource(examination, document['resource']);
  const [issuer, ...others] = Array.isArray(document['authorization_servers'])
    ? (document['authorization_servers'] as unknown[])
    : [];
  const fault = issuer === undefined ? 'is missing' : faultOfUrl(issuer, url);
  if (fault !== undefined) {
    const name = issuer === undefined ? 'authorization_servers' : quote(issuer);
    report.problem(about, `${name} ${fault}`, '"authorization_servers": ["https://…"], the issuer first');
    return undefined;
  }
  if (others.length > 0)
    report.note(about, `of ${String(others.length + 1)} authorization servers, clients take the first`);
  return { issuer: issuer as string, document };
}

/** Clients refuse a document of another resource (RFC 9728, 3.3), some of them one that differs by a slash. */
function checkResource({ url, client, report }: Examination, resource: unknown): void {
  const about = 'resource metadata';
  const fix = `"resource": "${url}", or enter the server as ${quote(resource)}`;
  if (typeof resource !== 'string' || !URL.canParse(resource)) {
    report.problem(about, 'resource is not a URL', `"resource": "${url}"`);
    return;
  }
  const [named, typed] = [new URL(resource), new URL(url)];
  if (named.href === typed.href) report.ok(about, `for ${quote(resource)}`);
  else {
    const found = `resource is ${quote(resource)}, and the server was entered as ${url}`;
    const isAbove =
      named.origin === typed.origin && `${typed.pathname}/`.startsWith(named.pathname.replace(/\/?$/, '/'));
    if (isAbove && client.facts['signIn.resource'] === undefined) report.advise(about, found, fix);
    else report.problem(about, found, fix);
  }
}

/** The metadata that the client takes: the first that it finds in its order. */
async function examineServer(examination: Examination, issuer: string): Promise<PlainObject | undefined> {
  const { client, asker, report } = examination;
  const about = 'server metadata';
  const places = serverPlaces(issuer, client.facts['signIn.discovery']?.value);
  for (const place of places) {
    const asked = await asker.document(place);
    const document = documentIn(asked);
    if (document !== undefined) {
      checkServer(examination, issuer, document);
      return hasEndpoints(examination, document) ? document : undefined;
    }
    if ('failure' in asked || asked.status < 300 || asked.status >= 500) {
      const fix = 'the metadata as application/json, or 404 so that clients look on';
      report.problem(about, `${quote(place)}: ${sayAsked(asked)}; clients stop there`, fix);
      return undefined;
    }
  }
  const fix = `the metadata of the issuer at ${places[0] ?? ''} (RFC 8414)`;
  report.problem(about, `none for ${quote(issuer)}, at ${String(places.length)} places`, fix);
  return undefined;
}

function checkServer({ report }: Examination, issuer: string, document: PlainObject): void {
  const about = 'server metadata';
  if (document['issuer'] !== issuer) {
    const found = `issuer is ${quote(document['issuer'])}, and the resource names ${quote(issuer)}`;
    report.problem(about, found, 'the same text in both, letter by letter (RFC 8414, 3.3)');
  } else report.ok(about, `of ${quote(issuer)}`);
  if (!textsIn(document['code_challenge_methods_supported']).includes('S256'))
    report.problem(about, 'PKCE with S256 is not offered', '"code_challenge_methods_supported": ["S256"]');
  const types = document['response_types_supported'];
  if (!textsIn(types).includes('code'))
    report.problem(about, 'response_types_supported lacks code', '"response_types_supported": ["code"]');
  if (document['authorization_response_iss_parameter_supported'] !== true) {
    const fix = 'iss in each answer, and "authorization_response_iss_parameter_supported": true (RFC 9207)';
    report.advise(about, 'answers have no iss, so clients cannot tell who sent them', fix);
  }
  const isOffered = document['client_id_metadata_document_supported'] === true;
  if (isOffered && !textsIn(document['token_endpoint_auth_methods_supported']).includes('none')) {
    const found = 'documents of clients are taken, and clients without a secret are not';
    report.advise(about, found, '"none" in token_endpoint_auth_methods_supported');
  }
}

function hasEndpoints({ url, report }: Examination, document: PlainObject): boolean {
  const names = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'];
  const faults = names.flatMap((name) => {
    if (document[name] === undefined && name === 'registration_endpoint') return [];
    const fault = document[name] === undefined ? 'is missing' : faultOfUrl(document[name], url);
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
  for (const fault of faults) report.problem('server metadata', fault, 'the whole https URL of the endpoint');
  return faults.length === 0;
}

/** A page may read only what it is allowed to. */
export async function examineCors(examination: Examination, { server }: Discovered): Promise<void> {
  const { client, asker, report } = examination;
  const origin = client.facts['signIn.origin']?.value;
  if (origin === undefined) return;
  const about = 'cors';
  const closed: string[] = [];
  for (const name of ['token_endpoint', 'registration_endpoint']) {
    const url = server[name];
    if (typeof url !== 'string') continue;
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const asked = await asker.ask(url, { method: 'OPTIONS', headers, headOnly: true });
    if (!isOpenTo(asked, origin)) closed.push(name);
  }
  if (closed.length === 0) report.ok(about, `open to pages of ${origin}`);
  else {
    const fix = `Access-Control-Allow-Origin: ${origin} or *, also for OPTIONS with content-type`;
    report.problem(about, `${closed.join(' and ')} closed to pages of ${origin}`, fix);
  }
}

function isOpenTo(asked: Asked, origin: string): boolean {
  if ('failure' in asked || asked.status >= 300) return false;
  const allowed = asked.headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin;
}

/** What came instead of a document. */
export function sayAsked(asked: Asked | undefined): string {
  if (asked === undefined) return 'nothing';
  if ('failure' in asked) return quote(asked.failure);
  return isPlainObject(asked.json) || asked.status >= 300
    ? sayError(asked)
    : `${String(asked.status)} that is not JSON`;
}

/** The status, with the error that OAuth has for it. */
export function sayError({ status, json }: Answer): string {
  const { error, error_description: description } = isPlainObject(json) ? json : {};
  const texts = [error, description].filter((each) => typeof each === 'string');
  return texts.length === 0 ? String(status) : `${String(status)} ${quote(texts.join(': '))}`;
}
