/**
 * Tells of what takes longer than a time. One timer serves all that runs, because most of it is over before anybody
 * has to be told: so it is told at the earliest after that time, and at the latest after twice as long.
 */
export class Patience {
  readonly #milliseconds: number;
  #young = new Set<() => void>();
  #old = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  watch(late: () => void): void {
    this.#young.add(late);
    this.#start();
  }

  /** Ends the watch. */
  forget(late: () => void): void {
    if (!this.#young.delete(late)) this.#old.delete(late);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#young.clear();
    this.#old.clear();
  }

  #start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => {
      this.#turn();
    }, this.#milliseconds);
    // Some runtimes beside Node give a number, and none of them waits for a timer.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }

  #turn(): void {
    const late = this.#old;
    this.#old = this.#young;
    this.#young = new Set();
    if (late.size === 0 && this.#old.size === 0) this.close();
    for (const tell of late) tell();
  }
}
