import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { CALLBACK, CLIENT_ID } from '../identity/client-id.ts';
import { visit } from './browser.ts';

/** The person in front of the client: agrees and signs in, and is asked before something is done. */
export class User implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: 'Support desk client', redirect_uris: [CALLBACK] };
  /** What the server has asked. */
  readonly questions: string[] = [];
  /** The scopes that the client asked for, each time. */
  readonly signIns: string[] = [];
  agrees = false;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;
  #requested: URL | undefined;

  constructor(readonly name: string) {}

  /** Opens the browser if the client wanted to; what it brings back is for the client. */
  async signIn(): Promise<URLSearchParams | undefined> {
    const requested = this.#requested;
    if (requested === undefined) return undefined;
    this.#requested = undefined;
    this.signIns.push(requested.searchParams.get('scope') ?? '');
    return visit(requested, this.name);
  }

  answer(question: string): {
    readonly action: 'accept' | 'decline';
    readonly content?: { readonly agreed: true };
  } {
    this.questions.push(question);
    return this.agrees ? { action: 'accept', content: { agreed: true } } : { action: 'decline' };
  }

  clientInformation(): { readonly client_id: string } {
    return { client_id: CLIENT_ID };
  }
  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }
  /** The desk has refused the tokens: the client signs in for what it needs. */
  invalidateCredentials(what: string): void {
    if (what === 'all' || what === 'tokens') this.#tokens = undefined;
  }
  redirectToAuthorization(url: URL): void {
    this.#requested = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
}
