import { Buffer } from 'node:buffer';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { ownerName } from '../call/subject.ts';
import { ownedKey } from '../shared/owners/owned-key.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Pages } from './consent-page.ts';
import { cookieIn, isForeign, PageRefused, redirectTo, type PageRequest } from './page-request.ts';
import { PersonRefused, readPerson } from './person.ts';
import { UpstreamRefused, type Leg, type UpstreamProvider } from './upstream-provider.ts';

const SESSION = 'account';
const SESSION_COOKIE = 'tw_account';
const SESSION_ID = /^[\w-]{22}\.[\w-]{32}$/;
/** Milliseconds for which one sign-in opens the page. */
const SESSION_TTL = 10 * 60_000;
const LEG = 'account-leg';
const LEG_COOKIE = 'tw_account_leg';
const LEG_ID = /^[\w-]{32}$/;
const LEG_TTL = 15 * 60_000;
/** Begins the states of the page. Those of clients begin with the uid of an interaction, which is longer. */
const STATE = 'account';

/** A sign-in of a person to the page. */
interface AccountSession {
  readonly sub: string;
  readonly tenant: string | undefined;
  /** Each form brings it back: no other page can read it. */
  readonly formToken: string;
}

interface OpenSession extends AccountSession {
  readonly id: string;
}

/** The page where people see which clients may act for them, and end that. A sign-in of its own opens it for some minutes. */
export class AccountPage {
  readonly #server: AuthorizationServer;
  readonly #pages: Pages;

  constructor(server: AuthorizationServer, pages: Pages) {
    this.#server = server;
    this.#pages = pages;
  }

