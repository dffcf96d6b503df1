import { InFlight } from '../in-flight.ts';
import type { HttpConnection } from '../sdk-v1/http-connection.ts';
import type { SessionLimits } from './http-options.ts';

/** One client's session, and what is under way in it. */
export class HttpSession {
  readonly id: string;
  /** Running calls, requests and open streams. */
  readonly activity: InFlight;
  readonly #owner: string | undefined;
  readonly #now: () => number;
  #lastUsed: number;

  constructor(id: string, owner: string | undefined, now: () => number) {
    this.id = id;
    this.#owner = owner;
    this.#now = now;
    this.#lastUsed = now();
    this.activity = new InFlight(() => {
      this.#lastUsed = now();
    });
  }

  get isInUse(): boolean {
    return this.activity.count > 0;
  }

  get lastUsed(): number {
    return this.#lastUsed;
  }

  belongsTo(owner: string | undefined): boolean {
    return this.#owner === owner;
  }

  isIdleFor(milliseconds: number): boolean {
    return !this.isInUse && this.#now() - this.#lastUsed >= milliseconds;
  }
}

export interface SessionEntry {
  readonly session: HttpSession;
  readonly connection: HttpConnection;
}

/** The sessions of one endpoint, in memory: at most so many, and none for ever. */
export class SessionStore {
  readonly #limits: Readonly<Required<SessionLimits>>;
  readonly #entries = new Map<string, SessionEntry>();
  readonly #now: () => number;
  #opening = 0;
  #sweeper: ReturnType<typeof setInterval> | undefined;

  constructor(limits: Readonly<Required<SessionLimits>>, now: () => number = Date.now) {
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
  find(id: string, owner: string | undefined): SessionEntry | undefined {
    const entry = this.#entries.get(id);
    return entry?.session.belongsTo(owner) === true ? entry : undefined;
  }

  /** Undefined when there are as many sessions as allowed and all of them are in use. */
  async open(
    owner: string | undefined,
    connect: (session: HttpSession) => Promise<HttpConnection>,
  ): Promise<SessionEntry | undefined> {
    if (this.#isFull) this.#evict();
    if (this.#isFull) return undefined;
    const session = new HttpSession(crypto.randomUUID(), owner, this.#now);
    this.#opening += 1;
    try {
      const connection = await connect(session);
      const entry = { session, connection };
      this.#entries.set(session.id, entry);
      connection.closed.addEventListener('abort', () => {
        this.#remove(session.id);
      });
      this.#startSweeping();
      return entry;
    } finally {
      this.#opening -= 1;
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

  get #isFull(): boolean {
    return this.#entries.size + this.#opening >= this.#limits.maximum;
  }

  /** Clients go away without a word, so what was unused for longest is the most likely to be left over. */
  #evict(): void {
    const unused = [...this.#entries.values()].filter(({ session }) => !session.isInUse);
    const [first, ...others] = unused;
    if (first === undefined) return;
    this.#end(others.reduce((a, b) => (b.session.lastUsed < a.session.lastUsed ? b : a), first));
  }

  #end({ session, connection }: SessionEntry): void {
    this.#remove(session.id);
    void connection.close();
  }

  #remove(id: string): void {
    this.#entries.delete(id);
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
