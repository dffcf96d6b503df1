import { randomBytes } from 'node:crypto';
import { ownerName } from '../call/subject.ts';
import { PersonRefused, readPerson } from './person.ts';
import { AccountPage } from './account.ts';
import { failureCode, type AuthorizationServer } from './authorization-server.ts';
import type { Pages } from './consent-page.ts';
import type { SignInOptions, SignedInPerson } from '../features/sign-in/options.ts';
import type { SignInOutcome, SignInStep } from '../features/sign-in/step.ts';
import { isLoopbackRedirect } from '../shared/loopback.ts';
import { splitKey } from '../shared/owners/owned-key.ts';
import type { InMemoryExchange } from './in-memory-http.ts';
import { isForeign, PageRefused, redirectTo, type PageRequest } from './page-request.ts';
import type { ProviderInteraction } from './peers.ts';
import { StoreUnavailable } from './records.ts';
import { ConsentMissing, RememberedConsents, type WantedConsent } from './remembered-consents.ts';
import {
  UpstreamRefused,
  UpstreamUnavailable,
  type Leg,
  type UpstreamProvider,
} from './upstream-provider.ts';

const LEG = 'leg';
const LEG_TTL = 15 * 60_000;
const UID = /^[\w-]{8,64}$/;

/** A sign-in that a browser has begun, and that only this browser goes on with. */
interface Begun {
  readonly uid: string;
  readonly exchange: InMemoryExchange;
  readonly interaction: ProviderInteraction;
}

/** The steps of a sign-in between the client's request and its code: our page, the provider, and back. */
export class SignInFlow {
  readonly #server: AuthorizationServer;
  readonly #pages: Pages;
  readonly #options: SignInOptions;
  /** Undefined where every sign-in shows the page. */
  readonly #consents: RememberedConsents | undefined;
  readonly #account: AccountPage;

  constructor(server: AuthorizationServer, pages: Pages, options: SignInOptions) {
    const { issuer, records, grants } = server;
    this.#server = server;
    if (options.consent === 'remember') this.#consents = new RememberedConsents(issuer, records, grants);
    this.#account = new AccountPage(server, pages);
    this.#pages = pages;
    this.#options = options;
  }

  /** @param path below `/sign-in/` */
  async answer(path: string, request: PageRequest): Promise<Response> {
    const [uid = '', step = ''] = path.split('/', 2);
    try {
      const shared = (await this.#account.answer(path, request)) ?? (await this.#shared(path, request));
      if (shared !== undefined) return shared;
      if (!UID.test(uid) || path.split('/').length > 2) return this.#fail(400, 'address');
      const begun = await this.#begun(uid, step, request);
      if (begun === undefined) return this.#fail(request.method === 'POST' ? 403 : 400, 'browser');
      return await this.#step(step, begun, request);
    } catch (error) {
      if (error instanceof PageRefused) return this.#fail(error.status, error.message);
      if (isPassing(error)) return this.#fail(503, 'unavailable', error, { 'retry-after': '5' });
      return this.#fail(500, 'failed', error);
    }
  }

  /** What the provider knows: the same address for everybody. */
  async #shared(path: string, request: PageRequest): Promise<Response | undefined> {
    if (path === 'callback' && request.method === 'GET') return this.#callback(request);
    if (path !== 'backchannel' || request.method !== 'POST') return undefined;
    return this.#server.backChannel.answer(request.form.get('logout_token') ?? '');
  }

  async #step(step: string, begun: Begun, request: PageRequest): Promise<Response> {
    const { method } = request;
    if (method === 'GET' && step === '') return this.#begin(begun, request);
    if (method === 'GET' && step === 'done') return this.#finish(begun, request.query);
    if (method !== 'POST' || !['allow', 'deny'].includes(step)) return this.#fail(404, 'address');
    if (isForeign(request, this.#server.issuer)) return this.#fail(403, 'origin');
    if (step === 'deny') {
      this.#tell('denied', begun);
      return this.#refuse(begun, 'The person has refused', 'denied');
    }
    return this.#send(begun, request.form.get('provider'));
  }

  /** The interaction of the browser that has its cookie. */
  async #begun(uid: string, step: string, { method, headers }: PageRequest): Promise<Begun | undefined> {
    const path = `/sign-in/${uid}${step === '' ? '' : `/${step}`}`;
    const exchange = this.#server.exchange(path, { method, headers });
    try {
      const interaction = await this.#server.provider.interactionDetails(exchange.request, exchange.response);
      return interaction.uid === uid ? { uid, exchange, interaction } : undefined;
    } catch (error) {
      if ((error as Error).name === 'SessionNotFound') return undefined;
      throw error;
    }
  }

