import type { Fetch } from '../auth/fetch-json.ts';
import type { SignedInPerson } from '../features/sign-in/options.ts';
import type { PlainObject } from '../shared/json.ts';
import {
  aFunction,
  either,
  filledText,
  listOf,
  objectOf,
  positiveMilliseconds,
  required,
  rule,
  safeUrl,
  secret,
  texts,
  type OptionRules,
} from '../shared/option-rules.ts';
import { isObject } from '../shared/json.ts';

/** Where facts about a person are in the verified claims of the provider: names, or paths with dots. */
export interface ClaimNames {
  /** What names the person for good. Default: `sub`, or what the provider has in its place. */
  readonly sub?: string;
  /** A text or a list. Default: what the provider calls them. */
  readonly roles?: string;
  /** The organization. Default: what the provider calls it, if anything. */
  readonly tenant?: string;
  /** Default `name`. */
  readonly name?: string;
  /** Default `email`. */
  readonly email?: string;
  /** Further claims to keep, by the names that they get. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Finds the person in verified claims; undefined refuses them. */
export type ReadPerson = (claims: PlainObject) => SignedInPerson | undefined;

/** Options of all providers. */
export interface ProviderOptions {
  /** The id that the provider gave the application. */
  readonly clientId: string;
  /** The secret that it gave with it. Default: none, for a public client. */
  readonly clientSecret?: string;
  /** Gives a signed assertion (RFC 7523) in place of the secret. */
  readonly clientAssertion?: () => string | Promise<string>;
  /** What is asked of the provider. Default: who the person is, and a refresh token. */
  readonly scopes?: readonly string[];
  /** Where facts about the person are, or a function that finds them. Default: where the provider has them. */
  readonly claims?: ClaimNames | ReadPerson;
  /** Domains of the verified e-mail addresses of those who may sign in. Default: all. */
  readonly domains?: readonly string[];
  /** Tenants whose people may sign in. Default: all. */
  readonly tenants?: readonly string[];
  /** Decides who may sign in. Default: all. */
  readonly allow?: (person: SignedInPerson) => boolean | Promise<boolean>;
  /** Further parameters of the request for authorization. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Where `ctx.upstream.fetch()` may send the token of the person. Default: nowhere. */
  readonly origins?: readonly string[];
  /** Milliseconds for one request. Default 5,000. */
  readonly timeout?: number;
  /** Fetches from the provider. Default: the global `fetch`. */
  readonly fetch?: Fetch;
}

export const PROVIDER_RULES: OptionRules<ProviderOptions> = {
  clientId: required(filledText),
  clientSecret: secret(filledText),
  clientAssertion: aFunction,
  scopes: texts,
  claims: either(
    objectOf<ClaimNames>({
      ...{ sub: filledText, roles: filledText, tenant: filledText, name: filledText, email: filledText },
      more: rule('an object of texts', isObject),
    }),
    aFunction,
  ),
  domains: texts,
  tenants: texts,
  allow: aFunction,
  parameters: rule('an object of texts', isObject),
  origins: listOf(safeUrl),
  timeout: positiveMilliseconds,
  fetch: aFunction,
};

/** What is known of a provider: data, and nothing else. */
export interface ProviderFacts {
  readonly name: string;
  /** On the page: "Sign in with …". */
  readonly title: string;
  /** What the owner of an application has to know there: a sentence each. */
  readonly hints?: readonly string[];
  readonly issuer: string;
  /** Where it publishes nothing about itself. */
  readonly endpoints?: {
    readonly authorization_endpoint: string;
    readonly token_endpoint: string;
  };
  readonly scopes: readonly string[];
  /** Whether `offline_access` is asked for: always, never, or where the provider lists it. */
  readonly offlineAccess: 'always' | 'never' | 'listed';
  readonly parameters?: Readonly<Record<string, string>>;
  readonly secretIn: 'header' | 'body';
  /** Where a document about the person is, in place of an ID token. */
  readonly personUrl?: string;
  readonly claims: ClaimNames;
  /** The claim that names the domain of a company; it outweighs the e-mail address. */
  readonly domainClaim?: string;
  /** Claims that together are the subject, with a dot between. */
  readonly subjectOf?: readonly string[];
  /** Ends what the person has allowed. Default: what the provider publishes. */
  readonly revocation?:
    | { readonly kind: 'rfc7009'; readonly url: string }
    | { readonly kind: 'delete-grant'; readonly url: string };
  /** How tokens are exchanged: RFC 8693, or the provider's own form. */
  readonly exchange?: 'on-behalf-of';
}

export interface ProviderDefinition {
  readonly facts: ProviderFacts;
  readonly options: ProviderOptions;
}
