import { optionError } from '../errors/option-errors.ts';
import { checkOptions, filledText, required, safeUrl, type OptionRules } from '../shared/option-rules.ts';
import type { SignInPlace, SignInProvider, SignInServer } from '../features/sign-in/options.ts';
import {
  PROVIDER_RULES,
  type ProviderDefinition,
  type ProviderFacts,
  type ProviderOptions,
} from './provider-definition.ts';

/** A provider, or several of them. */
class Providers implements SignInProvider {
  readonly name: string;
  readonly hints: readonly string[];
  readonly definitions: readonly ProviderDefinition[];

  constructor(definitions: readonly ProviderDefinition[]) {
    this.definitions = definitions;
    this.name = definitions.map(({ facts }) => facts.name).join(', ');
    this.hints = definitions.flatMap(({ facts: { title, hints = [] } }) =>
      hints.map((hint) => `${title}: ${hint}`),
    );
    Object.freeze(this);
  }

  async open(place: SignInPlace): Promise<SignInServer> {
    const { openSignIn } = await import('./open-sign-in.ts');
    return openSignIn(this.definitions, place);
  }
}

/** Options of {@link oidc}. */
export interface OidcOptions extends ProviderOptions {
  /** The issuer, as it names itself. */
  readonly issuer: string;
  /** How people call it. Default: the host of the issuer. */
  readonly title?: string;
}

/** Options of {@link entra}. */
export interface EntraOptions extends ProviderOptions {
  /** The id of the tenant; `common` and `organizations` need `tenants`. */
  readonly tenant: string;
}

/** Options of {@link okta} and {@link auth0}. */
export interface DomainOptions extends ProviderOptions {
  /** The host: `acme.okta.com`. */
  readonly domain: string;
}

/** Options of {@link keycloak}. */
export interface KeycloakOptions extends ProviderOptions {
  /** Where it is: `https://id.acme.com`. */
  readonly url: string;
  /** The realm. */
  readonly realm: string;
}

/** Options of {@link cognito}. */
export interface CognitoOptions extends ProviderOptions {
  /** Where it is: `eu-central-1`. */
  readonly region: string;
  /** The id of the user pool. */
  readonly pool: string;
}

const NAMES = { name: 'name', email: 'email' } as const;
const PERSON = ['openid', 'profile', 'email'] as const;

/**
 * People sign in with any provider of OpenID Connect.
 *
 * @throws ToolwrightError `TW_SIGN_IN_OPTION`
 * @example
 * const signIn = oidc({ issuer: 'https://id.example', clientId: 'desk', clientSecret: 'the secret of the desk' });
 */
export function oidc(options: OidcOptions): SignInProvider {
  const rules: OptionRules<OidcOptions> = { ...PROVIDER_RULES, issuer: required(safeUrl), title: filledText };
  return provider('oidc()', options, rules, ({ issuer, title = new URL(issuer).host }) => ({
    ...{ name: 'oidc', title, issuer, scopes: PERSON, offlineAccess: 'listed', secretIn: 'header' },
    claims: { ...NAMES, roles: 'roles' },
  }));
}

/**
 * People sign in with their Google account. Not tried against the provider.
 * `domains: ['acme.com']` admits those of a company only.
 *
 * @throws ToolwrightError `TW_SIGN_IN_OPTION`
 * @example
 * const signIn = google({ clientId: 'desk', clientSecret: 'the secret of the desk', domains: ['acme.com'] });
 */
export function google(options: ProviderOptions): SignInProvider {
  return provider('google()', options, PROVIDER_RULES, () => ({
    ...{ name: 'google', title: 'Google', issuer: 'https://accounts.google.com', scopes: PERSON },
    // Without `prompt`, only the first sign-in of a person gives a refresh token
    ...{ offlineAccess: 'never', parameters: { access_type: 'offline', prompt: 'consent' } },
    ...{ secretIn: 'body', claims: { ...NAMES, tenant: 'hd' }, domainClaim: 'hd' },
    revocation: { kind: 'rfc7009', url: 'https://oauth2.googleapis.com/revoke' },
    hints: ['a project in "Testing" ends sign-ins after 7 days.'],
  }));
}

