import { deepFreeze } from '../shared/deep-freeze.ts';

/** How well a fact is known: seen in a run, read in the source of the client, documented by it, or told by others. */
export type Sureness = 'seen' | 'source' | 'docs' | 'reported';

/** What a client does, and who says so. */
export interface Fact<Value> {
  readonly value: Value;
  /** A page that anyone can open. */
  readonly source: string;
  /** The day on which the source said it. */
  readonly date: string;
  readonly sure: Sureness;
}

/** A document in which a client describes itself, of which the URL is its id (CIMD). */
export interface ClientDocument {
  /** `*` stands for one segment of the path. */
  readonly url: string;
  /** How the client authenticates at the token endpoint, the preferred way first. */
  readonly methods: readonly string[];
}

/**
 * The scopes that a client asks for: those of the 401 or else of the resource, all of the authorization server, or none.
 */
export type ScopeHabit = 'challenge' | 'server' | 'none';

/** What a client does when a person signs in. What is absent is unknown. */
export interface SignInFacts {
  /** Where the browser may be sent back to. `*` stands for any port or for one segment of the path. */
  readonly 'signIn.redirects'?: Fact<readonly string[]>;
  readonly 'signIn.document'?: Fact<ClientDocument>;
  /** What it sends to a registration endpoint. In a redirect `*` stands for what differs from time to time. */
  readonly 'signIn.registration'?: Fact<ClientRegistration>;
  /** All that it has been seen to do. */
  readonly 'signIn.scopes'?: Fact<readonly ScopeHabit[]>;
  /** Whether it asks for `offline_access` where the authorization server lists it. */
  readonly 'signIn.offlineAccess'?: Fact<boolean>;
  /** What it sends as `prompt` with `offline_access`. */
  readonly 'signIn.prompt'?: Fact<string>;
  /** Where it looks for the metadata of an authorization server, in this order. `{path}` is the path of the issuer. */
  readonly 'signIn.discovery'?: Fact<readonly string[]>;
  /** Which `resource` it wants in the metadata: the URL as it was typed, character for character. */
  readonly 'signIn.resource'?: Fact<'typed'>;
  /** What it does with `iss` of an answer: compares it, or needs it to be sent for a redirect of its own. */
  readonly 'signIn.issuer'?: Fact<'compared' | 'sent'>;
  /** Whether it comes back at another port than it has registered. */
  readonly 'signIn.anyPort'?: Fact<boolean>;
  /** The origin of the page from which it sends its requests. */
  readonly 'signIn.origin'?: Fact<string>;
}

/** The body of a registration request (RFC 7591), as far as it is known. */
export interface ClientRegistration {
  readonly redirect_uris: readonly string[];
  readonly client_name?: string;
  readonly grant_types?: readonly string[];
  readonly response_types?: readonly string[];
  readonly token_endpoint_auth_method?: string;
  readonly application_type?: 'native' | 'web';
  readonly client_uri?: string;
  readonly scope?: string;
}

/** A client, as others have seen it. */
export interface KnownClient {
  readonly title: string;
  readonly facts: SignInFacts;
}

/** All clients that are known, by their ids. */
export interface KnownClients {
  /** The month in which the facts were gathered. */
  readonly edition: string;
  readonly clients: Readonly<Record<string, KnownClient>>;
}

let loading: Promise<KnownClients> | undefined;

/** The facts of `clients.json`, frozen. They are read when they are first asked for. */
export function loadClients(): Promise<KnownClients> {
  loading ??= import('./clients.json', { with: { type: 'json' } }).then((module) =>
    deepFreeze(module.default as KnownClients),
  );
  return loading;
}
