import type { CallToolResult } from '../call/call-tool-result.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { attachService } from '../runtime/attach/attach-service.ts';
import { createToolService, toolContextOf } from '../runtime/create-tool-service.ts';
import { createLocalExchange, type LocalCallOptions } from '../runtime/local-exchange.ts';
import type { ToolRegistry } from '../runtime/tool-registry.ts';
import type { DetachFunction, ToolService } from '../runtime/tool-service.ts';
import type { FetchHandler } from '../server/fetch/create-fetch-handler.ts';
import { countCalls } from '../server/count-calls.ts';
import { InFlight } from '../server/in-flight.ts';
import type { ServerSurface } from '../server/server-surface.ts';
import type { HttpServing, Serving } from '../server/serving.ts';
import { onShutdownSignals } from '../server/signals.ts';
import { serverInfo, type ApplicationSettings } from './application-options.ts';
import type { HttpListenOptions, StdioListenOptions } from './listen-options.ts';
import { ServingList, withinTime } from './serving-list.ts';

/** Everything that serves one application, and what it takes to end all of it in order. */
export class ApplicationServer {
  readonly #settings: ApplicationSettings;
  readonly #registry: ToolRegistry;
  readonly #closeApplication: (signal?: string) => Promise<void>;
  readonly #tools: ToolService;
  readonly #surface: ServerSurface;
  readonly #servings = new ServingList();
  readonly #calls = new InFlight();
  readonly #attachments = new Set<DetachFunction>();
  #fetchHandler: Promise<FetchHandler> | undefined;
  #localCalls = 0;
  #isClosed = false;

  constructor(
    settings: ApplicationSettings,
    registry: ToolRegistry,
    closeApplication: (signal?: string) => Promise<void>,
  ) {
    this.#settings = settings;
    this.#registry = registry;
    this.#closeApplication = closeApplication;
    const tools = createToolService(registry, settings.filter, toolContextOf, settings);
    const parts = { prompts: undefined, resources: undefined, completions: undefined, pagination: undefined };
    const service = countCalls({ tools, ...parts }, this.#calls);
    this.#tools = service.tools ?? tools;
    this.#surface = Object.freeze({ info: serverInfo(settings), service, logger: settings.logger });
    registry.onChange(() => {
      this.#servings.notify({ kind: 'tools' });
    });
  }

  async call(tool: string, args: unknown, options: LocalCallOptions): Promise<CallToolResult> {
    this.#refuseWhenClosed();
    const exchange = createLocalExchange(`local-${String(++this.#localCalls)}`, options);
    return this.#tools.call(tool, args, exchange);
  }

  attach(server: unknown): DetachFunction {
    this.#refuseWhenClosed();
    const { service, logger } = this.#surface;
    const attachment = attachService(server, service, { logger });
    const unsubscribe = this.#registry.onChange(() => {
      attachment.notify({ kind: 'tools' });
    });
    const detach = (): void => {
      unsubscribe();
      this.#attachments.delete(detach);
      attachment();
    };
    this.#attachments.add(detach);
    return detach;
  }

  async listen({ signals = true, ...options }: HttpListenOptions): Promise<HttpServing> {
    this.#refuseWhenClosed();
    const { serveHttp } = await import('../server/http/serve-http.ts');
    return this.#add(await serveHttp(this.#surface, options), signals);
  }

  async stdio({ signals = true, ...options }: StdioListenOptions): Promise<Serving> {
    this.#refuseWhenClosed();
    const { serveStdio } = await import('../server/stdio/serve-stdio.ts');
    const serving = this.#add(await serveStdio(this.#surface, options), signals);
    void serving.closed.then(() => (this.#servings.isEmpty ? this.#closeApplication() : undefined));
    return serving;
  }

  async fetch(request: Request): Promise<Response> {
    this.#refuseWhenClosed();
    this.#fetchHandler ??= this.#openFetchHandler();
    return (await this.#fetchHandler).fetch(request);
  }

  async connect(transport: object): Promise<Serving> {
    this.#refuseWhenClosed();
    const { serveTransport } = await import('../server/sdk-v1/serve-transport.ts');
    return this.#servings.add(await serveTransport(this.#surface, transport));
  }

  /** Refuses what is new, waits for what runs as long as the drain time-out allows, then ends everything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { drainTimeout } = this.#settings;
    await Promise.all([this.#servings.stop(drainTimeout), withinTime(this.#calls.whenIdle(), drainTimeout)]);
    await this.#servings.close();
    await (await this.#fetchHandler)?.close();
    for (const detach of [...this.#attachments]) detach();
  }

  #add<Kind extends Serving>(serving: Kind, hasSignals: boolean): Kind {
    if (hasSignals) {
      const uninstall = onShutdownSignals((signal) => this.#closeApplication(signal));
      void serving.closed.then(uninstall);
    }
    return this.#servings.add(serving);
  }

  async #openFetchHandler(): Promise<FetchHandler> {
    const { createFetchHandler } = await import('../server/fetch/create-fetch-handler.ts');
    return createFetchHandler(this.#surface, { sessions: false });
  }

  #refuseWhenClosed(): void {
    if (!this.#isClosed) return;
    throw new ToolwrightError('TW_APPLICATION_CLOSED', {
      where: this.#settings.name,
      what: 'was closed.',
      why: 'its singletons are shut down and cannot be used again.',
      fix: 'create a new application',
    });
  }
}