/**
 * People sign in with GitHub. Not tried against the provider. It has no ID tokens: its API says who they are.
 *
 * @throws ToolwrightError `TW_SIGN_IN_OPTION`
 * @example
 * const signIn = github({ clientId: 'desk', clientSecret: 'the secret of the desk' });
 */
export function github(options: ProviderOptions): SignInProvider {
  const origin = 'https://github.com/login/oauth';
  return provider('github()', options, PROVIDER_RULES, ({ clientId }) => ({
    ...{ name: 'github', title: 'GitHub', issuer: origin, scopes: ['read:user', 'user:email'] },
    endpoints: { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/access_token` },
    ...{ offlineAccess: 'never', secretIn: 'body', personUrl: 'https://api.github.com/user' },
    hints: ['create an "OAuth App" or a "GitHub App"; the subject is the number of the account.'],
    // Never the login, which is given away again
    claims: { ...NAMES, sub: 'id' },
    revocation: {
      kind: 'delete-grant',
      url: `https://api.github.com/applications/${encodeURIComponent(clientId)}/grant`,
    },
  }));
}

/**
 * People sign in with Microsoft Entra ID. Not tried against the provider. Roles are its app roles.
 *
 * @throws ToolwrightError `TW_SIGN_IN_OPTION`
 * @example
 * const signIn = entra({ tenant: '6babcaad-604b-40ac-a9d7-9fd97c0b779f', clientId: 'desk', clientSecret: 'its secret' });
 */
export function entra(options: EntraOptions): SignInProvider {
  const rules = { ...PROVIDER_RULES, tenant: required(filledText) };
  return provider('entra()', options, rules, ({ tenant, tenants }) => {
    if (['common', 'organizations', 'consumers'].includes(tenant) && tenants === undefined)
      throw faulty(
        'entra()',
        'tenants',
        `left out for ${tenant}`,
        'a list of the tenants whose people may sign in',
      );
    return {
      ...{ name: 'entra', title: 'Microsoft', issuer: `https://login.microsoftonline.com/${tenant}/v2.0` },
      ...{ scopes: PERSON, offlineAccess: 'always', secretIn: 'body' },
      // `sub` is another one for each application, and the e-mail address is what people say
      ...{ claims: { ...NAMES, roles: 'roles', tenant: 'tid' }, subjectOf: ['tid', 'oid'] },
      exchange: 'on-behalf-of',
      hints: ['roles are the app roles of the application; the subject is tenant and object id.'],
    };
  });
}

/**
 * People sign in with Okta. Not tried against the provider. Groups have to be configured there.
 *
 * @throws ToolwrightError `TW_SIGN_IN_OPTION`
 * @example
 * const signIn = okta({ domain: 'acme.okta.com', clientId: 'desk', clientSecret: 'the secret of the desk' });
 */
export function okta(options: DomainOptions & { readonly server?: string }): SignInProvider {
  const rules = { ...PROVIDER_RULES, domain: required(filledText), server: filledText };
  return provider('okta()', options, rules, ({ domain, server = 'default' }) => ({
    ...{ name: 'okta', title: 'Okta', scopes: PERSON, offlineAccess: 'always', secretIn: 'header' },
    issuer: server === 'org' ? `https://${domain}` : `https://${domain}/oauth2/${server}`,
    claims: { ...NAMES, roles: 'groups' },
    hints: ['roles need a `groups` claim in the ID token.'],
  }));
}

/**
 * People sign in with Auth0. Not tried against the provider. Roles are in a claim with a name of yours.
 *
 * @throws ToolwrightError `TW_SIGN_IN_OPTION`
 * @example
 * const signIn = auth0({ domain: 'acme.eu.auth0.com', clientId: 'desk', clientSecret: 'its secret', claims: { roles: 'https://acme.com/roles' } });
 */
