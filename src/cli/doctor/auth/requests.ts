import type { ScopeHabit } from '../../../profiles/facts.ts';
import { isPlainObject } from '../../../shared/json.ts';
import type { Answer, Asked } from '../../../client/sign-in/ask.ts';
import { textsIn } from '../../../client/sign-in/metadata.ts';
import { challengeFor, formQuestion, randomText } from '../../../client/sign-in/oauth-client.ts';
import { sayAsked, sayError, type Discovered } from './discovery.ts';
import type { Registered } from './registration.ts';
import { quote, type Examination } from './report.ts';

/** A request that a browser brings to the authorization server, and what its answer is compared with. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
}

const HABITS: readonly ScopeHabit[] = ['challenge', 'none'];

/** Asks for a code with the scopes that the client asks for, and without any where it does that. */
export async function examineAuthorize(
  examination: Examination,
  found: Discovered,
  registered: Registered,
): Promise<boolean> {
  const { client, asker, report } = examination;
  const about = 'authorize';
  const habits = client.facts['signIn.scopes']?.value ?? HABITS;
  const scopes = [...new Set(habits.map((habit) => scopeOf(examination, found, habit)))];
  let isWell = true;
  for (const scope of scopes) {
    const { url } = authorizationRequest(examination, found, registered, scope);
    const fault = faultOfAuthorize(await asker.ask(url, { headers: ACCEPT_PAGE }), registered);
    const how = scope === undefined ? 'without scope' : `with scope ${quote(scope)}`;
    if (fault === undefined) report.ok(about, `asks the person, ${how}`);
    else {
      isWell = false;
      report.problem(about, `${fault.found}, ${how}`, fault.fix);
    }
  }
  return isWell;
}

const ACCEPT_PAGE = { accept: 'text/html' };

export function authorizationRequest(
  { client }: Examination,
  { server, resource }: Discovered,
  { clientId, redirect }: Registered,
  scope: string | undefined,
): AuthorizationRequest {
  const [verifier, state] = [randomText(), randomText()];
  const url = new URL(String(server['authorization_endpoint']));
  const prompt = client.facts['signIn.prompt']?.value;
  const asksToStay = scope?.split(' ').includes('offline_access') === true;
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    code_challenge: challengeFor(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scope === undefined ? {} : { scope }),
    ...(asksToStay && prompt !== undefined ? { prompt } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, verifier };
}

/** The scopes that a client asks for. */
export function scopeOf(
  { client }: Examination,
  { scope, server }: Discovered,
  habit: ScopeHabit,
): string | undefined {
  if (habit === 'none') return undefined;
  const known = textsIn(server['scopes_supported']);
  const asked = habit === 'server' && known.length > 0 ? known.join(' ') : scope;
  const adds =
    client.facts['signIn.offlineAccess']?.value === true &&
    asked !== undefined &&
    known.includes('offline_access') &&
    !asked.split(' ').includes('offline_access');
  return adds ? `${asked} offline_access` : asked;
}

interface Fault {
  readonly found: string;
  readonly fix: string;
}

function faultOfAuthorize(asked: Asked, { clientId, redirect }: Registered): Fault | undefined {
  if ('failure' in asked) return { found: quote(asked.failure), fix: 'a page for people at this endpoint' };
  const location = locationIn(asked);
  if (location !== undefined && isBack(location, redirect)) {
    const { searchParams } = new URL(location);
    if (searchParams.has('code'))
      return { found: 'a code before anyone was asked', fix: 'let a person sign in and agree first' };
    const error = searchParams.get('error') ?? 'nothing';
    const description = searchParams.get('error_description');
    const found = `sent back with ${quote(description === null ? error : `${error}: ${description}`)}`;
    return { found, fix: FIXES_OF_AUTHORIZE[error] ?? 'serve the request that the client makes' };
  }
  if (asked.status < 400) return undefined;
  const isDocument = clientId.startsWith('https:');
  const fix = isDocument
    ? `let the server fetch ${quote(clientId)}, and take its redirect ${redirect}`
    : `take ${redirect} with any port on loopback, resource and prompt`;
  return { found: sayError(asked), fix };
}

const FIXES_OF_AUTHORIZE: Readonly<Record<string, string>> = {
  invalid_scope: 'leave out scopes that are not known instead of refusing all',
  invalid_target: 'take the resource that the metadata of the server names',
  invalid_request: 'take code_challenge with S256, resource, prompt and a missing scope',
  unauthorized_client: 'let registered clients use the authorization code',
};

