import { OwnerShares, type Owner } from '../../../shared/owner-shares.ts';
import { InFlight } from '../../../runtime/admission.ts';
import type { HttpConnection } from './http-connection.ts';
import type { SessionLimits } from '../http-options.ts';

/** One client's session, and what is under way in it. */
export class HttpSession {
  readonly id: string;
  readonly owner: Owner;
  /** Running calls, and the requests that wait for an answer. */
  readonly activity: InFlight;
  /** Open streams, on which nothing is waited for. */
  readonly streams: InFlight;
  readonly #now: () => number;
  #lastUsed: number;

  /** @param onUse told when something begins or ends in it */
  constructor(id: string, owner: Owner, now: () => number, onUse: (session: HttpSession) => void) {
    this.id = id;
    this.owner = owner;
    this.#now = now;
    this.#lastUsed = now();
    const use = (): void => {
      this.#lastUsed = now();
      onUse(this);
    };
    this.activity = new InFlight(use);
    this.streams = new InFlight(use);
  }

  get isInUse(): boolean {
    return this.isBusy || this.streams.count > 0;
  }

  /** Whether somebody waits for an answer. */
  get isBusy(): boolean {
    return this.activity.count > 0;
  }

  isIdleFor(milliseconds: number): boolean {
    return !this.isInUse && this.#now() - this.#lastUsed >= milliseconds;
  }
}

export interface SessionEntry {
  readonly session: HttpSession;
  readonly connection: HttpConnection;
}

/** The sessions of one endpoint, in memory: at most so many, each owner at most its share, and none for ever. */
export class SessionStore {
  readonly #limits: Readonly<Required<SessionLimits>>;
  readonly #entries = new Map<string, SessionEntry>();
  readonly #now: () => number;
  /** Of the number of sessions; offered are those in which nobody waits for an answer, last what was used last. */
  readonly #shares = new OwnerShares<HttpSession>();
  #sweeper: ReturnType<typeof setInterval> | undefined;

  /** @param now a clock that nobody sets */
  constructor(limits: Readonly<Required<SessionLimits>>, now = (): number => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get connections(): readonly HttpConnection[] {
    return [...this.#entries.values()].map(({ connection }) => connection);
  }

  /** A session that somebody else opened is as unknown as one that never was. */
  find(id: string, owner: Owner): SessionEntry | undefined {
    const entry = this.#entries.get(id);
    return entry !== undefined && entry.session.owner === owner ? entry : undefined;
  }

  /** Undefined when there are as many sessions as allowed and no other may be ended for it. */
  async open(
    owner: Owner,
    connect: (session: HttpSession) => Promise<HttpConnection>,
  ): Promise<SessionEntry | undefined> {
    const { maximum, maximumPerOwner } = this.#limits;
    // Where nobody is asked who calls, all are one owner, and nobody else is there to be kept out.
    const bounds = { total: maximum, perOwner: owner === undefined ? maximum : maximumPerOwner };
    const hasRoom = this.#shares.makeRoom(owner, 1, bounds, ({ id }) => {
      const entry = this.#entries.get(id);
      if (entry !== undefined) this.#end(entry);
    });
    if (!hasRoom) return undefined;
    this.#shares.add(owner, 1);
    const session = new HttpSession(crypto.randomUUID(), owner, this.#now, this.#offer);
    try {
      const entry = { session, connection: await connect(session) };
      this.#keep(entry);
      return entry;
    } catch (error) {
      this.#shares.remove(owner, 1);
      throw error;
    }
  }

  /** Closes every session that was idle for too long. */
  sweep(): void {
    for (const { session, connection } of [...this.#entries.values()]) {
      if (session.isIdleFor(this.#limits.idleTimeout)) this.#end({ session, connection });
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }

  /** Clients go away without a word, so what was unused for longest is the most likely to be left over. */
  readonly #offer = (session: HttpSession): void => {
    if (!this.#entries.has(session.id)) return;
    if (session.isBusy) this.#shares.withdraw(session.owner, session);
    // Streams alone must not keep out who has fewer sessions.
    else this.#shares.offer(session.owner, session, session.isInUse ? 1 : 0);
  };

  #keep(entry: SessionEntry): void {
    const { session, connection } = entry;
    this.#entries.set(session.id, entry);
    this.#offer(session);
    connection.closed.addEventListener('abort', () => {
      this.#remove(entry);
    });
    this.#startSweeping();
  }

  #end(entry: SessionEntry): void {
    this.#remove(entry);
    void entry.connection.close();
  }

  #remove(entry: SessionEntry): void {
    const { session } = entry;
    if (!this.#entries.delete(session.id)) return;
    this.#shares.withdraw(session.owner, session);
    this.#shares.remove(session.owner, 1);
    if (this.#entries.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #startSweeping(): void {
    const interval = Math.min(Math.max(this.#limits.idleTimeout / 2, 1000), 60_000);
    this.#sweeper ??= setInterval(() => {
      this.sweep();
    }, interval);
    // Some runtimes beside Node give a number, and none of them waits for a timer.
    if (typeof this.#sweeper === 'object') this.#sweeper.unref();
  }
}
