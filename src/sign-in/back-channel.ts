import { KeySet } from '../auth/key-set.ts';
import { LOGOUT_TOKEN_TTL, readLogoutToken, type LogoutToken } from '../auth/logout-token.ts';
import type { Logger } from '../index.ts';
import type { PlainObject } from '../shared/json.ts';
import type { Grants } from './grants.ts';
import { StoreUnavailable, type Records } from './records.ts';
import { issuerIn } from './signing-keys.ts';
import type { UpstreamProvider } from './upstream-provider.ts';

const SESSION = 'provider-session';
const USED = 'logout-token';
const MAX_GRANTS = 200;
const MAX_CHANGES = 20;

export interface BackChannelPlace {
  readonly records: Records;
  readonly grants: Grants;
  readonly providers: ReadonlyMap<string, UpstreamProvider>;
  readonly logger: Logger;
  readonly signInTtl: number;
}

/** Ends sign-ins when people sign out at the provider (OpenID Connect Back-Channel Logout 1.0). */
export class BackChannel {
  readonly #place: BackChannelPlace;
  readonly #keys = new Map<string, KeySet>();

  constructor(place: BackChannelPlace) {
    this.#place = place;
  }

  /** Keeps which sign-ins belong to a person and a session of the provider. */
  async remember(provider: string, { sub, sid }: PlainObject, grant: string): Promise<void> {
    for (const name of namesOf(provider, sub, sid)) await this.#add(name, grant);
  }

  /** Answers the provider. @throws StoreUnavailable */
  async answer(token: string): Promise<Response> {
    const provider = this.#providerOf(token);
    const read = provider && (await this.#read(provider, token));
    if (provider === undefined || read === undefined) return answer(400);
    const { records, grants } = this.#place;
    const name = `${provider.name} ${read.jti}`;
    if ((await records.get(USED, name)) !== undefined) return answer(400);
    // One session, where the token names it, and else all of the person
    const { sub, sid } = read;
    for (const each of namesOf(provider.name, sid === undefined ? sub : undefined, sid)) {
      const listed = (await records.get<readonly string[]>(SESSION, each))?.value ?? [];
      for (const grant of listed) await grants.end({ grant });
      await records.remove(SESSION, each);
    }
    // At the end: where the store fails before it, the provider reports again, and that must count
    await records.put(USED, name, 1, { ttl: LOGOUT_TOKEN_TTL });
    return answer(200);
  }

  async #read(provider: UpstreamProvider, token: string): Promise<LogoutToken | undefined> {
    const { facts, options } = provider.definition;
    const keys = this.#keysOf(provider);
    try {
      return await readLogoutToken(token, { issuer: facts.issuer, clientId: options.clientId, keys });
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const message = 'A token of a provider that ends sign-ins was refused.';
      const reason = (error as { code?: string }).code ?? 'invalid';
      this.#place.logger.log({ level: 'notice', event: 'sign-in.refused', message, reason });
      return undefined;
    }
  }

  /** The issuer is not verified yet: it only chooses among the providers of the options. */
  #providerOf(token: string): UpstreamProvider | undefined {
    const issuer = issuerIn(token);
    return [...this.#place.providers.values()].find(
      ({ definition: { facts } }) => facts.personUrl === undefined && facts.issuer === issuer,
    );
  }

  #keysOf({ name, definition: { facts, options } }: UpstreamProvider): KeySet {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const source = { issuer: facts.issuer, jwksUri: undefined, fetch: options.fetch };
    const keys = new KeySet(source, this.#place.logger);
    this.#keys.set(name, keys);
    return keys;
  }

  async #add(name: string, grant: string): Promise<void> {
    const { records, signInTtl } = this.#place;
    for (let n = 0; n < MAX_CHANGES; n += 1) {
      const found = await records.get<readonly string[]>(SESSION, name);
      const next = [...(found?.value ?? []), grant].slice(-MAX_GRANTS);
      const write = { ttl: signInTtl, if: found?.version ?? ('absent' as const) };
      if (await records.put(SESSION, name, next, write)) return;
    }
  }
}

function namesOf(provider: string, sub: unknown, sid: unknown): readonly string[] {
  const given = Object.entries({ sub, sid }).filter(([, value]) => typeof value === 'string');
  return given.map((entry) => JSON.stringify([provider, ...entry]));
}

function answer(status: number): Response {
  const body = status === 200 ? null : JSON.stringify({ error: 'invalid_request' });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(body, { status, headers });
}
