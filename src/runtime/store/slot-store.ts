import { unref } from '../../shared/platform.ts';
import { LONGEST_TIMER } from '../../shared/option-rules.ts';

/** One of the places that a call needs to run. */
export interface SlotRequest {
  /** Whose calls are counted, and by which limit. */
  readonly key: string;
  /** How many calls may run. */
  readonly limit: number;
  /** How many calls may wait; 0 for a limit without a queue. */
  readonly queueSize: number;
  /** Milliseconds that a call may wait. */
  readonly queueTimeout: number;
}

/**
 * Counts the calls that run. Instances of a server may share one. Keys are any text of well-formed Unicode without U+0000.
 * `slotStoreConformance` of `toolwright/testing` checks a store of your own.
 */
export interface SlotStore {
  /**
   * Takes a slot of each limit or none, and waits in their queues where they have any.
   * @param signal ends the waiting: it rejects with its reason
   * @returns what gives the slots back, at whichever time; undefined where the call may not run
   */
  take(
    wanted: readonly SlotRequest[],
    signal: () => AbortSignal | undefined,
  ): (() => void) | undefined | Promise<(() => void) | undefined>;
}

interface Waiting {
  readonly wanted: readonly SlotRequest[];
  go(release: () => void): void;
}

interface Slots {
  running: number;
  /** In the order in which they came. */
  readonly waiting: Set<Waiting>;
}

/** Counts in this process. It answers at once where no call has to wait; what nobody uses is forgotten. */
export class InMemorySlotStore implements SlotStore {
  readonly #slots = new Map<string, Slots>();

  /** How many keys have calls that run or wait. */
  get size(): number {
    return this.#slots.size;
  }

  /** Takes a slot of each limit or none, and waits in their queues where they have any. */
  take(
    wanted: readonly SlotRequest[],
    signal: () => AbortSignal | undefined,
  ): (() => void) | undefined | Promise<(() => void) | undefined> {
    if (this.#areFree(wanted)) return this.#occupy(wanted);
    const full = wanted.filter((slot) => !this.#isFree(slot));
    if (full.some(({ key, queueSize }) => this.#of(key).waiting.size >= queueSize)) return undefined;
    return this.#wait(wanted, full, signal());
  }

  #wait(
    wanted: readonly SlotRequest[],
    full: readonly SlotRequest[],
    signal: AbortSignal | undefined,
  ): Promise<(() => void) | undefined> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        for (const { key } of wanted) this.#drop(key, (slots) => slots.waiting.delete(waiting));
      };
      const waiting: Waiting = {
        wanted,
        go: (release) => {
          leave();
          resolve(release);
        },
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(
        () => {
          leave();
          resolve(undefined);
        },
        Math.min(LONGEST_TIMER, ...full.map(({ queueTimeout }) => queueTimeout)),
      );
      unref(timer);
      // In the queues of the others as well, where it may have to wait next
      for (const { key } of wanted) this.#of(key).waiting.add(waiting);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted === true) abort();
    });
  }

  #occupy(wanted: readonly SlotRequest[]): () => void {
    for (const { key } of wanted) this.#of(key).running += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const { key } of wanted) this.#of(key).running -= 1;
      for (const { key } of wanted) this.#callNext(key);
      for (const { key } of wanted) this.#drop(key);
    };
  }

  /** Lets those run that waited for the key, and for nothing else that is full. */
  #callNext(key: string): void {
    for (const waiting of this.#of(key).waiting) {
      const { wanted } = waiting;
      if (this.#areFree(wanted)) waiting.go(this.#occupy(wanted));
      else if (!wanted.every((slot) => slot.key !== key || this.#isFree(slot))) return;
    }
  }

  #areFree(wanted: readonly SlotRequest[]): boolean {
    return wanted.every((slot) => this.#isFree(slot));
  }

  #isFree({ key, limit }: SlotRequest): boolean {
    return (this.#slots.get(key)?.running ?? 0) < limit;
  }

  #of(key: string): Slots {
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const made: Slots = { running: 0, waiting: new Set() };
    this.#slots.set(key, made);
    return made;
  }

  #drop(key: string, change: (slots: Slots) => void = () => undefined): void {
    const slots = this.#slots.get(key);
    if (slots === undefined) return;
    change(slots);
    if (slots.running === 0 && slots.waiting.size === 0) this.#slots.delete(key);
  }
}
