import type { Logger } from '../../call/logger.ts';
import { systemClock, type TaskClock } from '../tasks/task-store.ts';

/** A store that has a clock, which is the same for all instances. */
interface TimedStore {
  now?(): Promise<number>;
}

/** Milliseconds by which a clock may be wrong before the log says so. */
const TOLERATED = 5000;
/** Milliseconds after which the store is asked again. */
const MAX_AGE = 60_000;

/**
 * The time of a store, for all that instances compare with each other: leases, lifetimes, what is sealed until a time.
 * Between two questions to the store this process counts on by its own clock, which may be wrong. Where another instance
 * would lose something, {@link ask} decides. A store that has no clock leaves it to those of the processes.
 */
export class StoreClock implements TaskClock {
  readonly #store: TimedStore | undefined;
  readonly #clock: TaskClock;
  readonly #logger: Logger | undefined;
  /** Milliseconds by which the clock of this process is ahead of that of the store. */
  #ahead = 0;
  #askedAt: number | undefined;
  #isSkewed = false;
  #first: Promise<void> | undefined;

  /** @param store undefined for one that is in this process alone */
  constructor(store: TimedStore | undefined, logger?: Logger, clock: TaskClock = systemClock) {
    this.#store = typeof store?.now === 'function' ? store : undefined;
    this.#clock = clock;
    this.#logger = logger;
  }

  now(): number {
    const own = this.#clock.now();
    const isFresh = this.#askedAt === undefined || Math.abs(own - this.#askedAt) < MAX_AGE;
    if (!isFresh) void this.refresh();
    return own - this.#ahead;
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.#clock.after(milliseconds, run);
  }

  /** What the store says now. Rejects as the store does. */
  async ask(): Promise<number> {
    const before = this.#clock.now();
    this.#askedAt = before;
    const time = await this.#store?.now?.();
    if (time === undefined) return this.#clock.now();
    // The store said it somewhere between
    const ahead = (before + this.#clock.now()) / 2 - time;
    this.#ahead = Math.round(ahead);
    if (Math.abs(ahead) <= TOLERATED) this.#isSkewed = false;
    else this.#report(ahead);
    return this.now();
  }

  /** Asks the store, and goes on as before where it does not answer. */
  async refresh(): Promise<void> {
    await this.ask().catch(() => undefined);
  }

  /** Resolves when the store was asked once. It never rejects. */
  async known(): Promise<void> {
    if (this.#store !== undefined) await (this.#first ??= this.refresh());
  }

  #report(ahead: number): void {
    if (this.#isSkewed) return;
    this.#isSkewed = true;
    const seconds = String(Math.round(Math.abs(ahead) / 1000));
    const message =
      `The clock of this process is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} that of its store. Leases and ` +
      'lifetimes go by the store; tokens go by this clock.';
    this.#logger?.log({ level: 'warning', event: 'backplane.clock-skew', message });
  }
}

/**
 * When this process last found a store away. No process could renew a lease then, so one that ended in that
 * time begins again when the store answers: who holds it may be at work.
 */
export class StoreOutage {
  readonly #now: () => number;
  readonly #lease: number;
  #isAway = false;
  #answeredAt = -Infinity;
  /** The last answer before it. */
  #since = -Infinity;
  /** The last failure. */
  #until = -Infinity;

  /** @param lease milliseconds */
  constructor(now: () => number, lease: number) {
    this.#now = now;
    this.#lease = lease;
  }

  async watch<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await ask();
      this.#answeredAt = this.#now();
      this.#isAway = false;
      return answer;
    } catch (cause) {
      // Leases that one outage has extended, the next one extends again
      if (!this.#isAway && this.#answeredAt > this.#until + this.#lease) this.#since = this.#answeredAt;
      this.#isAway = true;
      this.#until = this.#now();
      throw cause;
    }
  }

  /** When a lease ends that was given until a time. */
  endOf(leaseUntil: number): number {
    return leaseUntil < this.#since ? leaseUntil : Math.max(leaseUntil, this.#until + this.#lease);
  }
}
