import type { SurfaceChange } from '../../call/notifier.ts';
import { idOf } from '../json-rpc/check-messages.ts';
import type { ModernHandler } from '../sdk-v2/create-modern-handler.ts';
import type { ServerSurface } from '../server-surface.ts';
import type { AdmittedRequest, EraEndpoint } from './admitted-request.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import { isStopping } from './http-refusal.ts';
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

  async #serveBySdk({ request, posted, authInfo, unread }: AdmittedRequest): Promise<Response> {
    const { body, isStanding = false } = posted ?? {};
    const handler = await (this.#handler ??= this.#load());
    if (this.#isClosed) throw isStopping(idOf(body));
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
