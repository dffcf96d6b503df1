import { isPlainObject } from '../shared/json.ts';
import type { ChangeNotice } from '../call/notifier.ts';
import { subjectKey } from '../call/subject.ts';
import type { Subject } from '../call/request-context.ts';
import { SharedRecords } from '../engine/revisions/2025/shared-records.ts';
import type { SharedSessions } from '../engine/served-application.ts';
import { Peers } from '../runtime/peers/peers.ts';
import type { McpService } from '../runtime/service.ts';
import { observeStore } from '../kernel/call/telemetry.ts';
import { unref } from '../shared/platform.ts';
import type { EventStore } from '../transports/event-store/event-store.ts';
import { SealedEventStore } from '../transports/event-store/sealed-event-store.ts';
import type { HttpHandlerOptions } from '../transports/http/http-options.ts';
import type { ApplicationSettings } from './application-settings.ts';
import type { BackplanePorts } from './backplane.ts';
import type { Opened } from './start-stages.ts';

/** What instances say to each other about what clients see. */
export type SharedChange = ChangeNotice | { readonly kind: 'views'; readonly subject?: Subject | undefined };

const CHANGES = 'change';
const FORGET = 'forget';
/** Milliseconds within which the instances say that lists may have changed, each at a time of its own. */
const JITTER = 2_000;
const LISTS = ['tools', 'prompts', 'resources'] as const;

/** The instances of one application, as one of them sees the others. Without a backplane there are none. */
export class Replicas {
  /** Undefined where each instance has its own sessions. */
  readonly sessions: SharedSessions | undefined;
  readonly #events: EventStore | undefined;
  readonly #peers: Peers | undefined;
  readonly #opened: Pick<Opened, 'close'>;
  #hint: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    ports: BackplanePorts,
    peers: Peers | undefined,
    settings: ApplicationSettings,
    opened: Opened,
  ) {
    const { name: server, secrets, logger } = settings;
    const { store, events } = ports;
    this.#opened = opened;
    this.#peers = peers;
    const sessions = store && observeStore(store, 'sessions', settings.telemetry);
    this.sessions = sessions &&
      peers && { records: new SharedRecords(sessions, { server, secrets, logger }), peers };
    this.#events = events && new SealedEventStore(events, { server, secrets });
  }

  /** @param opened what is closed after this instance has left the others */
  static async join(ports: BackplanePorts, settings: ApplicationSettings, opened: Opened): Promise<Replicas> {
    const { bus, store } = ports;
    const { name, secrets, logger } = settings;
    const isAlone = bus === undefined && store === undefined;
    const peers = isAlone ? undefined : await Peers.join(bus, { name, secrets, logger });
    const replicas = new Replicas(ports, peers, settings, opened);
    opened.add(() => replicas.#leave());
    return replicas;
  }

  tell(change: SharedChange): void {
    void this.#peers?.tell(CHANGES, change);
  }

  /** Resolves when the others have been sent it. */
  async tellToForget(owner: string): Promise<void> {
    await this.#peers?.tell(FORGET, owner);
  }

  /** Receives whom other instances forget. */
  onForget(listener: (owner: string) => void): void {
    this.#peers?.on(FORGET, (owner) => {
      listener(String(owner));
    });
  }

  /** Receives the changes at other instances, and a hint for each list after some may have been lost. */
  onChange(listener: (change: SharedChange) => void): void {
    this.#peers?.on(CHANGES, (body) => {
      listener(body as SharedChange);
    });
    this.#peers?.onGap(() => {
      if (this.#hint !== undefined) return;
      this.#hint = setTimeout(() => {
        this.#hint = undefined;
        for (const kind of LISTS) listener({ kind });
      }, Math.random() * JITTER);
      unref(this.#hint);
    });
  }

  /** The options of an endpoint, whose lost streams can be resumed at any instance. */
  resumable<Options extends HttpHandlerOptions>(options: Options): Options {
    // What is not an object is refused where it is served
    if (this.#events === undefined || !isPlainObject(options)) return options;
    const { sessions = true } = options;
    if (sessions === false) return options;
    return { ...options, sessions: { eventStore: this.#events, ...(sessions === true ? {} : sessions) } };
  }

  /** Leaves the others, and closes what the application has opened. */
  close(): Promise<void> {
    return this.#opened.close();
  }

  #leave(): void {
    clearTimeout(this.#hint);
    this.#peers?.close();
  }
}

/** Asks the policies again, and gives what clients are notified of then. */
export function changeNotices(change: SharedChange, service: McpService): readonly ChangeNotice[] {
  if (change.kind !== 'views') return [change];
  service.settings.authorization.forget(change.subject);
  const subject = change.subject && subjectKey(change.subject);
  return LISTS.filter((kind) => service[kind] !== undefined).map((kind) => ({ kind, subject }));
}
