import type { SurfaceChange } from '../../call/notifier.ts';
import { OwnerShares } from '../../shared/owner-shares.ts';
import type { Cancellation } from '../direct/cancellation.ts';
import { idOf } from '../json-rpc/check-messages.ts';
import type { ModernHandler } from '../sdk-v2/create-modern-handler.ts';
import type { ServerSurface } from '../server-surface.ts';
import type { AdmittedRequest, EraEndpoint } from './admitted-request.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import { HttpRefusal, isStopping } from './http-refusal.ts';
import { StatelessDirect } from './stateless-direct.ts';

/**
 * Clients of 2026-07-28 (spec: basic/transports/streamable-http): every request stands for itself, and closing its
 * response cancels it. The SDK is loaded for the first of them.
 */
export class ModernEndpoint implements EraEndpoint {
  readonly #surface: ServerSurface;
  readonly #settings: HttpSettings;
  #handler: Promise<ModernHandler> | undefined;
  #loaded: ModernHandler | undefined;
  readonly direct: StatelessDirect;
  /** Of the number of subscriptions, each by what ends it. */
  readonly #shares = new OwnerShares<Cancellation>();
  readonly #open = new Map<Cancellation, () => void>();
  #isClosed = false;

  constructor(surface: ServerSurface, settings: HttpSettings) {
    this.#surface = surface;
    this.#settings = settings;
    this.direct = new StatelessDirect('modern', surface, settings);
  }

  async serve(admitted: AdmittedRequest): Promise<HttpAnswer> {
    if (!this.#isClosed) {
      const direct = this.direct.serve(admitted);
      if (direct !== undefined) return direct;
    }
    return this.#serveBySdk(admitted);
  }

  async #serveBySdk(admitted: AdmittedRequest): Promise<Response> {
    const { request, posted, authInfo, unread } = admitted;
    const { body, isStanding = false } = posted ?? {};
    const handler = await (this.#handler ??= this.#load());
    if (this.#isClosed) throw isStopping(idOf(body));
    if (isStanding) this.#subscribe(admitted);
    const { url, method, gone } = request;
    const headers = new Headers([...request.headers]);
    const response = await handler.serve(new Request(url, { method, headers, signal: gone.signal }), {
      body,
      isStanding,
      authInfo,
      unread,
    });
    if (response !== undefined) return response;
    // It was closed while it was served, and its client may still wait for an answer.
    throw isStopping(idOf(body));
  }

  /** @throws HttpRefusal when there are too many subscriptions */
  #subscribe({ posted, authInfo, ending, atEnd }: AdmittedRequest): void {
    const { maximumSubscriptions: total, sessionOwner } = this.#settings;
    const owner = authInfo && sessionOwner(authInfo);
    // Where nobody is asked who calls, all are one owner.
    const bounds = { total, perOwner: owner === undefined ? total : Math.ceil(total / 2) };
    const leave = (): void => {
      if (!this.#open.delete(ending)) return;
      this.#shares.withdraw(owner, ending);
      this.#shares.remove(owner, 1);
    };
    const hasRoom = this.#shares.makeRoom(owner, 1, bounds, {
      // All of them are in use, so that only who has more than another gives one up.
      spare: (offered, lead) => (lead < 1 ? undefined : offered.values().next().value),
      isSooner: () => false,
      giveUp: (given) => {
        this.#open.get(given)?.();
        given.cancel();
      },
    });
    if (!hasRoom) {
      const text = `The server has reached its limit of ${String(total)} subscriptions; try again later`;
      throw new HttpRefusal(503, text, { id: idOf(posted?.body) });
    }
    this.#shares.add(owner, 1);
    this.#shares.offer(owner, ending);
    this.#open.set(ending, leave);
    atEnd(leave);
  }

  /** Reaches the open subscriptions. Before the first modern request there are none. */
  notify(change: SurfaceChange): void {
    this.#loaded?.notify(change);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.direct.close();
    await this.#loaded?.close();
  }

  async #load(): Promise<ModernHandler> {
    const { createModernHandler } = await import('../sdk-v2/create-modern-handler.ts');
    this.#loaded = createModernHandler(this.#surface, this.#settings);
    return this.#loaded;
  }
}
