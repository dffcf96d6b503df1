import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { OnceMade } from '../../shared/once-made.ts';
import { signInFailed } from '../client-errors.ts';
import { Asker, type Asked } from './ask.ts';
import { CallbackServer } from './callback-server.ts';
import { findIssuer, readChallenge, textsIn, type Challenge, type TokenIssuer } from './metadata.ts';
import {
  challengeFor,
  formQuestion,
  randomText,
  tokensIn,
  type OAuthClient,
  type Tokens,
} from './oauth-client.ts';

/** How a person signs in at a server. */
export interface PersonSignInOptions {
  /** Shows a person the page of the authorization server, in a browser on this machine. */
  readonly openBrowser: (url: string) => void | Promise<void>;
  /**
   * Keeps the sign-in for the next run; `save` gets plain JSON, and `load` gives it back. It holds tokens: keep it where
   * secrets belong. Default: each run asks the person again.
   */
  readonly store?: {
    load(): PlainObject | undefined | Promise<PlainObject | undefined>;
    save(signIn: PlainObject): void | Promise<void>;
  };
  /** The id under which the client is registered, or the https URL of its metadata. Default: it registers itself. */
  readonly clientId?: string;
  /** Its secret, if it has one. */
  readonly clientSecret?: string;
  /** The scopes to ask for, with spaces between. Default: those that the server names. */
  readonly scope?: string;
  /** The port on 127.0.0.1 to which the browser comes back (`/callback`). Default: a free one. */
  readonly port?: number;
  /** Milliseconds that the person may take. Default 300,000. */
  readonly timeout?: number;
}

/** What is known after a sign-in; this is what a store keeps. */
interface SignedIn {
  /** The server that the tokens are for, and no other one gets them. */
  readonly url: string;
  readonly resource: string;
  readonly tokenEndpoint: string;
  readonly client: OAuthClient;
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly scope?: string;
}

const REQUEST_TIMEOUT = 10_000;
const PATIENCE = 300_000;
const REGISTER = 'register one there: signIn: { clientId }';
const LAST_PAGE = 'You are signed in. This page can be closed.';

/** Signs a person in at one server, and keeps the tokens fresh (spec: basic/authorization). */
export class PersonSignIn {
  readonly #url: string;
  readonly #options: PersonSignInOptions;
  readonly #name: string;
  readonly #asker = new Asker(REQUEST_TIMEOUT);
  readonly #loaded = new OnceMade(() => this.#load());
  #signedIn: SignedIn | undefined;
  /** What the last refusal asks for, and the token that was refused. */
  #refusal: { readonly challenge: Challenge; readonly token: string | undefined } | undefined;
  #renewing: Promise<boolean> | undefined;
  #refreshing: Promise<boolean> | undefined;

  /** @param name how the client introduces itself to people */
  constructor(url: string, options: PersonSignInOptions, name: string) {
    this.#url = url;
    this.#options = options;
    this.#name = name;
  }

