import type { Logger } from '../index.ts';
import { ASSERTION_TTL, AssertionRefused, readIdentityAssertion } from '../auth/identity-assertion.ts';
import { KeySet } from '../auth/key-set.ts';
import type { SignedInPerson, SignInAssertions } from '../features/sign-in/options.ts';
import type { PlainObject } from '../shared/json.ts';
import { PersonRefused, readPerson } from './person.ts';
import type { Records } from './records.ts';
import type { Resources } from './resources.ts';
import { issuerIn } from './signing-keys.ts';
import { UpstreamUnavailable, type UpstreamProvider } from './upstream-provider.ts';

const USED = 'assertion';

/** What a client brings. */
export interface BroughtAssertion {
  readonly assertion: string;
  readonly client: string;
  /** What it asks for; undefined where it does not say. */
  readonly resource: string | undefined;
  readonly scope: string | undefined;
}

/** What it may have for it. */
export interface AssertedPerson {
  readonly provider: UpstreamProvider;
  readonly person: SignedInPerson;
  readonly resource: string;
  readonly scopes: readonly string[];
}

export interface AssertionsPlace {
  readonly issuer: string;
  readonly records: Records;
  readonly resources: Resources;
  readonly providers: ReadonlyMap<string, UpstreamProvider>;
  readonly scopes: readonly string[];
  readonly defaultScopes: readonly string[];
  readonly logger: Logger;
}

/** Reads what providers say of people to clients that they know (Identity Assertion JWT Authorization Grant). */
export class Assertions {
  readonly #place: AssertionsPlace;
  readonly #trusted: ReadonlyMap<string, SignInAssertions>;
  readonly #keys = new Map<string, KeySet>();

  constructor(place: AssertionsPlace, trusted: readonly SignInAssertions[]) {
    this.#place = place;
    this.#trusted = new Map(trusted.map((each) => [each.issuer, each]));
  }

  /** @throws AssertionRefused, PersonRefused, UpstreamUnavailable, StoreUnavailable */
  async read(brought: BroughtAssertion): Promise<AssertedPerson> {
    const issuer = issuerIn(brought.assertion);
    const trusted = typeof issuer === 'string' ? this.#trusted.get(issuer) : undefined;
    const provider = trusted && this.#providerAt(trusted.issuer);
    if (trusted === undefined || provider === undefined)
      throw new AssertionRefused('the issuer is not listed');
    const claims = await this.#verify(brought.assertion, trusted, provider);
    if (!trusted.clients.includes(brought.client) || claims['client_id'] !== brought.client)
      throw new AssertionRefused('it is for another client');
    const resource = this.#resourceIn(claims, brought.resource);
    const scopes = this.#scopesIn(claims, brought.scope, trusted);
    await this.#useOnce(claims);
    const prefix = this.#place.providers.size > 1 ? `${provider.name}:` : '';
    const person = await readPerson(claims, provider.definition, prefix);
    const tenant = this.#place.resources.tenantOf(resource);
    if (tenant !== undefined && person.tenant !== tenant) throw new PersonRefused('of another tenant');
    return { provider, person, resource, scopes };
  }

  async #verify(
    assertion: string,
    trusted: SignInAssertions,
    provider: UpstreamProvider,
  ): Promise<PlainObject> {
    const keys = this.#findKeys(trusted, provider);
    const expected = { issuer: trusted.issuer, audience: this.#place.issuer, keys };
    return readIdentityAssertion(assertion, expected).catch((cause: unknown) => {
      if (cause instanceof AssertionRefused) throw cause;
      throw new UpstreamUnavailable('the keys of the provider are not known', { cause });
    });
  }

  /** The URL in the assertion and the one that the client names are the same, where both are there. */
  #resourceIn({ resource: given }: PlainObject, asked: string | undefined): string {
    const { resources } = this.#place;
    if (given !== undefined && typeof given !== 'string')
      throw new AssertionRefused('it is for several resources');
    const named = given === undefined ? undefined : (resources.find(given) ?? '');
    const found = named ?? resources.find(asked);
    if (found === undefined || found === '' || (asked !== undefined && resources.find(asked) !== found))
      throw new AssertionRefused('it is for another resource');
    return found;
  }

  /** What the client asks for, and else what the assertion has, as far as both and the options allow. */
  #scopesIn({ scope }: PlainObject, asked: string | undefined, trusted: SignInAssertions): readonly string[] {
    const { scopes: known, defaultScopes } = this.#place;
    if (scope !== undefined && typeof scope !== 'string')
      throw new AssertionRefused('its scope is not a text');
    const given = scope === undefined ? undefined : splitScope(scope);
    const wanted = asked === undefined ? (given ?? defaultScopes) : splitScope(asked);
    // Where neither the provider nor the owner says what, no more than harmless actions
    const listed = trusted.scopes ?? given ?? defaultScopes;
    return known.filter((each) => [listed, wanted, given ?? known].every((scopes) => scopes.includes(each)));
  }

  async #useOnce({ iss, jti }: PlainObject): Promise<void> {
    const name = JSON.stringify([iss, jti]);
    if (await this.#place.records.put(USED, name, 1, { ttl: ASSERTION_TTL, if: 'absent' })) return;
    throw new AssertionRefused('it has come before');
  }

  #providerAt(issuer: string): UpstreamProvider | undefined {
    return [...this.#place.providers.values()].find(
      ({ definition: { facts } }) => facts.personUrl === undefined && facts.issuer === issuer,
    );
  }

  #findKeys({ issuer, jwksUri }: SignInAssertions, { definition }: UpstreamProvider): KeySet {
    const known = this.#keys.get(issuer);
    if (known !== undefined) return known;
    const keys = new KeySet({ issuer, jwksUri, fetch: definition.options.fetch }, this.#place.logger);
    this.#keys.set(issuer, keys);
    return keys;
  }
}

/** The texts of a scope, each once. */
export function splitScope(scope: string): readonly string[] {
  return [...new Set(scope.split(' ').filter((each) => each !== ''))];
}
