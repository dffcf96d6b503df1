import { OwnerShares, type Concession, type Owner } from '../../shared/owner-shares.ts';
import { InFlight } from '../in-flight.ts';
import type { HttpConnection } from './sessions/http-connection.ts';
import type { SessionLimits } from './http-options.ts';

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

  constructor(id: string, owner: Owner, now: () => number) {
    this.id = id;
    this.owner = owner;
    this.#now = now;
    this.#lastUsed = now();
    const use = (): void => {
      this.#lastUsed = now();
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

  get lastUsed(): number {
    return this.#lastUsed;
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
  readonly #shares = new OwnerShares<SessionEntry>();
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
    if (!this.#shares.makeRoom(owner, 1, bounds, this.#concession)) return undefined;
    this.#shares.add(owner, 1);
    const session = new HttpSession(crypto.randomUUID(), owner, this.#now);
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
  readonly #concession: Concession<SessionEntry> = {
    spare: (offered, lead) => {
      if (lead < 0) return undefined;
      const all = [...offered];
      const idle = longestUnused(all.filter(({ session }) => !session.isInUse));
      if (idle !== undefined || lead < 1) return idle;
      // Streams alone must not keep out who has fewer sessions.
      return longestUnused(all.filter(({ session }) => !session.isBusy));
    },
    isSooner: (one, other) => one.session.lastUsed < other.session.lastUsed,
    giveUp: (entry) => {
      this.#end(entry);
    },
  };

  #keep(entry: SessionEntry): void {
    const { session, connection } = entry;
    this.#entries.set(session.id, entry);
    this.#shares.offer(session.owner, entry);
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
    const { id, owner } = entry.session;
    if (!this.#entries.delete(id)) return;
    this.#shares.withdraw(owner, entry);
    this.#shares.remove(owner, 1);
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

function longestUnused(entries: readonly SessionEntry[]): SessionEntry | undefined {
  const [first, ...others] = entries;
  if (first === undefined) return undefined;
  return others.reduce((one, other) => (other.session.lastUsed < one.session.lastUsed ? other : one), first);
}
