import { attachService, type DetachFunction } from '../attach/attach-service.ts';
import { Attachments } from '../attach/attachments.ts';
import { ReplaceableApplication, type ServedApplication } from '../engine/served-application.ts';
import { authenticatesTwice } from '../runtime/auth/resource-server.ts';
import { backgroundWork, findQueueWork } from '../runtime/feature-states.ts';
import type { SurfaceName } from '../compile/surfaces/surface.ts';
import type { BackgroundWork } from '../runtime/runtime-facet.ts';
import type { ToolService } from '../runtime/routes/service-parts.ts';
import { InFlight, RunningCalls, createService, type McpService } from '../runtime/service.ts';
import { withinTime, type HttpServing, type Serving, ServingList } from '../transports/serving.ts';
import { changeNotices, type Replicas, type SharedChange } from './replicas.ts';
import { isClosed, serverInfo, servesAlready, type ApplicationSettings } from './application-settings.ts';
import { explorerOf, withoutExplorer } from './explorer/open-explorer.ts';
import {
  endWithClient,
  type EndingClient,
  readSignals,
  type HttpListenOptions,
  type StdioListenOptions,
  onShutdownSignals,
} from './listen-options.ts';
import { MountedServing } from './mounted-serving.ts';
import type { ServedAt, ServerParts } from './operations/operations.ts';
import { LocalCalls, type LocalTools } from '../runtime/local-calls.ts';
import type { RegisteredTools } from '../registry/tool-registry.ts';
import { workOn, type Working, type WorkingOptions, type WorkPlace } from './working.ts';

// Milliseconds for a transport to open or to close, or for the task store, until the shutdown goes on without it.
const ENDING = 5000;

/** What transports know of the application behind them, and who closes them. */
interface Front {
  readonly application: ReplaceableApplication;
  /** The instances that share the sessions of its clients. */
  readonly replicas: Replicas;
  server: ApplicationServer;
}

/** Everything that serves one application, and its orderly shutdown. */
export class ApplicationServer {
  /** Accepted until the end of the drain: a running handler may call further tools. */
  readonly localCalls: LocalCalls;
  /** For requests that other servers have accepted. */
  readonly mounted: MountedServing;
  /** For the explorer. */
  readonly explored: ServerParts['explored'];
  /** Whether every running call ended by itself; undefined before the drain. */
  isDrained: boolean | undefined;
  readonly #settings: ApplicationSettings;
  readonly #closeApplication: (signal?: string) => Promise<void>;
  /** This application, also after its transports were handed over. */
  readonly #own: ServedApplication;
  #front: Front;
  /** Removes the SIGINT and SIGTERM handlers; set once a transport needs them, until the hooks have run. */
  #releaseSignals: (() => void) | undefined;
  #servings = new ServingList();
  readonly #calls = new InFlight();
  readonly #attachments = new Attachments();
  /** Calls on connections that we do not own; those still running are aborted after the drain. */
  readonly #unconnected = new RunningCalls();
  /** For calls from inside the process and for servers that others own. */
  readonly #service: McpService;
  /** Without that of the application before, and without what the one that took over goes on with. */
  readonly #background: Map<string, BackgroundWork>;
  readonly #operations: ServerParts['operations'];
  readonly #replicas: Replicas;
  #state: 'open' | 'leaving' | 'draining' | 'closed' = 'open';

