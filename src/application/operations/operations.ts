import type { Explored } from '../explorer/explored-types.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { Readiness } from '../../engine/served-application.ts';
import type { Serving } from '../../transports/serving.ts';
import type { OperationsPort } from '../../transports/http/operations-port.ts';
import type { OperationsOptions } from './operations-options.ts';
import type { Logger } from '../../call/logger.ts';
import type { BackgroundWork } from '../../runtime/runtime-facet.ts';
import type { Replicas } from '../replicas.ts';
import type { ReadinessChecks } from './readiness-checks.ts';

/** Where clients are served, as far as it matters to the port of the operators. */
export interface ServedAt {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

/** What an application hands to what serves it. */
export interface ServerParts {
  /** What goes on beside requests, without that of the application before. */
  readonly background: ReadonlyMap<string, BackgroundWork>;
  readonly replicas: Replicas;
  readonly operations: Operations;
  /** What the explorer shows of the application. */
  readonly explored: () => Promise<Explored>;
}

/** The port, which stays open when another application takes over. */
interface Place {
  /** How many transports are open or opening. */
  users: number;
  port: Promise<OperationsPort> | undefined;
  /** Whether it stays open without them: an application that shuts down is watched until its end. */
  isKept: boolean;
}

// Milliseconds in which load balancers notice that health checks fail; most ask every few seconds.
const DRAIN_DELAY = 5000;

/** What operators see of one application: whether it is healthy, and its metrics. */
export class Operations implements Readiness {
  readonly #options: OperationsOptions;
  readonly #checks: ReadinessChecks;
  readonly #logger: Logger;
  #place: Place = { users: 0, port: undefined, isKept: false };
  /** Whether anybody has asked for its health since the start. */
  #isWatched = false;
  #phase: 'opening' | 'open' | 'leaving' = 'open';

  constructor(options: OperationsOptions, checks: ReadinessChecks, logger: Logger) {
    this.#options = options;
    this.#checks = checks;
    this.#logger = logger;
  }

  /** What answers health checks beside the endpoint; undefined where that is not asked for. */
  get besideEndpoint(): Readiness | undefined {
    const { health = true, port } = this.#options;
    return health && port === undefined ? this : undefined;
  }

  noticed(): void {
    this.#isWatched = true;
    this.#checks.start();
  }

  state(): { readonly isReady: boolean; readonly text: string } {
    const summary = this.#summary;
    return { isReady: summary === 'ok', text: `${summary}\n${this.#checks.details}` };
  }

  get #summary(): string {
    const { isReady } = this.#checks;
    if (this.#phase === 'leaving') return 'shutting down';
    if (this.#phase === 'opening' || isReady === undefined) return 'starting';
    return isReady ? 'ok' : 'not ready';
  }

  /** Milliseconds to serve on after a SIGTERM: by default none where nobody would notice. */
  drainDelay(given: number | undefined): number {
    return given ?? (this.#isWatched ? DRAIN_DELAY : 0);
  }

  /** From now on, no more requests should come. */
  leave(): void {
    this.#phase = 'leaving';
    this.#place.isKept = true;
    this.#checks.stop();
  }

  /** Opens a transport, and the port for as long as one is open. @throws ToolwrightError TW_SERVER_LISTEN, TW_SERVER_OPTION */
  async around<Kind extends Serving>(at: ServedAt, start: () => Promise<Kind>): Promise<Kind> {
    this.#refusePort(at);
    const place = this.#place;
    place.users += 1;
    try {
      this.#checks.start();
      const port = await this.#open(at, place);
      const serving = await start();
      if (this.#phase === 'opening') this.#phase = 'open';
      void serving.closed.then(() => endUse(place));
      return port === undefined ? serving : Object.assign(serving, { operationsUrl: port.url });
    } catch (error) {
      await endUse(place);
      throw error;
    }
  }

  /** Takes over the port of another application. */
  succeed(former: Operations): void {
    this.#place = former.#place;
    former.#place = { ...this.#place, port: undefined };
    former.#checks.stop();
    this.#checks.start();
    void this.#place.port?.then((port) => {
      port.show(this.#shown());
    });
  }

  /** To be called when nothing that operators want to see happens any more. */
  async close(): Promise<void> {
    this.#checks.stop();
    await closePort(this.#place);
  }

  #open({ host }: ServedAt, place: Place): Promise<OperationsPort> | undefined {
    const { port, host: own = host } = this.#options;
    if (port === undefined || place.port !== undefined) return place.port;
    this.#phase = 'opening';
    place.port = import('../../transports/http/operations-port.ts').then(({ OperationsPort }) =>
      OperationsPort.open({ port, host: own }, this.#shown(), this.#logger),
    );
    return place.port;
  }

  #shown() {
    const { health = true, metrics } = this.#options;
    return { readiness: health ? this : undefined, metrics };
  }

  #refusePort({ port }: ServedAt): void {
    if (port === undefined || port === 0 || port !== this.#options.port) return;
    throw new ToolwrightError('TW_SERVER_OPTION', {
      where: 'listen(), option port',
      what: `is ${String(port)}, as operations.port is.`,
      fix: 'choose another port for one of them; without operations.port, health checks are answered beside the endpoint',
    });
  }
}

async function endUse(place: Place): Promise<void> {
  place.users -= 1;
  if (place.users === 0 && !place.isKept) await closePort(place);
}

async function closePort(place: Place): Promise<void> {
  const { port } = place;
  place.port = undefined;
  const opened = await port?.catch(() => undefined);
  await opened?.close();
}
