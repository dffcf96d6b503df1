export {
  auth0,
  cognito,
  entra,
  github,
  google,
  keycloak,
  oidc,
  okta,
  providers,
  type CognitoOptions,
  type DomainOptions,
  type EntraOptions,
  type KeycloakOptions,
  type OidcOptions,
} from './presets.ts';
export type { ClaimNames, ProviderOptions, ReadPerson } from './provider-definition.ts';
export type {
  SignedInPerson,
  SignIn,
  SignInAssertions,
  SignInClients,
  SignInEvent,
  SignInLimits,
  SignInOptions,
  SignInPage,
  SignInProvider,
  SignIns,
  SignInTarget,
  SignInView,
  StaticClient,
} from '../features/sign-in/options.ts';
export type { Upstream } from '../call/upstream.ts';
