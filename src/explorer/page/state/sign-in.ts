import { batch, computed, signal } from '@preact/signals';
import { isPlainObject, membersOf, parseJson, type PlainObject } from '../../../shared/json.ts';
import { type CallerFacts, type ExploredApplication, PATHS } from '../../contract.ts';
import { ApiError, callerHeader, type Failure, failureOf } from './session.ts';
import { caller, clients } from './settings.ts';

/** A person who has signed in. Kept in the memory of this tab alone: a reload signs out. */
interface SignedIn {
  readonly token: string;
  /** What people know them by. */
  readonly name: string;
  /** What the token says of them, as the header for the caller: lists and checks are those of the person. */
  readonly caller: string;
  /** Ends the sign-in. */
  readonly revoke: () => Promise<unknown>;
}

interface Server {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint: string;
  readonly registration_endpoint?: string;
}

/** The way back from the other tab: what the provider led to stands in another group of tabs, and knows no opener. */
const CHANNEL = 'toolwright-explorer-sign-in';
/** The id of a static client, where clients cannot register themselves. */
const CLIENT = 'toolwright-explorer';

export const signedIn = signal<SignedIn | undefined>(undefined);
/** The person whose token goes with each request; undefined while another caller is chosen. */
export const person = computed(() => (signedIn.value?.caller === caller.value ? signedIn.value : undefined));
export const signInState = signal<'none' | 'waiting' | Failure>('none');

/** In the tab that comes back from signing in: hands what it was given to the page that waits for it. */
export function handBack(): boolean {
  const query = new URLSearchParams(location.search);
  if (!query.has('state') || !(query.has('code') || query.has('error'))) return false;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(location.search);
  channel.close();
  history.replaceState(null, '', location.pathname);
  close();
  return true;
}

/** Signs a person in, in a tab of its own, as any other client does. */
export async function signIn(application: ExploredApplication): Promise<void> {
  // While the click still allows it
  const tab = open('', '_blank');
  signInState.value = 'waiting';
  try {
    if (tab === null) throw new ApiError(noTab());
    const found = await obtain(tab, application);
    batch(() => {
      signedIn.value = found;
      caller.value = found.caller;
      signInState.value = 'none';
    });
  } catch (error) {
    tab?.close();
    signInState.value = failureOf(error);
  }
}

export async function signOut(): Promise<void> {
  const { value: before } = signedIn;
  batch(() => {
    if (person.value !== undefined) caller.value = undefined;
    signedIn.value = undefined;
  });
  await before?.revoke().catch((error: unknown) => (signInState.value = failureOf(error)));
}

