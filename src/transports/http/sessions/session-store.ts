import type { AuthInfo } from '../../../call/request-context.ts';
import { ownerOf } from '../../../call/subject.ts';
import { ownedKey, splitKey } from '../../../shared/owners/owned-key.ts';
import { OwnerShares, type Owner } from '../../../shared/owners/owner-shares.ts';
import type { SessionLimits } from '../http-options.ts';
import type { SessionGiven } from './batch.ts';
import { observeLife } from '../../../kernel/call/telemetry.ts';
import type { HttpSession } from './http-session.ts';

/** What a session needs of its store. */
export type KeptSession = Pick<SessionGiven, 'owner' | 'now'> & { readonly id: string };

/**
 * The sessions of one endpoint, in memory: limited in number, in share per owner, and in time. Each knows when it was
 * last used; a session to evict is chosen when there is no room.
 */
export class SessionStore {
  readonly sessions = new Map<string, HttpSession>();
  readonly #limits: Readonly<Required<SessionLimits>>;
  readonly #now: () => number;
  readonly #keep: (session: HttpSession) => void;
  /** The shares of owners in the number of sessions; idle sessions are offered in the order of their last use. */
  readonly #shares = new OwnerShares<HttpSession>();
  /** The time of the last use when a session was offered. */
  readonly #offered = new Map<HttpSession, number>();
  #sweeper: ReturnType<typeof setInterval> | undefined;

  /**
   * @param now a monotonic clock
   * @param keep called now and then for each session that is in use
   */
  constructor(
    limits: Readonly<Required<SessionLimits>>,
    now: () => number = performance.now.bind(performance),
    keep: (session: HttpSession) => void = () => undefined,
  ) {
    this.#limits = limits;
    this.#keep = keep;
    this.#now = now;
  }

  /** A copy of the present sessions, because sessions may end during a loop. */
  all(): readonly HttpSession[] {
    return [...this.sessions.values()];
  }

  /** Undefined when the limit is reached and no other session can be evicted. */
  open(
    owner: Owner,
    create: (kept: KeptSession) => HttpSession,
    authInfo?: AuthInfo,
    id: string = ownedKey(ownerOf(authInfo), crypto.randomUUID()),
  ): HttpSession | undefined {
    const { maxSessions, maxSessionsPerOwner } = this.#limits;
    // Without authentication, all clients are one owner.
    const bounds = { total: maxSessions, perOwner: owner === undefined ? maxSessions : maxSessionsPerOwner };
    if (!this.#shares.makeRoom(owner, 1, bounds, this.#giveUp)) return undefined;
    const session = create({ id, owner, now: this.#now });
    this.#shares.add(owner, 1);
    this.sessions.set(id, session);
    this.#offer(session);
    const leave = this.#register(id, session);
    session.onClose(() => {
      leave?.();
      this.#remove(id, session);
    });
    this.#startSweeping();
    return session;
  }

  /** The id says whose session it is, also at instances that its owner has not called. */
  #register(id: string, session: HttpSession): (() => void) | undefined {
    const [owner] = splitKey(id);
    if (owner === undefined) return undefined;
    const { open } = session.service.settings;
    if (session.events !== undefined) open.stores.add(session.events.port);
    return open.add(owner, () => {
      session.close(true);
    });
  }

  /** Counts an open stream until the returned function is called. */
  openStream(session: HttpSession): () => void {
    const change = (by: number): void => {
      session.openStreams += by;
      session.lastUsed = this.#now();
      this.#offer(session);
    };
    change(1);
    const { telemetry } = session.service.settings;
    const over = observeLife(telemetry, 'toolwright.streams.active', 'toolwright.stream.duration');
    return () => {
      change(-1);
      session.leaveIfInactive();
      over?.();
    };
  }

  /** Closes sessions that were idle for too long. */
  sweep(): void {
    for (const session of this.all()) {
      if (session.isIdleFor(this.#limits.idleTimeout)) session.close(undefined, 'timeout');
      else if (session.isActive) this.#keep(session);
      else session.leaveIfInactive();
    }
  }

  /** Clients disconnect without notice, so the least recently used session is the most likely to be abandoned. */
  #offer(session: HttpSession): void {
    if (session.isClosed) return;
    this.#offered.set(session, session.lastUsed);
    // Open streams must not keep out owners with fewer sessions.
    this.#shares.offer(session.owner, session, session.openStreams > 0 ? 1 : 0, session.lastUsed);
  }

  /** Evicts an offered session, unless it was used since. */
  readonly #giveUp = (session: HttpSession): void => {
    if (session.isBusy) {
      this.#withdraw(session);
      void session.activity.whenIdle().then(() => {
        this.#offer(session);
      });
    } else if (this.#offered.get(session) === session.lastUsed) session.close(undefined, 'evicted');
    else this.#offer(session);
  };

  #withdraw(session: HttpSession): void {
    this.#offered.delete(session);
    this.#shares.withdraw(session.owner, session);
  }

  #remove(id: string, session: HttpSession): void {
    this.sessions.delete(id);
    this.#withdraw(session);
    this.#shares.remove(session.owner, 1);
    if (this.sessions.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #startSweeping(): void {
    const interval = Math.min(Math.max(this.#limits.idleTimeout / 2, 1000), 60_000);
    this.#sweeper ??= setInterval(() => {
      this.sweep();
    }, interval);
    // Other runtimes return a number, and do not wait for timers before they exit.
    if (typeof this.#sweeper === 'object') this.#sweeper.unref();
  }
}

/** Whether a text is of the form in which ids are given out: no store is asked about others. */
export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

const SESSION_ID = /^(?:[\w-]{22}\.)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