  /**
   * @param path below `/sign-in/`
   * @returns undefined for what belongs to another page
   * @throws PageRefused, StoreUnavailable, UpstreamUnavailable
   */
  async answer(path: string, request: PageRequest): Promise<Response | undefined> {
    const { method, query } = request;
    const isOurs = query.get('state')?.startsWith(`${STATE}.`) === true;
    if (path === 'callback' && method === 'GET' && isOurs)
      return redirectTo(`${this.#url}/done?${query.toString()}`);
    if (path !== 'account' && !path.startsWith('account/')) return undefined;
    if (method === 'GET') return this.#read(path, request);
    if (isForeign(request, this.#server.issuer)) throw new PageRefused(403, 'origin');
    return this.#change(path.slice('account/'.length), request);
  }

  #read(path: string, request: PageRequest): Promise<Response> {
    if (path === 'account') return this.#show(request);
    if (path === 'account/done') return this.#finish(request);
    throw new PageRefused(404, 'address');
  }

  async #change(step: string, request: PageRequest): Promise<Response> {
    if (step === 'sign-in') return this.#send(request);
    if (!['end', 'end-all', 'leave'].includes(step)) throw new PageRefused(404, 'address');
    const session = await this.#session(request);
    // Its time is over
    if (session === undefined) return redirectTo(this.#url);
    if (!isEqual(request.form.get('token') ?? '', session.formToken)) throw new PageRefused(403, 'form');
    const { records, grants } = this.#server;
    if (step === 'leave') {
      await records.remove(SESSION, session.id);
      return this.#lead({ [SESSION_COOKIE]: undefined });
    }
    const listed = await grants.list(session);
    const asked = request.form.get('grant');
    // Only what is of this person; a form that is sent again finds nothing more
    const ended = step === 'end-all' ? listed : listed.filter(({ grant }) => grant === asked);
    for (const { grant } of ended) await grants.end({ grant });
    return redirectTo(this.#url);
  }

  async #show(request: PageRequest): Promise<Response> {
    const session = await this.#session(request);
    const action = new URL(this.#url).pathname;
    if (session === undefined) {
      const providers = [...this.#server.providers.values()].map(({ definition: { facts } }) => facts);
      return this.#pages.accountSignIn({ providers, action });
    }
    const signIns = await this.#server.grants.list(session);
    return this.#pages.account({ signIns, action, formToken: session.formToken });
  }

  /** On to the provider, with a secret that only this browser has. */
  async #send({ form }: PageRequest): Promise<Response> {
    const { providers, records } = this.#server;
    const provider = providers.get(form.get('provider') ?? '');
    if (provider === undefined) throw new PageRefused(400, 'provider');
    const random = (): string => randomBytes(24).toString('base64url');
    const leg: Leg = {
      provider: provider.name,
      state: `${STATE}.${random()}`,
      nonce: random(),
      verifier: random() + random(),
    };
    const id = random();
    const url = await provider.authorizationUrl(leg);
    await records.put(LEG, id, leg, { ttl: LEG_TTL, isSpare: true });
    const answer = redirectTo(url);
    answer.headers.append('set-cookie', this.#cookie(LEG_COOKIE, id, LEG_TTL));
    return answer;
  }

  async #finish({ headers, query }: PageRequest): Promise<Response> {
    const { records, providers } = this.#server;
    const id = cookieIn(headers['cookie'], LEG_COOKIE) ?? '';
    const kept = LEG_ID.test(id) ? (await records.get<Leg>(LEG, id))?.value : undefined;
    // A made-up answer must not use the real one up
    if (kept === undefined || query.get('state') !== kept.state) throw new PageRefused(400, 'state');
    const leg = await records.take<Leg>(LEG, id);
    const provider = leg && providers.get(leg.provider);
    if (leg === undefined || provider === undefined) throw new PageRefused(400, 'used');
    if (query.get('error') !== null) return this.#lead({ [LEG_COOKIE]: undefined });
    const session = await this.#open(provider, query, leg);
    return this.#lead({ [LEG_COOKIE]: undefined, [SESSION_COOKIE]: session });
  }

  /** @returns the name of the session, which belongs to the person */
  async #open(provider: UpstreamProvider, query: URLSearchParams, leg: Leg): Promise<string> {
    const { issuer, providers, records } = this.#server;
    try {
      const { claims } = await provider.redeem(query.toString(), leg);
      const prefix = providers.size > 1 ? `${provider.name}:` : '';
      const { sub, tenant } = await readPerson(claims, provider.definition, prefix);
      const id = ownedKey(ownerName({ issuer, sub, tenant }), randomBytes(24).toString('base64url'));
      const session: AccountSession = { sub, tenant, formToken: randomBytes(24).toString('base64url') };
      await records.put(SESSION, id, session, { ttl: SESSION_TTL, isSpare: true });
      return id;
    } catch (error) {
      if (error instanceof PersonRefused || error instanceof UpstreamRefused)
        throw new PageRefused(403, error.message);
      throw error;
    }
  }

  async #session({ headers }: PageRequest): Promise<OpenSession | undefined> {
    const id = cookieIn(headers['cookie'], SESSION_COOKIE) ?? '';
    if (!SESSION_ID.test(id)) return undefined;
    const session = (await this.#server.records.get<AccountSession>(SESSION, id))?.value;
    return session && { ...session, id };
  }

  get #url(): string {
    return `${this.#server.issuer}/sign-in/account`;
  }

  /** To the page. @param cookies by name; undefined takes one from the browser */
  #lead(cookies: Readonly<Record<string, string | undefined>>): Response {
    const answer = redirectTo(this.#url);
    for (const [name, value] of Object.entries(cookies))
      answer.headers.append(
        'set-cookie',
        this.#cookie(name, value ?? '', value === undefined ? 0 : SESSION_TTL),
      );
    return answer;
  }

  #cookie(name: string, value: string, ttl: number): string {
    const { pathname, protocol } = new URL(this.#url);
    const secure = protocol === 'https:' ? '; Secure' : '';
    return `${name}=${value}; Path=${pathname}; Max-Age=${String(ttl / 1000)}; HttpOnly; SameSite=Lax${secure}`;
  }
}

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