async function obtain(tab: Window, { authorization, endpoint }: ExploredApplication): Promise<SignedIn> {
  const server = await readServer(authorization?.issuer ?? location.origin);
  const redirect = new URL(PATHS.page, location.href).href;
  const resource = new URL(endpoint, location.href).href;
  const client = await takeClient(server, redirect);
  const [state, verifier] = [randomText(), randomText()];
  const scope = authorization?.scopes.join(' ') ?? '';
  const url = new URL(server.authorization_endpoint);
  const asked = {
    ...{ response_type: 'code', client_id: client, redirect_uri: redirect, state, resource },
    ...{ code_challenge: await challengeFor(verifier), code_challenge_method: 'S256' },
    ...(scope === '' ? {} : { scope }),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const answered = nextAnswer(state);
  // What it leads to may not lead this page elsewhere
  tab.opener = null;
  tab.location.href = url.href;
  const code = readCode(await answered, server);
  const proof = { code, code_verifier: verifier, redirect_uri: redirect, client_id: client, resource };
  const tokens = await post(server.token_endpoint, { grant_type: 'authorization_code', ...proof });
  const { access_token: token } = tokens;
  if (typeof token !== 'string') throw new ApiError({ what: 'The server gave no token.' });
  clients.value = { ...clients.value, [server.issuer]: client };
  const revoke = () => post(server.revocation_endpoint, { token, client_id: client });
  return { token, revoke, ...readPerson(token) };
}

/** RFC 8414, 3.1 and 3.3. */
async function readServer(issuer: string): Promise<Server> {
  const { origin, pathname } = new URL(issuer);
  const place = `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`;
  const server = await read(await fetch(place));
  if (server['issuer'] !== issuer)
    throw new ApiError({ what: `${place} is the metadata of another server.` });
  const places = ['authorization_endpoint', 'token_endpoint', 'revocation_endpoint'].map(
    (name) => server[name],
  );
  if (!places.every((each) => /^https?:\/\//.test(String(each))))
    throw new ApiError({ what: `${place} names no addresses to sign in at.` });
  return server as unknown as Server;
}

/**
 * The client that a person signed in with last, or a new one. It is remembered again only after the sign-in: a page of the
 * server that refuses it cannot be seen from here.
 */
async function takeClient(server: Server, redirect: string): Promise<string> {
  const { [server.issuer]: known, ...others } = clients.value;
  clients.value = others;
  return known ?? register(server, redirect);
}

async function register({ registration_endpoint: place }: Server, redirect: string): Promise<string> {
  if (place === undefined) return CLIENT;
  const metadata = {
    ...{ client_name: 'Toolwright explorer', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
    grant_types: ['authorization_code'],
  };
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(place, { method: 'POST', headers, body: JSON.stringify(metadata) });
  return String((await read(answer))['client_id']);
}

/** What another tab brings back for this sign-in; those of others are passed over. */
function nextAnswer(state: string): Promise<URLSearchParams> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const query = new URLSearchParams(String(data));
      if (query.get('state') !== state) return;
      channel.close();
      resolve(query);
    });
  });
}

/** RFC 9207: an answer of another server brings no code of this one. */
function readCode(answer: URLSearchParams, { issuer }: Server): string {
  const code = answer.get('code');
  if (answer.get('iss') !== issuer) throw new ApiError({ what: 'The answer is of another server.' });
  if (code !== null) return code;
  const why = answer.get('error_description');
  const error = answer.get('error') ?? '';
  throw new ApiError({ what: 'The sign-in was refused.', code: error, ...(why === null ? {} : { why }) });
}

async function post(place: string, form: Readonly<Record<string, string>>): Promise<PlainObject> {
  return read(await fetch(place, { method: 'POST', body: new URLSearchParams(form) }));
}

async function read(answer: Response): Promise<PlainObject> {
  const body: unknown = parseJson(await answer.text());
  const { error = String(answer.status), error_description: why } = membersOf(body);
  if (answer.ok) return isPlainObject(body) ? body : {};
  const what = `The server refused ${new URL(answer.url).pathname}.`;
  throw new ApiError({ what, code: String(error), ...(typeof why === 'string' ? { why } : {}) });
}

/** The server checks the token; the page reads only whose lists it shows. */
function readPerson(token: string): Pick<SignedIn, 'name' | 'caller'> {
  const [, part] = token.split('.');
  if (part === undefined) throw new ApiError({ what: 'The token of the server says nothing of the person.' });
  const bytes = Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), (each) =>
    each.charCodeAt(0),
  );
  const { sub, scope, roles, tenant, name = sub } = membersOf(parseJson(new TextDecoder().decode(bytes)));
  const facts: CallerFacts = {
    ...{ subject: String(sub), scopes: typeof scope === 'string' ? scope.split(' ') : [] },
    roles: Array.isArray(roles) ? roles.map(String) : [],
    ...(typeof tenant === 'string' ? { tenant } : {}),
  };
  return { name: String(name), caller: callerHeader(facts) };
}

async function challengeFor(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

function noTab(): Failure {
  return {
    what: 'The browser opened no tab to sign in.',
    fix: 'Allow this page to open tabs, and sign in again.',
  };
}