  constructor(
    settings: ApplicationSettings,
    service: McpService,
    closeApplication: (signal?: string) => Promise<void>,
    { background, replicas, operations, explored }: ServerParts,
  ) {
    this.#replicas = replicas;
    this.explored = explored;
    this.#settings = settings;
    this.#closeApplication = closeApplication;
    this.#operations = operations;
    this.#own = Object.freeze({
      info: serverInfo(settings),
      service: service.admittedBy(this.#calls).admittedBy(service.settings.open),
      logger: settings.logger,
      readiness: operations.besideEndpoint,
      ...(replicas.sessions && { sessions: replicas.sessions }),
    });
    this.mounted = new MountedServing(this.#own, replicas.resumable({ sessions: false, ...settings.fetch }));
    this.#front = { application: new ReplaceableApplication(this.#own), replicas, server: this };
    replicas.onChange((change) => {
      if (this.#front.replicas === replicas) this.#notifyHere(change);
    });
    this.#background = new Map(background);
    this.#service = this.#own.service.admittedBy(this.#unconnected);
    this.localCalls = new LocalCalls(this.#service);
  }

  /** Notifies every connected client, on any transport of any instance. */
  notify(change: SharedChange): void {
    this.#front.replicas.tell(change);
    this.#notifyHere(change);
  }

  #notifyHere(change: SharedChange): void {
    for (const notice of changeNotices(change, this.#own.service)) {
      this.#servings.notify(notice);
      this.mounted.notify(notice);
      this.#attachments.notify(notice);
    }
    // What outlives this application goes on to speak through it.
    if (this.#front.server !== this) this.#front.server.#notifyHere(change);
  }

  /**
   * Hands all transports over: from now on the other application answers there. What was received before is answered
   * here; `fetch`, `node` and attachments stay.
   */
  handOver(next: ApplicationServer): void {
    this.#refuseWhenClosing();
    next.#refuseWhenClosing();
    if (!next.#servings.isEmpty) throw servesAlready(next.#settings.name);
    const { resourceServer } = this.#settings;
    if (resourceServer !== undefined) next.#settings.resourceServer?.succeed(resourceServer);
    this.#front.application.become(next.#own);
    this.#front.server = next;
    next.#front = this.#front;
    next.#servings = this.#servings;
    this.#servings = new ServingList();
    next.#operations.succeed(this.#operations);
    this.#beginDraining();
    for (const [name, work] of this.#background) {
      if (next.#background.has(name)) continue;
      next.#background.set(name, work);
      this.#background.delete(name);
    }
    if (this.#releaseSignals === undefined) return;
    next.#listenToSignals();
    this.#releaseSignals();
    this.#releaseSignals = undefined;
  }

  /** Resolves when nothing that began here runs any more. */
  async whenIdle(): Promise<void> {
    const background = backgroundWork(this.#own.service.settings).values();
    await Promise.all([this.#calls, ...background].map((each) => each.whenIdle()));
  }

  /** Like {@link localCalls}, but for other tools than those served to clients. */
  serveLocally(tools: ToolService, surface: SurfaceName): LocalTools {
    const parts = { tools, prompts: undefined, resources: undefined, completions: undefined };
    const { service: served, logger } = this.#own;
    const service = createService(parts, served.settings, logger);
    return this.localCalls.serve(
      service.admittedBy(this.#calls).admittedBy(this.#unconnected),
      tools,
      surface,
    );
  }

  /** @param other a service other than the application's own; its calls are counted */
  attach(server: unknown, other?: McpService): DetachFunction {
    this.#refuseWhenClosing();
    const service = other?.admittedBy(this.#calls).admittedBy(this.#unconnected) ?? this.#service;
    return this.#attachments.add(attachService(server, service, this.#own.logger));
  }

  async listen(given: HttpListenOptions): Promise<HttpServing> {
    const { signals, options: all } = readSignals('listen()', given);
    const options = withoutExplorer(all);
    const isKnown = this.#settings.resourceServer !== undefined;
    if (isKnown && options.authenticate !== undefined) throw authenticatesTwice('listen()');
    return this.#open(signals, options, async () => {
      const { serveHttp } = await import('../transports/http/serve-http.ts');
      const beside = await explorerOf(all, () => this.#front.server.explored());
      return serveHttp(this.#front.application, this.#front.replicas.resumable(options), beside);
    });
  }

  async stdio(given: StdioListenOptions): Promise<Serving> {
    const { signals, options } = readSignals('stdio()', given);
    const serving = await this.#open(signals, {}, async () => {
      const { serveStdio } = await import('../transports/stdio/serve-stdio.ts');
      return serveStdio(this.#front.application, options);
    });
    void serving.closed.then(() => this.#front.server.#closeWhenUnused(serving));
    return serving;
  }

  /** @param registry knows the queues of all actions */
  work(given: WorkingOptions, registry: RegisteredTools): Promise<Working> {
    const { signals, options } = readSignals('work()', given);
    const { logger, service } = this.#own;
    const work = findQueueWork(service.settings);
    const serve: WorkPlace['serve'] = (request) => this.#front.application.service.serve(request);
    const place = { registry, work, serve, logger };
    return this.#open(signals, {}, () => workOn(place, options));
  }

  async connect(transport: object): Promise<Serving> {
    return this.#open(false, undefined, async () => {
      const { serveTransport } = await import('../transports/serve-transport.ts');
      return serveTransport(this.#front.application, transport);
    });
  }

  /**
   * Refuses new requests, waits for running calls up to the drain timeout, then closes everything. A failure to close
   * is logged, and does not keep the rest from closing.
   * @param signal a SIGTERM leaves time to send clients elsewhere first
   */
  async close(signal?: string): Promise<void> {
    if (signal === 'SIGTERM' && this.#state === 'open') await this.#leave();
    this.#beginDraining();
    this.#operations.leave();
    const background = [...this.#background.values()];
    await withinTime(this.#servings.opened(), ENDING);
    await this.#attempt(async () => {
      const stopped = [this.#servings.stop(), this.mounted.stop(), this.#calls.whenIdle()];
      this.isDrained = await withinTime(
        Promise.all(stopped).then(() => Promise.all(background.map((work) => work.whenIdle()))),
        this.#settings.drainTimeout,
      );
    });
    this.#state = 'closed';
    this.localCalls.close(() => isClosed(this.#settings.name, this.#state));
    // Before the other shutdowns reach it, so that tasks end as cancelled instead of failed.
    for (const work of background) await this.#attempt(() => withinTime(work.close(), ENDING));
    this.#unconnected.shutDown();
    for (const cause of await this.#servings.close(ENDING)) this.#logFailure(cause);
    await this.#attempt(() => this.mounted.close());
    this.#attachments.detachAll();
    const { replicas, server } = this.#front;
    // The application that took over goes on with those of its clients
    const own = new Set([replicas, this.#replicas]);
    if (server !== this) own.delete(replicas);
    for (const each of own) await this.#attempt(() => withinTime(each.close(), ENDING));
  }

  /** Releases the process-wide handlers, and what operators see, after the shutdown hooks have run. */
  async release(): Promise<void> {
    this.#releaseSignals?.();
    this.#releaseSignals = undefined;
    this.#servings.release();
    await this.#attempt(() => this.#operations.close());
  }

  /** Serves on while health checks say that no more requests should come, until those who send them have noticed. */
  async #leave(): Promise<void> {
    const milliseconds = this.#operations.drainDelay(this.#settings.drainDelay);
    if (milliseconds === 0 || !this.#servings.hasGuests) return;
    this.#state = 'leaving';
    this.#operations.leave();
    this.#servings.beginLeaving();
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  #beginDraining(): void {
    this.#state = 'draining';
    this.mounted.isEnding = true;
  }

  /** @param at undefined for what opens no port of the operators */
  async #open<Kind extends Serving>(
    hasSignals: boolean,
    at: ServedAt | undefined,
    start: () => Promise<Kind>,
  ): Promise<Kind> {
    this.#refuseWhenClosing();
    const operations = this.#front.server.#operations;
    const serving = await this.#servings.add(at === undefined ? start() : operations.around(at, start));
    if (this.#state === 'closed') {
      await serving.close();
      throw isClosed(this.#settings.name, this.#state);
    }
    if (hasSignals) this.#front.server.#listenToSignals();
    return serving;
  }

  #listenToSignals(): void {
    this.#releaseSignals ??= onShutdownSignals(async (signal) => {
      await this.#closeApplication(signal);
      return this.isDrained !== false;
    });
  }

  /** Closes a stdio server when its client leaves, unless other transports are still open. */
  async #closeWhenUnused(client: EndingClient): Promise<void> {
    if (!this.#servings.isEmpty || this.mounted.isUsed || !this.#attachments.isEmpty) return;
    const close = (): Promise<boolean> => this.#attempt(() => this.#closeApplication());
    await endWithClient(client, close, this.#settings);
  }

  /** @returns whether it succeeded; a failure is logged */
  async #attempt(step: () => Promise<unknown>): Promise<boolean> {
    return step().then(
      () => true,
      (error: unknown) => this.#logFailure(error),
    );
  }

  #logFailure(error: unknown): false {
    const message = 'The application could not be shut down cleanly';
    this.#settings.logger.log({ level: 'error', event: 'shutdown.failed', message, error });
    return false;
  }

  #refuseWhenClosing(): void {
    if (this.#state !== 'open') throw isClosed(this.#settings.name, this.#state);
  }
}
