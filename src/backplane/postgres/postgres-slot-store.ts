import { randomUUID } from 'node:crypto';
import type { SlotRequest, SlotStore } from '../../index.ts';
import { pause, unref } from '../../shared/platform.ts';
import type { Database } from './database.ts';
import type { PostgresBus } from './postgres-bus.ts';
import { storedKey } from './texts.ts';

/** Milliseconds after which the slots of a process that is gone are free, and between two renewals. */
const [LEASE, RENEWAL] = [30_000, 10_000];
/** Milliseconds between two looks of a call that waits, and after which one that is gone keeps no place. */
const [LOOK_INTERVAL, WAIT_LEASE] = [1000, 5000];

type Release = () => Promise<void>;

interface Attempt {
  readonly holder: string;
  readonly wanted: readonly SlotRequest[];
  readonly keys: readonly string[];
}

/**
 * Counts calls that run. A slot is a row with a lease, which its process renews. A call that has to wait is woken by a
 * notice, and looks by itself now and then: the notice may be lost, and a lease ends without one.
 */
export class PostgresSlotStore implements SlotStore {
  readonly #database: Database;
  readonly #channel: string;
  readonly #take: string;
  readonly #leave: string;
  readonly #renew: string;
  readonly #held = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(database: Database, bus: PostgresBus) {
    const { schema } = database;
    this.#database = database;
    this.#channel = bus.nameOf('slots');
    this.#take = `SELECT ${schema}.take_slots($1, $2, $3, $4, $5, ${String(LEASE)}, ${String(WAIT_LEASE)}, $6) AS outcome`;
    this.#leave = `SELECT ${schema}.leave_slots($1, $2, $3, $4)`;
    this.#renew = `UPDATE ${schema}.slots SET expires_at = ${schema}.clock() + ${String(LEASE)}
      WHERE app = $1 AND holder = ANY($2)`;
    bus.listen(this.#channel, (key) => {
      for (const wake of [...(this.#waiting.get(key) ?? [])]) wake();
    });
    this.#timer = setInterval(() => void this.#renewAll(), RENEWAL);
    unref(this.#timer);
  }

  async take(
    wanted: readonly SlotRequest[],
    signal: () => AbortSignal | undefined,
  ): Promise<Release | undefined> {
    const attempt = { holder: randomUUID(), wanted, keys: wanted.map(({ key }) => storedKey(key)) };
    try {
      const outcome = await this.#ask(attempt, true);
      const isTaken = outcome === 'waiting' ? await this.#wait(attempt, signal()) : outcome === 'taken';
      if (!isTaken) return undefined;
    } catch (error) {
      // What was asked may have been done, although nobody knows
      const given = this.#give(attempt).catch(() => undefined);
      if (signal()?.aborted === true) await given;
      throw error;
    }
    this.#held.add(attempt.holder);
    let given: Promise<void> | undefined;
    return () => (given ??= this.#give(attempt));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #ask({ holder, wanted, keys }: Attempt, isNew: boolean): Promise<unknown> {
    const limits = wanted.map(({ limit }) => limit);
    const sizes = wanted.map(({ queueSize }) => queueSize);
    const values = [this.#database.app, holder, keys, limits, sizes, isNew];
    const [row] = await this.#database.query(this.#take, values);
    return row?.['outcome'];
  }

  /** @returns false when it has waited for too long; a signal that is aborted rejects with its reason */
  async #wait(attempt: Attempt, signal: AbortSignal | undefined): Promise<boolean> {
    const shortest = Math.min(...attempt.wanted.map(({ queueTimeout }) => queueTimeout));
    const end = performance.now() + shortest;
    for (;;) {
      signal?.throwIfAborted();
      const left = end - performance.now();
      if (left <= 0) break;
      await this.#woken(attempt.keys, Math.min(left, LOOK_INTERVAL), signal);
      if (signal?.aborted !== true && (await this.#ask(attempt, false)) === 'taken') return true;
    }
    await this.#give(attempt);
    return false;
  }

  /** Resolves when a slot may be free, after the time, or when the signal is aborted. */
  async #woken(
    keys: readonly string[],
    milliseconds: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const woken = new AbortController();
    const wake = (): void => {
      woken.abort();
    };
    const sets = keys.map((key) => {
      const set = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, set.add(wake));
      return [key, set] as const;
    });
    signal?.addEventListener('abort', wake);
    await pause(milliseconds, woken.signal);
    signal?.removeEventListener('abort', wake);
    for (const [key, set] of sets) {
      set.delete(wake);
      if (set.size === 0 && this.#waiting.get(key) === set) this.#waiting.delete(key);
    }
  }

  async #give({ holder, keys }: Attempt): Promise<void> {
    this.#held.delete(holder);
    await this.#database.query(this.#leave, [this.#database.app, holder, keys, this.#channel]);
  }

  async #renewAll(): Promise<void> {
    if (this.#held.size === 0) return;
    // The database logs its failures; the next renewal is still within the lease
    await this.#database.query(this.#renew, [this.#database.app, [...this.#held]]).catch(() => undefined);
  }
}
