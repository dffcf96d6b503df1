import type { ChangeNotice } from '../call/notifier.ts';
import type { ServedApplication } from '../engine/served-application.ts';
import { OnceMade } from '../shared/once-made.ts';
import type { FetchHandler } from '../transports/fetch/create-fetch-handler.ts';
import type { HttpHandlerOptions } from '../transports/http/http-options.ts';

/** Answers requests that other HTTP servers have accepted: runtimes of fetch, and `node:http`. */
export class MountedServing {
  /** Set when the application ends: what nobody has used until then is not opened any more. */
  isEnding = false;
  readonly #handler = new OnceMade(() => this.#open());
  readonly #application: ServedApplication;
  readonly #options: HttpHandlerOptions;
  #opened: FetchHandler | undefined;
  #isClosed = false;

  constructor(application: ServedApplication, options: HttpHandlerOptions) {
    this.#application = application;
    this.#options = options;
  }

  get isUsed(): boolean {
    return this.#handler.current !== undefined;
  }

  async fetch(request: Request): Promise<Response> {
    const handler = await this.#handlerUnlessClosing();
    if (handler !== undefined) return handler.fetch(request);
    const { refuseFetch } = await import('../transports/fetch/create-fetch-handler.ts');
    return refuseFetch();
  }

  async node(request: unknown, response: unknown, parsedBody: unknown): Promise<void> {
    const { mountedRequest, refuseMounted } = await import('../transports/http/mounted-request.ts');
    const mounted = mountedRequest(request, response, parsedBody);
    const handler = await this.#handlerUnlessClosing();
    if (handler !== undefined) return handler.node(mounted);
    return refuseMounted(mounted);
  }

  notify(change: ChangeNotice): void {
    this.#opened?.notify(change);
  }

  /** Refuses new requests and resolves when those that run are answered. */
  async stop(): Promise<void> {
    const handler = await this.#handler.current;
    await handler?.stop();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const handler = await this.#handler.current;
    await handler?.close();
  }

  async #handlerUnlessClosing(): Promise<FetchHandler | undefined> {
    // Nothing would close a handler that opens during the drain.
    const isRefused = this.isEnding && !this.isUsed;
    if (isRefused || this.#isClosed) return undefined;
    return this.#handler.get();
  }

  async #open(): Promise<FetchHandler> {
    const { createFetchHandler } = await import('../transports/fetch/create-fetch-handler.ts');
    this.#opened = createFetchHandler(this.#application, { sessions: false, ...this.#options });
    return this.#opened;
  }
}