/** A redirect that nobody has registered must lead nowhere (RFC 6749, 4.1.2.1). */
export async function examineRedirect(
  examination: Examination,
  found: Discovered,
  registered: Registered,
): Promise<void> {
  const { asker, report } = examination;
  const about = 'wrong redirect';
  const wrong = 'https://toolwright-doctor.invalid/callback';
  const { url } = authorizationRequest(examination, found, { ...registered, redirect: wrong }, found.scope);
  const asked = await asker.ask(url, { headers: ACCEPT_PAGE });
  const location = 'failure' in asked ? undefined : locationIn(asked);
  const fix = 'compare redirect_uri with the registered ones first, and show a page where it is none of them';
  if (location !== undefined && isBack(location, wrong))
    report.problem(about, 'the browser is sent to a redirect that is not registered', fix);
  else if ('failure' in asked || asked.status >= 500)
    report.problem(about, sayAsked(asked), '400 with a page, and no redirect');
  else if (asked.status < 400)
    report.advise(about, 'the sign-in begins with a redirect that is not registered', fix);
  else report.ok(about, 'refused with a page');
}

/** What clients do next is in the errors of the token endpoint. */
export async function examineToken(
  examination: Examination,
  found: Discovered,
  registered: Registered,
): Promise<void> {
  const { report } = examination;
  const about = 'token';
  const wrong = await askToken(
    examination,
    found,
    registered,
    codeForm(found, registered, randomText(), randomText()),
  );
  if (isError(wrong, 400, 'invalid_grant')) report.ok(about, '400 invalid_grant for a wrong code');
  else if (isError(wrong, undefined, 'invalid_client'))
    report.problem(about, `${sayAsked(wrong)} for the client itself`, fixOfClient(registered));
  else report.problem(about, `${sayAsked(wrong)} for a wrong code`, '400 with "error": "invalid_grant"');
  const stranger = {
    clientId: `toolwright-doctor-${randomText()}`,
    method: 'none',
    redirect: registered.redirect,
  };
  const unknown = await askToken(
    examination,
    found,
    stranger,
    codeForm(found, stranger, randomText(), randomText()),
  );
  const fix = '401 with "error": "invalid_client", so that clients register again';
  if (isError(unknown, 401, 'invalid_client')) report.ok(about, '401 invalid_client for an unknown client');
  else if (isError(unknown, undefined, undefined))
    report.advise(about, `${sayAsked(unknown)} for an unknown client`, fix);
  else report.problem(about, `${sayAsked(unknown)} for an unknown client`, fix);
}

function fixOfClient({ clientId, method }: Registered): string {
  return clientId.startsWith('https:')
    ? `let the server fetch ${quote(clientId)}`
    : `know the client that was registered a moment ago, by ${quote(method)}`;
}

export function codeForm(
  { resource }: Discovered,
  { redirect }: Registered,
  code: string,
  verifier: string,
): Readonly<Record<string, string>> {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
    resource,
  };
}

/** Sends a form as the client, which authenticates as it was registered. */
export function askToken(
  { asker }: Examination,
  { server }: Discovered,
  registered: Registered,
  form: Readonly<Record<string, string>>,
  endpoint = 'token_endpoint',
): Promise<Asked> {
  return asker.ask(String(server[endpoint]), formQuestion(registered, form));
}

/** Whether the answer is a refusal of OAuth; undefined stands for any. */
export function isError(asked: Asked, status: number | undefined, error: string | undefined): boolean {
  if ('failure' in asked || asked.status < 400 || asked.status >= 500) return false;
  const given = isPlainObject(asked.json) ? asked.json['error'] : undefined;
  return (
    (status === undefined || asked.status === status) &&
    (error === undefined ? typeof given === 'string' : given === error)
  );
}

function locationIn({ status, headers }: Answer): string | undefined {
  const location = headers.get('location');
  return status >= 300 && status < 400 && location !== null && URL.canParse(location) ? location : undefined;
}

function isBack(location: string, redirect: string): boolean {
  const [to, back] = [new URL(location), new URL(redirect)];
  return to.protocol === back.protocol && to.host === back.host && to.pathname === back.pathname;
}