export function auth0(options: DomainOptions): SignInProvider {
  const rules = { ...PROVIDER_RULES, domain: required(filledText) };
  return provider('auth0()', options, rules, ({ domain }) => ({
    // It names itself with the slash
    ...{ name: 'auth0', title: 'Auth0', issuer: `https://${domain}/`, scopes: PERSON },
    ...{ offlineAccess: 'always', secretIn: 'body', claims: { ...NAMES, tenant: 'org_id' } },
    hints: [
      "roles need an action that adds a claim, and its name: claims: { roles: 'https://acme.com/roles' }.",
    ],
  }));
}

/**
 * People sign in with Keycloak. Not tried against the provider. Its roles are in the ID token only with a mapper.
 *
 * @throws ToolwrightError `TW_SIGN_IN_OPTION`
 * @example
 * const signIn = keycloak({ url: 'https://id.acme.com', realm: 'staff', clientId: 'desk', clientSecret: 'its secret' });
 */
export function keycloak(options: KeycloakOptions): SignInProvider {
  const rules = { ...PROVIDER_RULES, url: required(safeUrl), realm: required(filledText) };
  return provider('keycloak()', options, rules, ({ url, realm }) => ({
    ...{ name: 'keycloak', title: 'Keycloak', scopes: PERSON, offlineAccess: 'always', secretIn: 'header' },
    issuer: `${url.replace(/\/$/, '')}/realms/${encodeURIComponent(realm)}`,
    claims: { ...NAMES, roles: 'realm_access.roles' },
    hints: ['roles need a mapper that puts `realm_access.roles` into the ID token; allow `offline_access`.'],
  }));
}

/**
 * People sign in with Amazon Cognito. Not tried against the provider. Roles are its groups.
 *
 * @throws ToolwrightError `TW_SIGN_IN_OPTION`
 * @example
 * const signIn = cognito({ region: 'eu-central-1', pool: 'eu-central-1_abc', clientId: 'desk', clientSecret: 'its secret' });
 */
export function cognito(options: CognitoOptions): SignInProvider {
  const rules = { ...PROVIDER_RULES, region: required(filledText), pool: required(filledText) };
  return provider('cognito()', options, rules, ({ region, pool }) => ({
    // It refuses offline_access, and gives a refresh token by itself
    ...{
      name: 'cognito',
      title: 'Amazon Cognito',
      scopes: PERSON,
      offlineAccess: 'never',
      secretIn: 'header',
    },
    issuer: `https://cognito-idp.${region}.amazonaws.com/${pool}`,
    claims: { ...NAMES, roles: 'cognito:groups' },
    hints: ['roles are the groups of the pool.'],
  }));
}

/**
 * People choose one of several providers on the page. `sub` begins with the name of the provider, so that nobody of one is
 * taken for somebody of another.
 *
 * @throws ToolwrightError `TW_SIGN_IN_OPTION`
 * @example
 * const signIn = providers([
 *   google({ clientId: 'desk', clientSecret: 'one secret' }),
 *   github({ clientId: 'desk', clientSecret: 'another secret' }),
 * ]);
 */
export function providers(list: readonly SignInProvider[]): SignInProvider {
  const definitions = list.flatMap((each) => (each instanceof Providers ? each.definitions : []));
  const names = new Set(definitions.map(({ facts }) => facts.name));
  if (list.length === 0 || definitions.length < list.length || names.size < definitions.length)
    throw faulty(
      'providers()',
      '',
      'a list that is empty, or names one provider twice',
      'a list of different providers',
    );
  return new Providers(definitions);
}

function provider<Options extends ProviderOptions>(
  where: string,
  options: Options,
  rules: OptionRules<Options>,
  facts: (options: Options) => ProviderFacts,
): SignInProvider {
  const faults = checkOptions(options, rules);
  if (faults.length > 0) throw optionError('TW_SIGN_IN_OPTION', where, faults);
  return new Providers([{ facts: facts(options), options: { ...options } }]);
}

function faulty(where: string, path: string, given: string, allowed: string): Error {
  return optionError('TW_SIGN_IN_OPTION', where, [
    { path, kind: 'value', given, allowed, nearest: undefined },
  ]);
}