  /** Sends requests with the token of the person; one that has expired is refreshed. */
  fetchWith(ask: typeof fetch): typeof fetch {
    return async (input, init) => {
      await this.#loaded.get();
      const token = this.#signedIn?.accessToken;
      const response = await ask(input, withToken(init, token));
      if (response.status !== 401 && response.status !== 403) return response;
      const challenge = readChallenge(response.headers.get('www-authenticate') ?? '');
      if (response.status === 403 && challenge.error !== 'insufficient_scope') return response;
      this.#refusal = { challenge, token };
      if (response.status === 403 || token === undefined || !(await this.#refresh(token))) return response;
      await response.body?.cancel();
      return ask(input, withToken(init, this.#signedIn?.accessToken));
    };
  }

  /**
   * Signs the person in again after a refusal; requests that are refused at once wait for the same sign-in.
   * @returns whether there is another token now
   * @throws ToolwrightError TW_CLIENT_SIGN_IN
   */
  async renew(): Promise<boolean> {
    const refusal = this.#refusal;
    if (refusal === undefined) return false;
    // A request that was sent before may be refused after the sign-in
    if (this.#signedIn !== undefined && this.#signedIn.accessToken !== refusal.token) return true;
    this.#renewing ??= this.#signIn(refusal.challenge).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #signIn(challenge: Challenge): Promise<boolean> {
    const server = await findIssuer(this.#url, challenge, this.#asker);
    const { port = 0, timeout = PATIENCE } = this.#options;
    const callback = await CallbackServer.open(LAST_PAGE, port);
    try {
      const client = await this.#register(server, callback.url);
      const [verifier, state] = [randomText(), randomText()];
      const scope = this.#scopeFor(server, challenge);
      const page = new URL(String(server.metadata['authorization_endpoint']));
      const parameters = {
        response_type: 'code',
        client_id: client.clientId,
        redirect_uri: callback.url,
        code_challenge: challengeFor(verifier),
        code_challenge_method: 'S256',
        state,
        resource: server.resource,
        ...(scope === undefined ? {} : { scope }),
      };
      for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
      const answer = callback.answer(state, timeout);
      const shown = Promise.resolve(this.#options.openBrowser(page.href)).then(() => answer);
      const code = this.#codeIn(await Promise.race([answer, shown]), server);
      const asked = await this.#asker.ask(
        String(server.metadata['token_endpoint']),
        formQuestion(client, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: callback.url,
          code_verifier: verifier,
          resource: server.resource,
        }),
      );
      const tokens = tokensIn(asked);
      if (tokens === undefined)
        throw this.#failed(`got no token for the code: ${sayFailure(asked)}.`, 'sign in again');
      await this.#keep(server, client, tokens, scope);
      return true;
    } finally {
      callback.close();
    }
  }

  /** What the server asks for now, with what was granted before: a new token replaces the old one. */
  #scopeFor(server: TokenIssuer, challenge: Challenge): string | undefined {
    const asked = challenge.scope ?? this.#options.scope ?? server.scope;
    const before = challenge.error === 'insufficient_scope' ? this.#signedIn?.scope : undefined;
    const scopes = [this.#options.scope, before, asked].flatMap((each) => each?.split(' ') ?? []);
    return scopes.length === 0 ? undefined : [...new Set(scopes)].join(' ');
  }

  #codeIn(back: URLSearchParams | undefined, { issuer, metadata }: TokenIssuer): string {
    if (back === undefined)
      throw this.#failed('was left before the sign-in was complete.', 'sign in, and agree');
    const iss = back.get('iss');
    const isPromised = metadata['authorization_response_iss_parameter_supported'] === true;
    // RFC 9207: a code of another server is not sent to this one
    if ((isPromised || iss !== null) && iss !== issuer)
      throw this.#failed(
        `got an answer of ${JSON.stringify(iss)}, and not of ${issuer}.`,
        'do not sign in there',
      );
    const code = back.get('code');
    if (code !== null && back.get('error') === null) return code;
    const error = back.get('error') ?? 'no code';
    throw this.#failed(`got ${JSON.stringify(error)} in place of a code.`, 'sign in, and agree');
  }

  /** The client as it is registered already, or else as it registers itself (RFC 7591). */
  async #register({ metadata }: TokenIssuer, redirect: string): Promise<OAuthClient> {
    const { clientId, clientSecret: secret } = this.#options;
    const methods = textsIn(metadata['token_endpoint_auth_methods_supported']);
    const isPosted = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    if (clientId !== undefined && secret !== undefined)
      return { clientId, secret, method: isPosted ? 'client_secret_post' : 'client_secret_basic' };
    if (clientId !== undefined) return { clientId, method: 'none' };
    const endpoint = metadata['registration_endpoint'];
    if (typeof endpoint !== 'string')
      throw this.#failed('does not let clients register themselves.', REGISTER);
    const body = {
      client_name: this.#name,
      application_type: 'native',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const asked = await this.#asker.ask(endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
    const registered = clientIn(asked);
    if (registered === undefined)
      throw this.#failed(`did not register the client: ${sayFailure(asked)}.`, REGISTER);
    return registered;
  }

  /** @returns whether there is another token now */
  async #refresh(refused: string): Promise<boolean> {
    const signedIn = this.#signedIn;
    if (signedIn?.accessToken !== refused) return signedIn !== undefined;
    const { refreshToken, client, tokenEndpoint, resource } = signedIn;
    if (refreshToken === undefined) return false;
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
    this.#refreshing ??= this.#asker
      .ask(tokenEndpoint, formQuestion(client, form))
      .then(async (asked) => {
        const tokens = tokensIn(asked);
        if (tokens === undefined) return false;
        const { access_token: accessToken, refresh_token: next = refreshToken } = tokens;
        await this.#save({ ...signedIn, accessToken, refreshToken: next });
        return true;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  #keep(server: TokenIssuer, client: OAuthClient, tokens: Tokens, scope: string | undefined): Promise<void> {
    const { access_token: accessToken, refresh_token: refreshToken } = tokens;
    return this.#save({
      url: this.#url,
      resource: server.resource,
      tokenEndpoint: String(server.metadata['token_endpoint']),
      client,
      accessToken,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(scope === undefined ? {} : { scope }),
    });
  }

  async #save(signedIn: SignedIn): Promise<void> {
    this.#signedIn = signedIn;
    await this.#options.store?.save({ ...signedIn });
  }

  async #load(): Promise<void> {
    const kept = await this.#options.store?.load();
    if (isSignedIn(kept) && kept.url === this.#url) this.#signedIn ??= kept;
  }

  #failed(what: string, fix: string): Error {
    return signInFailed(this.#url, what, fix);
  }
}

/** What the server keeps of a client that registers itself. */
function clientIn(asked: Asked): OAuthClient | undefined {
  if ('failure' in asked || asked.status >= 300 || !isPlainObject(asked.json)) return undefined;
  const {
    client_id: clientId,
    client_secret: secret,
    token_endpoint_auth_method: method = 'none',
  } = asked.json;
  if (typeof clientId !== 'string' || typeof method !== 'string') return undefined;
  return { clientId, method, ...(typeof secret === 'string' ? { secret } : {}) };
}

/** A store may be a file that a person has edited, or that another program wrote. */
function isSignedIn(kept: unknown): kept is SignedIn {
  if (!isPlainObject(kept) || !isPlainObject(kept['client'])) return false;
  const { clientId, method, secret = '' } = kept['client'];
  const { url, resource, tokenEndpoint, accessToken, refreshToken = '', scope = '' } = kept;
  return [url, resource, tokenEndpoint, accessToken, refreshToken, scope, clientId, method, secret].every(
    (each) => typeof each === 'string',
  );
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  if (token === undefined) return { ...init };
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** What came in place of what was asked for; nothing of it but the code of the error, which has no secret. */
function sayFailure(asked: Asked): string {
  if ('failure' in asked) return asked.failure;
  const error = isPlainObject(asked.json) ? asked.json['error'] : undefined;
  return typeof error === 'string' ? `${String(asked.status)} ${error.slice(0, 100)}` : String(asked.status);
}
