import type { AuthenticationError, Logger } from '../index.ts';
import { KeySet } from '../auth/key-set.ts';
import type { SignedInPerson, SignInAssertions } from '../features/sign-in/options.ts';
import type { PlainObject } from '../shared/json.ts';
import { PersonRefused, readPerson } from './person.ts';
import type { Records } from './records.ts';
import type { Resources } from './resources.ts';
import { issuerIn } from './signing-keys.ts';
import { UpstreamUnavailable, type UpstreamProvider } from './upstream-provider.ts';

const TYPE = 'oauth-id-jag+jwt';
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];
/** Seconds: an assertion counts no longer than that, and clocks may differ by the other. */
const [MAX_AGE, TOLERANCE] = [300, 30];
const USED = 'assertion';
/** Claims of an assertion that count for more than who brings it can show here. */
const UNSUPPORTED = ['cnf', 'authorization_details'];

/** Why an assertion does not count; for the audit, and never for a client. */
export class AssertionRefused extends Error {}

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

  async #verify(text: string, trusted: SignInAssertions, provider: UpstreamProvider): Promise<PlainObject> {
    const { jwtVerify } = await import('jose');
    const keys = this.#findKeys(trusted, provider);
    const { issuer } = this.#place;
    const verified = await jwtVerify(text, async (header) => (await keys.find(header)).key, {
      ...{ issuer: trusted.issuer, audience: issuer, typ: TYPE, algorithms: ALGORITHMS },
      ...{ maxTokenAge: MAX_AGE, clockTolerance: TOLERANCE },
      requiredClaims: ['iss', 'sub', 'aud', 'client_id', 'jti', 'iat', 'exp'],
    }).catch((error: unknown) => {
      if ((error as Partial<AuthenticationError>).status === 503)
        throw new UpstreamUnavailable('the keys of the provider are not known', { cause: error });
      throw new AssertionRefused((error as { code?: string }).code ?? 'it is not signed by its issuer');
    });
    const { aud, exp = Infinity, iat = 0, jti } = verified.payload;
    if (aud !== issuer) throw new AssertionRefused('it is for other servers, too');
    if (exp - iat > MAX_AGE) throw new AssertionRefused('it counts for too long');
    if (typeof jti !== 'string' || jti === '') throw new AssertionRefused('it has no id');
    const found = UNSUPPORTED.find((name) => name in verified.payload);
    if (found !== undefined) throw new AssertionRefused(`it has ${found}`);
    return { ...verified.payload };
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
    const ttl = (MAX_AGE + 2 * TOLERANCE) * 1000;
    if (await this.#place.records.put(USED, name, 1, { ttl, if: 'absent' })) return;
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