  /** The page, unless this consent is not needed. */
  async #begin(begun: Begun, request: PageRequest): Promise<Response> {
    const { providers } = this.#server;
    if (this.#options.consent === 'provider' && providers.size === 1) return this.#send(begun, null);
    const agreed = await this.#consents?.find(consentOf(begun.interaction), request.headers);
    if (agreed === undefined || !providers.has(agreed.provider)) return this.#show(begun);
    return this.#send(begun, agreed.provider, agreed.owner);
  }

  async #show({ uid, interaction }: Begun): Promise<Response> {
    const id = textIn(interaction, 'client_id');
    const client = await this.#server.provider.Client.find(id);
    if (client === undefined) return this.#fail(400, 'client');
    const redirect = textIn(interaction, 'redirect_uri');
    const isDocument = id.startsWith('https://');
    const { scopes = {}, clients } = this.#options;
    const names = scopesIn(interaction).filter((scope) => !['openid', 'offline_access'].includes(scope));
    return this.#pages.consent({
      client: client.clientName ?? (isDocument ? new URL(id).host : 'A program'),
      publishedBy: isDocument ? new URL(id).host : undefined,
      isListed: clients?.static?.some((each) => each.id === id) === true,
      redirect,
      isOnThisComputer: isLoopbackRedirect(redirect),
      scopes: names.map((scope) => scopes[scope] ?? scope),
      providers: [...this.#server.providers.values()].map(({ definition: { facts } }) => facts),
      action: `${new URL(this.#server.issuer).pathname.replace(/\/$/, '')}/sign-in/${uid}`,
    });
  }

  /** The person has agreed: on to the provider. */
  async #send(begun: Begun, chosen: string | null, agreed?: string): Promise<Response> {
    const { uid } = begun;
    const { providers, records } = this.#server;
    const [first] = providers.keys();
    const provider = providers.get(chosen ?? first ?? '');
    if (provider === undefined) return this.#fail(400, 'provider');
    const random = (): string => randomBytes(24).toString('base64url');
    // It begins with the uid, since the provider leads every browser to the same address
    const leg: Leg = {
      provider: provider.name,
      state: `${uid}.${random()}`,
      nonce: random(),
      verifier: random() + random(),
      agreed,
    };
    const url = await provider.authorizationUrl(leg);
    await records.put(LEG, uid, leg, { ttl: LEG_TTL, isSpare: true });
    if (agreed === undefined) this.#tell('allowed', begun, { provider: provider.name });
    return redirectTo(url);
  }

  /** Leads the browser to where it has its cookie. */
  #callback({ query }: PageRequest): Response {
    const [uid = ''] = (query.get('state') ?? '').split('.', 1);
    if (!UID.test(uid)) return this.#fail(400, 'state');
    return redirectTo(`${this.#server.issuer}/sign-in/${uid}/done?${query.toString()}`);
  }

  async #finish(begun: Begun, query: URLSearchParams): Promise<Response> {
    const { records, providers } = this.#server;
    const kept = (await records.get<Leg>(LEG, begun.uid))?.value;
    // What somebody made up must not use the real one up
    if (kept === undefined || query.get('state') !== kept.state) return this.#fail(400, 'state');
    const leg = await records.take<Leg>(LEG, begun.uid);
    const provider = leg && providers.get(leg.provider);
    if (leg === undefined || provider === undefined) return this.#fail(400, 'used');
    if (query.get('error') !== null) {
      this.#tell('provider-refused', begun, { provider: provider.name });
      return this.#refuse(begun, 'The identity provider has refused', 'provider');
    }
    try {
      const redeemed = await provider.redeem(query.toString(), leg);
      return await this.#grant(begun, provider, redeemed, leg.agreed);
    } catch (error) {
      // Somebody else, who has not agreed, and sees the page
      if (error instanceof ConsentMissing) return this.#askAgain(begun);
      return this.#refuseAfter(error, begun, provider);
    }
  }

  /** The client gets a refusal; what went wrong is in the audit and the log. */
  #refuseAfter(error: unknown, begun: Begun, { name: provider }: UpstreamProvider): Promise<Response> {
    if (error instanceof PersonRefused) {
      this.#tell('refused', begun, { provider, reason: error.message });
      return this.#refuse(begun, 'The person may not sign in', error.message);
    }
    if (error instanceof UpstreamRefused) {
      this.#tell('provider-refused', begun, { provider, reason: error.message });
      return this.#refuse(begun, 'The identity provider has refused', error.message);
    }
    if (error instanceof UpstreamUnavailable)
      return this.#refuse(begun, 'The identity provider cannot be reached', error.message);
    throw error;
  }

  #askAgain({ uid, interaction }: Begun): Response {
    const answer = redirectTo(`${this.#server.issuer}/sign-in/${uid}`);
    const dropped = this.#consents?.drop(consentOf(interaction));
    if (dropped !== undefined) answer.headers.append('set-cookie', dropped);
    return answer;
  }

  async #grant(
    begun: Begun,
    provider: UpstreamProvider,
    { tokens, claims }: Awaited<ReturnType<UpstreamProvider['redeem']>>,
    agreed: string | undefined,
  ): Promise<Response> {
    const { providers, grants, resources } = this.#server;
    const { interaction } = begun;
    const prefix = providers.size > 1 ? `${provider.name}:` : '';
    const person = await readPerson(claims, provider.definition, prefix);
    const client = textIn(interaction, 'client_id');
    const resource = resources.find(textIn(interaction, 'resource'));
    if (resource === undefined) throw new PersonRefused('the resource is another one');
    const tenant = resources.tenantOf(resource);
    if (tenant !== undefined && person.tenant !== tenant) throw new PersonRefused('of another tenant');
    const scopes = scopesIn(interaction);
    const { sub, tenant: ownTenant } = person;
    if (agreed !== undefined && ownerName({ issuer: this.#server.issuer, sub, tenant: ownTenant }) !== agreed)
      throw new ConsentMissing();
    await this.#ask(person, client, scopes);
    const { clientName: name } = (await this.#server.provider.Client.find(client)) ?? {};
    const id = await grants.add({ provider, person, client, name, scopes, tokens });
    await this.#server.backChannel.remember(provider.name, claims, id);
    const grant = new this.#server.provider.Grant({ jti: id, accountId: person.sub, clientId: client });
    grant.addOIDCScope('openid offline_access');
    grant.addResourceScope(resource, scopes.join(' '));
    await grant.save();
    const [owner] = splitKey(id);
    this.#tell('signed-in', begun, { provider: provider.name, owner, tenant: person.tenant });
    const answer = await this.#return(begun, {
      login: { accountId: person.sub, remember: false },
      consent: { grantId: id },
    });
    const isNew = agreed === undefined;
    const keep = isNew ? this.#consents?.keep(consentOf(interaction), id, provider.name) : undefined;
    // Without it, the page is shown again
    const kept = await keep?.catch(() => undefined);
    if (kept !== undefined) answer.headers.append('set-cookie', kept);
    return answer;
  }

  async #ask(person: SignedInPerson, client: string, scopes: readonly string[]): Promise<void> {
    const { onSignIn } = this.#options;
    if ((await onSignIn?.({ person, client, scopes })) === false)
      throw new PersonRefused('onSignIn() refused');
  }

  /** Says so to the client, in a text that says nothing of the person. */
  #refuse(begun: Begun, error_description: string, reason: string): Promise<Response> {
    this.#log('notice', 'A sign-in was refused.', { reason });
    return this.#return(begun, { error: 'access_denied', error_description });
  }

  async #return({ exchange }: Begun, result: object): Promise<Response> {
    const { provider } = this.#server;
    const { request, response } = exchange;
    return redirectTo(
      await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false }),
    );
  }

  #tell(
    outcome: SignInOutcome,
    { interaction }: Begun,
    facts: Omit<Partial<SignInStep>, 'client'> = {},
  ): void {
    const client = textIn(interaction, 'client_id');
    const redirects = [textIn(interaction, 'redirect_uri')];
    this.#server.tell({ outcome, client, redirects, scopes: scopesIn(interaction), ...facts });
  }

  #fail(
    status: number,
    reason: string,
    cause?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Response {
    const code = failureCode();
    const isFault = status >= 500;
    const message = `A page of a sign-in was not shown, with the code ${code}.`;
    if (isFault) this.#server.logger.log({ level: 'error', event: 'sign-in.failed', message, cause });
    else this.#log('notice', message, { reason });
    return this.#pages.failure(status, code, headers);
  }

  #log(level: 'notice', message: string, facts: { readonly reason: string }): void {
    this.#server.logger.log({ level, event: 'sign-in.refused', message, ...facts });
  }
}

function textIn({ params }: ProviderInteraction, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}

function consentOf(interaction: ProviderInteraction): WantedConsent {
  return {
    client: textIn(interaction, 'client_id'),
    redirect: textIn(interaction, 'redirect_uri'),
    scopes: scopesIn(interaction),
    isAsked: textIn(interaction, 'prompt').split(' ').includes('consent'),
  };
}

function scopesIn(interaction: ProviderInteraction): readonly string[] {
  return textIn(interaction, 'scope')
    .split(' ')
    .filter((scope) => scope !== '' && scope !== 'openid' && scope !== 'offline_access');
}

/** A store or a provider that cannot be reached now; the last is what our adapter makes of a store. */
function isPassing(error: unknown): boolean {
  if (error instanceof StoreUnavailable || error instanceof UpstreamUnavailable) return true;
  return (error as { error?: unknown }).error === 'temporarily_unavailable';
}
