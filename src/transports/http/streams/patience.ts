/** What a client waits for. */
export interface Waiting {
  /** Counts the turns of the timer that were over when it began; undefined while nobody watches it. */
  since: number | undefined;
  /** It takes longer than a client waits. */
  goOn(): void;
}

/**
 * Tells of what takes longer than a time. One timer serves all that runs, because most of it is over before anybody
 * has to be told: so it is told at the earliest after that time, and at the latest after twice as long.
 */
export class Patience<Member extends Waiting = Waiting> {
  readonly #milliseconds: number;
  readonly #awaited = new Set<Member>();
  #turns = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param milliseconds Infinity never tells */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  watch(member: Member): void {
    member.since = this.#turns;
    this.#awaited.add(member);
    if (this.#timer === undefined && this.#milliseconds !== Infinity) this.#start();
  }

  /** Ends the watch. */
  forget(member: Member): void {
    member.since = undefined;
    this.#awaited.delete(member);
  }

  all(): readonly Member[] {
    return [...this.#awaited];
  }

  /** Ends all watches. */
  close(): void {
    for (const member of this.#awaited) this.forget(member);
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    this.#timer = setInterval(() => {
      this.#turn();
    }, this.#milliseconds);
    // Some runtimes beside Node give a number, and none of them waits for a timer.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }

  #turn(): void {
    this.#turns += 1;
    if (this.#awaited.size === 0) this.#stop();
    // What began within a turn has waited for the whole of the next one.
    const late = this.all().filter(({ since }) => since === this.#turns - 2);
    // One that goes on may end another.
    for (const member of late) if (member.since !== undefined) member.goOn();
  }
}
