import { claimAt } from '../auth/claims.ts';
import type { SignedInPerson } from '../features/sign-in/options.ts';
import type { PlainObject } from '../shared/json.ts';
import type { ClaimNames, ProviderDefinition } from './provider-definition.ts';

/** The subject of a client that acts for itself begins so, and no person's does. */
export const CLIENT_PREFIX = 'client:';

/** Why a person may not sign in; for the log, and never for a client. */
export class PersonRefused extends Error {}

/**
 * The person whom verified claims name.
 * @param prefix keeps those of several providers apart
 * @throws PersonRefused
 */
export async function readPerson(
  claims: PlainObject,
  { facts, options }: ProviderDefinition,
  prefix: string,
): Promise<SignedInPerson> {
  const person =
    typeof options.claims === 'function' ? given(options.claims, claims) : personIn(claims, facts, options);
  if (person === undefined || typeof person.sub !== 'string' || person.sub === '')
    throw new PersonRefused('the claims name no subject');
  await checkAllowed(person, claims, { facts, options });
  const sub = `${prefix}${person.sub}`;
  if (sub.startsWith(CLIENT_PREFIX)) throw new PersonRefused('the subject would be that of a client');
  return { ...person, sub };
}

/** What a function of the application makes of claims that it did not expect is nobody. */
function given<Person>(read: (claims: PlainObject) => Person, claims: PlainObject): Person {
  try {
    return read(claims);
  } catch {
    throw new PersonRefused('claims() failed');
  }
}

/** @throws PersonRefused for a person whom the options do not let in */
async function checkAllowed(
  person: SignedInPerson,
  claims: PlainObject,
  { facts, options }: ProviderDefinition,
): Promise<void> {
  const { domains, tenants, allow } = options;
  if (domains !== undefined && !domains.includes(domainIn(claims, facts) ?? ''))
    throw new PersonRefused('the domain is not among domains');
  if (tenants !== undefined && !tenants.includes(person.tenant ?? ''))
    throw new PersonRefused('the tenant is not among tenants');
  const isAllowed: unknown = allow === undefined || (await allow(person));
  if (isAllowed !== true) throw new PersonRefused('allow() refused');
}

function personIn(
  claims: PlainObject,
  facts: ProviderDefinition['facts'],
  options: ProviderDefinition['options'],
): SignedInPerson | undefined {
  const names: ClaimNames = { ...facts.claims, ...(options.claims as ClaimNames | undefined) };
  const sub = subjectIn(claims, facts, options.claims as ClaimNames | undefined);
  if (sub === undefined) return undefined;
  const at = (path: string | undefined): string | undefined => {
    const value = path === undefined ? undefined : claimAt(claims, path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const roles = names.roles === undefined ? [] : claimAt(claims, names.roles);
  const more = Object.entries(names.more ?? {}).map(([name, path]) => [name, claimAt(claims, path)] as const);
  return {
    sub,
    roles: (Array.isArray(roles) ? roles : [roles]).filter(
      (role): role is string => typeof role === 'string',
    ),
    tenant: at(names.tenant),
    name: at(names.name),
    email: at(names.email),
    ...(more.length > 0 && { more: Object.fromEntries(more) }),
  };
}

function subjectIn(
  claims: PlainObject,
  { subjectOf, claims: own }: ProviderDefinition['facts'],
  given: ClaimNames | undefined,
): string | undefined {
  const paths = given?.sub === undefined ? (subjectOf ?? [own.sub ?? 'sub']) : [given.sub];
  const parts = paths.map((path) => claimAt(claims, path));
  const isNamed = parts.every(
    (part) => (typeof part === 'string' && part !== '') || typeof part === 'number',
  );
  return isNamed ? parts.map(String).join('.') : undefined;
}

/** An address that the provider has not verified may be anybody's. */
function domainIn(claims: PlainObject, { domainClaim }: ProviderDefinition['facts']): string | undefined {
  const domain = domainClaim === undefined ? undefined : claims[domainClaim];
  if (domainClaim !== undefined) return typeof domain === 'string' ? domain.toLowerCase() : undefined;
  const { email, email_verified: isVerified } = claims;
  if (typeof email !== 'string' || isVerified !== true) return undefined;
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
