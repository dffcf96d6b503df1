import type { HttpDoor } from '../../call/http-door.ts';
import type { Logger } from '../../call/logger.ts';
import type { AuthInfo } from '../../call/request-context.ts';
import type { Upstream } from '../../call/upstream.ts';
import type { ProtectedResource } from '../../metadata/token-verifier.ts';
import {
  aFunction,
  anything,
  either,
  filledText,
  listOf,
  milliseconds,
  objectOf,
  objectWith,
  oneOf,
  positiveMilliseconds,
  required,
  rule,
  safeUrl,
  secret,
  texts,
  trueOrFalse,
  isSafeUrl,
  wholeNumber,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { isObject, isPlainObject } from '../../shared/json.ts';
import type { SignInStep } from './step.ts';
import type { Secrets } from '../../shared/sealed-text.ts';

/** Who has signed in, as the application will know them. */
export interface SignedInPerson {
  /** The subject of the tokens: it never changes, and no other person gets it. */
  readonly sub: string;
  /** What the provider says that they may do. */
  readonly roles: readonly string[];
  /** The organization that they belong to. */
  readonly tenant?: string | undefined;
  /** For people to read. */
  readonly name?: string | undefined;
  /** Their e-mail address, which may change and names nobody. */
  readonly email?: string | undefined;
  /** Further facts, by the names of `claims.more`. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

/** A client that is known before it asks. */
export interface StaticClient {
  /** What it names itself by. */
  readonly id: string;
  /** What people see. */
  readonly name: string;
  /** Default: none, for programs that cannot keep one. */
  readonly secret?: string;
  /** Public keys (RFC 7517), for a client that signs who it is (`private_key_jwt`) in place of a secret. Default: none. */
  readonly jwks?: { readonly keys: readonly object[] };
  /** Where it is led back to. Default: nowhere, for a client that signs no people in. */
  readonly redirects?: readonly string[];
  /**
   * How it gets tokens: by signing people in, or for itself (`client_credentials`, with a secret or keys), with the subject
   * `client:<id>`. Default `['authorization_code']`.
   */
  readonly grants?: readonly ('authorization_code' | 'client_credentials')[];
  /** What it may have for itself. Default: `defaultScopes`. */
  readonly scopes?: readonly string[];
}

/** Whose identity assertions (ID-JAG) count: a provider says who a person is, and nobody opens a browser. */
export interface SignInAssertions {
  /** The provider that signs them: the issuer of one that people sign in with. */
  readonly issuer: string;
  /** Where its keys are. Default: where its metadata says. */
  readonly jwksUri?: string;
  /** The ids of the static clients that may bring them. Each has a secret or keys. */
  readonly clients: readonly string[];
  /** What clients may get for them. Default: what the assertion names, and `defaultScopes` where it names none. */
  readonly scopes?: readonly string[];
}

/** Which programs may sign people in. */
export interface SignInClients {
  /**
   * Clients that name themselves by the URL of a document: all of them, or those of a list (`https://client.example/*`). With
   * `fetch` the documents come over a proxy of yours, and it decides which hosts may be reached. Default true.
   */
  readonly metadata?:
    | boolean
    | readonly string[]
    | {
        readonly only?: readonly string[];
        readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
      };
  /** Whether clients may register themselves. Nothing is stored for it. Default true. */
  readonly register?: boolean;
  /** Clients with an id of your own. Default: none. */
  readonly static?: readonly StaticClient[];
}

/** How the page looks where people agree. */
export interface SignInPage {
  /** The name of the application. Default: `title` or `name` of the application. */
  readonly name?: string;
  /** A picture above the text: an https URL, or `data:image/…;base64,…`. Default: none. */
  readonly logo?: string;
  /** A colour, as `#rrggbb`. */
  readonly accent?: string;
  /** The language of the texts. Default `en`. */
  readonly language?: string;
  /** Whom people ask for help: a text. */
  readonly support?: string;
  /** Texts in place of ours, by their names. Default: English ones, or German ones for `de`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/**
 * What a page of your own shows. All texts are escaped for HTML. `consent` needs two forms of the method `post`: to
 * `${action}/allow`, with the field `provider` where there are several, and to `${action}/deny`.
 */
export type SignInView =
  | {
      readonly kind: 'consent';
      readonly application: string;
      /** What the client calls itself. */
      readonly client: string;
      /** The host that published the document of the client; undefined for one whose name nobody has checked. */
      readonly publishedBy: string | undefined;
      /** Whether it is among `clients.static`. */
      readonly isListed: boolean;
      /** Where it is led back to. */
      readonly redirect: string;
      /** Whether that is a program on the computer of the person. */
      readonly isOnThisComputer: boolean;
      /** The texts of the scopes. */
      readonly scopes: readonly string[];
      readonly providers: readonly { readonly name: string; readonly title: string }[];
      readonly action: string;
    }
  | {
      /** What may not go back to a client. */
      readonly kind: 'failure';
      readonly application: string;
      /** Finds it in the log. */
      readonly code: string;
    };

/** Requests per minute and address; `allMetadata` counts for all addresses together. */
export interface SignInLimits {
  /** Default 20. */
  readonly register?: number;
  /** Default 30. */
  readonly authorize?: number;
  /** Default 60. */
  readonly token?: number;
  /** Reports of a provider that people signed out there: all come from few addresses. Default 600. */
  readonly backChannel?: number;
  /** Documents of clients that are fetched. Default 10. */
  readonly metadata?: number;
  /** The same of all addresses together. Default 60. */
  readonly allMetadata?: number;
}

/** A person who has just signed in, and the client that they use. */
export interface SignInEvent {
  /** As the application will know them. */
  readonly person: SignedInPerson;
  /** The id of the client. */
  readonly client: string;
  /** What the client gets. */
  readonly scopes: readonly string[];
}

/** Lets people sign in with a provider. */
export interface SignInOptions {
  /** Whom people sign in with: `google()`, `oidc()` and others of `toolwright/sign-in`. */
  readonly provider: SignInProvider;
  /** The issuer of the tokens. Default: the origin of `resource`. */
  readonly issuer?: string;
  /** What each scope is called on the page. Default: the scopes of `@Scopes`, or the one scope `mcp`. */
  readonly scopes?: Readonly<Record<string, string>>;
  /** What a client gets that asks for no scope that is known. Default: `auth.scopesSupported`, else those of actions that are not destructive. */
  readonly defaultScopes?: readonly string[];
  /** Which programs may come. Default: those that show a document, and those that register themselves. */
  readonly clients?: SignInClients;
  /**
   * Where clients may be sent back to, beside known clients, this computer, and the origin of a client's document; `*` stands for one
   * segment of a path. `{ only }` replaces all of them.
   */
  readonly redirects?: readonly string[] | { readonly only: readonly string[] };
  /**
   * When people see the page: `always`; with `remember` not again within 30 days for the same person, client, place and scopes,
   * where the browser was opened for it and leads back to an https address; with `provider` never, which takes clients of your own
   * only. Default `always`.
   */
  readonly consent?: 'always' | 'remember' | 'provider';
  /** Milliseconds. Default 1 hour. */
  readonly accessTokenTtl?: number;
  /** Milliseconds that a refresh token may be unused. Default 30 days. */
  readonly refreshTokenTtl?: number;
  /** Milliseconds after which people sign in again. Default 90 days. */
  readonly signInTtl?: number;
  /** Milliseconds for which a refresh may be repeated. Default 120,000. */
  readonly refreshGrace?: number;
  /** How often unknown clients may ask. Default: see its members. */
  readonly limits?: SignInLimits;
  /**
   * How the page looks, or a function that gives it whole, as HTML without script: it has to name the client and the place
   * that it leads back to. Default: plain.
   */
  readonly page?: SignInPage | ((view: SignInView) => string);
  /** Providers whose word about a person counts without a browser. Default: none. */
  readonly assertions?: readonly SignInAssertions[];
  /** Asked before anything is granted: false refuses the person. */
  readonly onSignIn?: (event: SignInEvent) => boolean | undefined | Promise<boolean | undefined>;
  /** Told after a sign-in was ended. */
  readonly onSignOut?: (event: { readonly sub: string }) => void;
}

/** The application, as its authorization server sees it. */
export interface SignInPlace {
  readonly options: SignInOptions;
  /** What people know the application by. */
  readonly title: string;
  /** Apart from other applications in one store. */
  readonly server: string;
  /** The URL of the endpoint. @throws ToolwrightError where it is not known yet */
  resource(): string;
  readonly secrets: Secrets | undefined;
  readonly logger: Logger;
  readonly store: unknown;
  /** Of the application's actions, and those that a client gets by itself. */
  readonly scopes: readonly string[];
  readonly defaultScopes: readonly string[];
  readonly rootMetadata: boolean;
  /** Reports a step to audits and metrics. */
  readonly tell: (step: SignInStep) => void;
}

/** A person's sign-in with one client. */
export interface SignIn {
  /** Names it in `app.signIn.end()`. */
  readonly grant: string;
  /** The client, by its URL, or by a hash where it has registered itself. */
  readonly client: string;
  /** What the client calls itself; undefined where it has said nothing. */
  readonly name?: string | undefined;
  /** What the client may do. */
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Whose sign-ins are meant: all of a person, or one. */
export type SignInTarget =
  | { readonly sub: string; readonly tenant?: string | undefined }
  | { readonly grant: string };

/** What people have signed in to, and how it ends: `app.signIn`. */
export interface SignIns {
  /** The sign-ins of a person. */
  list(person: { readonly sub: string; readonly tenant?: string | undefined }): Promise<readonly SignIn[]>;
  /** Ends sign-ins on all instances. @returns how many there were */
  end(target: SignInTarget): Promise<number>;
}

/** What the owner of an application has to know at the provider. */
export interface SignInSetup {
  readonly provider: string;
  /** Undefined where the URL of the application is not known yet. */
  readonly issuer: string | undefined;
  /** What is special about the provider. */
  readonly hints: readonly string[];
}

/** An authorization server that runs in the application. */
export interface SignInServer extends HttpDoor, SignIns {
  readonly issuer: string;
  recognizes(token: string): boolean;
  verify(token: string, server: ProtectedResource): AuthInfo | Promise<AuthInfo>;
  upstreamOf(authInfo: AuthInfo): Upstream | undefined;
  /** The next refresh of the caller's client fails, so that it signs in for what it was asked for. */
  stepUp(authInfo: AuthInfo): Promise<void> | undefined;
}

/** Whom people sign in with: made by `toolwright/sign-in`. */
export interface SignInProvider {
  /** What it is called in options and records. */
  readonly name: string;
  /**
   * What its owner has to know there: a sentence each.
   * @internal
   */
  readonly hints?: readonly string[];
  /**
   * Loads what it needs, and starts the server. Called by the application.
   * @internal
   */
  open(place: SignInPlace): Promise<SignInServer>;
}

const isIssuer = (value: unknown): boolean =>
  isSafeUrl(value) && !/[?#]|\/$/.test(value) && new URL(value).href.replace(/\/$/, '') === value;

/** A star in a host would lead to places of others. */
const PATTERN = /^[a-z][\w+.-]*:(?:[^*]*$|\/\/[^*/?#]+(?::\*)?\/)/i;
const listedUrls = listOf(
  rule('a URL, with * in its path only', (value) => typeof value === 'string' && PATTERN.test(value)),
);

const clientRule = objectOf<StaticClient>({
  id: required(filledText),
  name: required(filledText),
  secret: secret(filledText),
  jwks: rule('a set of public keys: { keys: [{ kty, … }] }', isKeySet),
  redirects: listOf(filledText),
  grants: listOf(oneOf('authorization_code', 'client_credentials')),
  scopes: texts,
});

/** Without what only the client may know. */
function isKeySet(value: unknown): boolean {
  if (!isPlainObject(value) || !Array.isArray(value['keys']) || value['keys'].length === 0) return false;
  return value['keys'].every((key) => isPlainObject(key) && key['kty'] !== 'oct' && key['d'] === undefined);
}

const assertionsRule = objectOf<SignInAssertions>({
  issuer: required(safeUrl),
  jwksUri: safeUrl,
  clients: required(listOf(filledText)),
  scopes: texts,
});

const pageRule = objectOf<SignInPage>({
  name: filledText,
  logo: rule('an https URL, or data:image/…;base64,…', isPicture),
  accent: rule('a colour: #1a73e8', (value) => typeof value === 'string' && /^#[\da-f]{6}$/i.test(value)),
  language: oneOf('en', 'de'),
  support: filledText,
  texts: anything,
});

function isPicture(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return isSafeUrl(value) || /^data:image\/(png|jpeg|webp|gif|svg\+xml);base64,[\w+/]+=*$/.test(value);
}

const providerRule = objectWith('a provider, such as google() of toolwright/sign-in,', 'open');

export const SIGN_IN_RULES: OptionRules<SignInOptions> = {
  provider: required(providerRule),
  issuer: rule('an https URL without a slash at its end; http on this machine only', isIssuer),
  scopes: rule("an object of texts: { 'tasks:read': 'Read your tasks' }", isObject),
  defaultScopes: listOf(filledText),
  clients: objectOf<SignInClients>({
    metadata: either(trueOrFalse, listedUrls, objectOf({ only: listedUrls, fetch: aFunction })),
    register: trueOrFalse,
    static: listOf(clientRule),
  }),
  redirects: either(listedUrls, objectOf({ only: required(listedUrls) })),
  consent: oneOf('always', 'remember', 'provider'),
  accessTokenTtl: positiveMilliseconds,
  refreshTokenTtl: wholeNumber(1000),
  signInTtl: wholeNumber(1000),
  refreshGrace: milliseconds,
  limits: objectOf<SignInLimits>({
    register: wholeNumber(1),
    authorize: wholeNumber(1),
    token: wholeNumber(1),
    backChannel: wholeNumber(1),
    metadata: wholeNumber(1),
    allMetadata: wholeNumber(1),
  }),
  page: either(pageRule, aFunction),
  assertions: listOf(assertionsRule),
  onSignIn: aFunction,
  onSignOut: aFunction,
};

export const signInRule = either(providerRule, objectOf(SIGN_IN_RULES));

/** A provider alone stands for all defaults. */
export function signInOptions(given: SignInProvider | SignInOptions): SignInOptions {
  return 'provider' in given ? given : { provider: given };
}
