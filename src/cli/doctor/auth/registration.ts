import type { KnownClient } from '../../../profiles/clients.ts';
import type { ClientRegistration } from '../../../profiles/facts.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { Asked } from '../../../client/sign-in/ask.ts';
import { textsIn } from '../../../client/sign-in/metadata.ts';
import type { OAuthClient } from '../../../client/sign-in/oauth-client.ts';
import { sayAsked, type Discovered } from './discovery.ts';
import { quote, type Examination, type Report } from './report.ts';

/** A client as the authorization server knows it. */
export interface Registered extends OAuthClient {
  /** Where the browser is to be sent back to. */
  readonly redirect: string;
}

/** Stands for what a client chooses each time. */
const CHOSEN = 'toolwright-doctor';
const PORT = '33418';
const OTHER_PORT = '51004';

/**
 * Introduces the client as it does itself: by its document where the server takes that, else by its recorded registration.
 * @param redirects other ones than those of the client
 */
export async function register(
  examination: Examination,
  { server }: Discovered,
  redirects?: readonly string[],
): Promise<Registered | undefined> {
  const { client, report } = examination;
  const about = 'registration';
  const document = redirects === undefined ? documentFor(client, server) : undefined;
  if (document?.includes('*') === true) {
    report.note(about, `by a document of its own, ${document}, which only the client knows whole`);
    return undefined;
  }
  if (document !== undefined) {
    report.ok(about, `none needed: its document is ${document}`);
    const [redirect = ''] = client.facts['signIn.redirects']?.value ?? [];
    return { clientId: document, method: 'none', redirect: fill(redirect) };
  }
  if (typeof server['registration_endpoint'] === 'string')
    return sendRegistration(examination, server['registration_endpoint'], redirects);
  const fix =
    client.facts['signIn.document'] === undefined
      ? 'a registration_endpoint (RFC 7591)'
      : 'a registration_endpoint, or "client_id_metadata_document_supported": true';
  report.problem(about, 'the server takes neither its document nor a registration', fix);
  return undefined;
}

/** The URL of the document of a client, where the server takes it. */
function documentFor({ facts }: KnownClient, server: PlainObject): string | undefined {
  const { url, methods = [] } = facts['signIn.document']?.value ?? {};
  const taken = textsIn(server['token_endpoint_auth_methods_supported']);
  const isTaken = server['client_id_metadata_document_supported'] === true;
  return isTaken && methods.some((method) => taken.includes(method)) ? url : undefined;
}

async function sendRegistration(
  { client, asker, report }: Examination,
  url: string,
  redirects: readonly string[] | undefined,
): Promise<Registered | undefined> {
  const recorded = client.facts['signIn.registration']?.value;
  if (recorded === undefined) return undefined;
  const sent = { ...recorded, redirect_uris: redirects ?? recorded.redirect_uris.map((uri) => fill(uri)) };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const asked = await asker.ask(url, { method: 'POST', headers, body: JSON.stringify(sent) });
  const given = readRegistration(asked, redirects ?? knownRedirects(client), report);
  if (given === undefined) return undefined;
  const kept = checkKept(report, sent, given);
  if (kept.length === 0) return undefined;
  const isMoved = client.facts['signIn.anyPort']?.value === true && redirects === undefined;
  const { client_id: clientId, client_secret: secret } = given;
  return {
    clientId: String(clientId),
    ...(typeof secret === 'string' ? { secret } : {}),
    method: methodIn(given, sent),
    redirect: isMoved ? moved(kept) : (kept[0] ?? ''),
  };
}

/** All that the client is known to have, else those that it registers. */
function knownRedirects({ facts }: KnownClient): readonly string[] {
  return facts['signIn.redirects']?.value ?? facts['signIn.registration']?.value.redirect_uris ?? [];
}

/** The answer of a server that knows the client from now on. */
function readRegistration(
  asked: Asked,
  redirects: readonly string[],
  report: Report,
): PlainObject | undefined {
  const about = 'registration';
  if ('failure' in asked || asked.status >= 300 || !isPlainObject(asked.json)) {
    report.problem(about, sayAsked(asked), fixOfRegistration(asked, redirects));
    return undefined;
  }
  const { status, json } = asked;
  if (typeof json['client_id'] !== 'string' || json['client_id'] === '') {
    report.problem(
      about,
      `${String(status)} without a client_id`,
      'client_id in the answer (RFC 7591, 3.2.1)',
    );
    return undefined;
  }
  if (status !== 201) report.advise(about, `${String(status)} for a new client`, '201 (RFC 7591, 3.2.1)');
  return json;
}

/** Compares what the server keeps of a client with what it was sent, and gives the redirects that it keeps. */
function checkKept(report: Report, sent: ClientRegistration, given: PlainObject): readonly string[] {
  const about = 'registration';
  const uris = sent.redirect_uris;
  const kept = given['redirect_uris'] === undefined ? uris : textsIn(given['redirect_uris']);
  const lost = uris.filter((uri) => !kept.includes(uri));
  const wanted = sent.token_endpoint_auth_method;
  const method = methodIn(given, sent);
  if (lost.length > 0)
    report.problem(about, `201 without ${lost.join(', ')}`, `keep all redirects: allow ${lost.join(', ')}`);
  else if (method !== 'none' && typeof given['client_secret'] !== 'string') {
    const fix = 'a client_secret in the answer, or "token_endpoint_auth_method": "none"';
    report.problem(about, `${quote(method)} without a client_secret`, fix);
  } else if (wanted !== undefined && method !== wanted) {
    const fix = `"token_endpoint_auth_method": "${wanted}", as the client asked`;
    report.advise(about, `${quote(method)} instead of ${wanted}`, fix);
  } else report.ok(about, `with all redirects, by ${quote(method)}`);
  return uris.filter((uri) => kept.includes(uri));
}

/** RFC 7591, 2: of a client that names none. */
const DEFAULT_METHOD = 'client_secret_basic';

function methodIn(given: PlainObject, sent: ClientRegistration): string {
  const method = given['token_endpoint_auth_method'];
  return typeof method === 'string' ? method : (sent.token_endpoint_auth_method ?? DEFAULT_METHOD);
}

/** A client that was registered with one port may come back at another (RFC 8252, 7.3). */
function moved(uris: readonly string[]): string {
  const loopback = uris.find((uri) => uri.includes(`:${PORT}`));
  return loopback?.replace(PORT, OTHER_PORT) ?? uris[0] ?? '';
}

function fixOfRegistration(asked: Asked, uris: readonly string[]): string {
  const { error } = !('failure' in asked) && isPlainObject(asked.json) ? asked.json : {};
  if (error === 'invalid_redirect_uri') return `allow ${uris.join(', ')}`;
  if (error === 'invalid_client_metadata')
    return `take the recorded body of the client, with ${uris.join(', ')}`;
  return '201 with a client_id for everyone, without a token (RFC 7591, 3)';
}

/** A URI with something in the place of each `*`. */
function fill(uri: string): string {
  return uri.replace(/:\*(?=\/|$)/, `:${PORT}`).replaceAll('*', CHOSEN);
}
