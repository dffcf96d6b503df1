import type { Caller } from '../call/request-context.ts';
import { signInRule, type SignInOptions, type SignInProvider } from '../features/sign-in/options.ts';
import {
  scopeRule,
  withoutSlash,
  type ImpliedScopes,
  type LocalCaller,
  type RevocationList,
  type TokenVerifier,
} from '../metadata/token-verifier.ts';
import { isObject } from '../shared/json.ts';
import {
  aFunction,
  either,
  filledText,
  listOf,
  milliseconds,
  objectOf,
  objectWith,
  oneOf,
  positiveMilliseconds,
  rule,
  safeUrl,
  isSafeUrl,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';

/** Who calls, and where clients sign in (spec: basic/authorization; RFC 9728). */
export interface AuthOptions {
  /**
   * The public URL of the endpoint, as clients know it: scheme and host in lower case; a slash at the end is left out. It is
   * never taken from a request. With `{tenant}` as a part of its path, `https://mcp.example/t/{tenant}/mcp`, each tenant has
   * an endpoint with metadata of its own, where only tokens that are issued for it and name the tenant count. Default: the
   * URL of `listen()` where only this machine reaches it.
   */
  readonly resource?: string;
  /** Verifies tokens; of several, the first that recognizes the form of a token. Needed without `signIn`. */
  readonly verify?: TokenVerifier | readonly TokenVerifier[] | undefined;
  /**
   * Lets people sign in with a provider, and issues the tokens of the application: `google()`, `oidc()` and others of
   * `toolwright/sign-in`. Its tokens are verified without `verify`. Default: other servers issue all tokens.
   *
   * @example
   * import { google } from 'toolwright/sign-in';
   *
   * const app = await McpApplication.create(AppModule, {
   *   secrets: [process.env['SECRET'] ?? ''],
   *   auth: { resource: 'https://desk.example/mcp', signIn: google({ clientId: 'desk', clientSecret: '…' }) },
   * });
   */
  readonly signIn?: SignInProvider | SignInOptions;
  /** Who may use what has no requirement of its own. Default `authenticated`. */
  readonly default?: 'authenticated' | 'public';
  /**
   * Who calls over stdio, and with `app.call` without `authInfo`: nobody in particular, a caller who may do everything,
   * or whom the function gives. Default `anonymous`.
   */
  readonly local?: 'anonymous' | 'trusted' | LocalCaller;
  /** Asks for more scopes with HTTP 403, or with the result of the call, as some hosts expect. Default `http`. */
  readonly challenges?: 'http' | 'result';
  /** The few scopes that a client asks for when it signs in; not all that there are. Default: none are named. */
  readonly scopesSupported?: readonly string[];
  /** The issuers that clients may sign in with. Default: those of the verifiers. */
  readonly authorizationServers?: readonly string[];
  /** The name of the server for people who sign in. Default: none. */
  readonly resourceName?: string;
  /** The URL of a page for developers. Default: none. */
  readonly resourceDocumentation?: string;
  /** Serves the metadata at the root of the origin as well; false where another endpoint has this place. Default true. */
  readonly rootMetadata?: boolean;
  /** Scopes that imply others: `{ implies: { 'tasks:admin': ['tasks:write'] } }`. Default: each stands for itself. */
  readonly scopes?: { readonly implies?: Readonly<Record<string, readonly string[]>> };
  /**
   * Loads what policies need to know of a caller. It is `caller.loaded` for policies and `ctx.caller.loaded` for
   * handlers, and is kept as long as the answers of policies. Default: nothing is loaded.
   */
  readonly load?: (caller: Caller) => unknown;
  /** Milliseconds that a policy, or `load`, may take; then it denies. Default 5,000. */
  readonly policyTimeout?: number;
  /** Milliseconds that the answers of policies for lists are kept for a caller. Default 60,000. */
  readonly policyTtl?: number;
  /** How many different views of the lists are kept. Default 256. */
  readonly maxViews?: number;
  /** Tokens that are revoked before they expire. Default: none. */
  readonly revocation?: RevocationList;
  /** Milliseconds that the revocation list may take; then the answer is 503. Default 1,000. */
  readonly revocationTimeout?: number;
}

/** RFC 9728, 1.2 and 3.3: clients compare it with the URL that they call. */
function isResource(value: unknown): boolean {
  if (!isSafeUrl(value) || /[?#\\]|\/\/$/.test(value)) return false;
  const named = withoutSlash(value).replace(/(?<=[^/]\/)\{tenant\}(?=\/|$)/, 'tenant');
  if (/[{}]/.test(named)) return false;
  const { href, username, password } = new URL(named);
  return username === '' && password === '' && withoutSlash(href) === named;
}

const verifierRule = objectWith('a verifier, such as jwt({ issuer }) of toolwright/auth,', 'verify');

/** A ring of scopes that imply each other; undefined where there is none. */
function scopeRing(implies: ImpliedScopes): readonly string[] | undefined {
  const visit = (scope: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(scope)) return [...path.slice(path.indexOf(scope)), scope];
    const implied = Object.hasOwn(implies, scope) ? (implies[scope] ?? []) : [];
    for (const next of implied) {
      const ring = visit(next, [...path, scope]);
      if (ring !== undefined) return ring;
    }
    return undefined;
  };
  for (const scope of Object.keys(implies)) {
    const ring = visit(scope, []);
    if (ring !== undefined) return ring;
  }
  return undefined;
}

const impliesRule = rule(
  "an object of lists of scopes, such as { 'tasks:admin': ['tasks:write'] }, without a ring",
  (value) =>
    isObject(value) &&
    Object.values(value).every(
      (list) => Array.isArray(list) && list.every((each) => typeof each === 'string'),
    ) &&
    scopeRing(value as ImpliedScopes) === undefined,
);

export const AUTH_RULES: OptionRules<AuthOptions> = {
  resource: rule(
    'the public https URL of the endpoint, with scheme and host in lower case; http on this machine only; ' +
      'its path may have {tenant} as one of its parts',
    isResource,
  ),
  verify: either(verifierRule, listOf(verifierRule)),
  signIn: signInRule,
  default: oneOf('authenticated', 'public'),
  local: either(oneOf('anonymous', 'trusted'), aFunction),
  challenges: oneOf('http', 'result'),
  scopesSupported: listOf(scopeRule),
  authorizationServers: listOf(safeUrl),
  resourceName: filledText,
  resourceDocumentation: safeUrl,
  rootMetadata: trueOrFalse,
  scopes: objectOf({ implies: impliesRule }),
  load: aFunction,
  policyTimeout: positiveMilliseconds,
  policyTtl: milliseconds,
  maxViews: wholeNumber(1),
  revocation: objectWith('a revocation list', 'isRevoked'),
  revocationTimeout: positiveMilliseconds,
};

/** `false` says that somebody else finds out who calls; what is required of callers is checked all the same. */
export const authRuleOfApplication = either(
  rule('false', (value) => value === false),
  objectOf(AUTH_RULES),
);
