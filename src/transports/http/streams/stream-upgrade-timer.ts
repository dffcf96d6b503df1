/** An answer that can become an event stream while its client waits. */
export interface UpgradableAnswer {
  /** The number of finished turns when the watch began; undefined while it is not watched. */
  since: number | undefined;
  /** Called when the answer takes longer than the threshold. */
  upgrade(): void;
}

/**
 * Calls `upgrade()` on answers that take longer than a threshold. One timer serves all of them, because most finish
 * sooner; an upgrade therefore comes between one and two thresholds after the start.
 */
export class StreamUpgradeTimer<Member extends UpgradableAnswer = UpgradableAnswer> {
  readonly #milliseconds: number;
  readonly #watched = new Set<Member>();
  #turns = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param milliseconds the threshold; Infinity never upgrades */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  watch(member: Member): void {
    member.since = this.#turns;
    this.#watched.add(member);
    if (this.#timer === undefined && this.#milliseconds !== Infinity) this.#start();
  }

  /** Ends the watch. */
  forget(member: Member): void {
    member.since = undefined;
    this.#watched.delete(member);
  }

  all(): readonly Member[] {
    return [...this.#watched];
  }

  /** Ends all watches. */
  close(): void {
    for (const member of this.#watched) this.forget(member);
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
    // Other runtimes return a number, and do not wait for timers before they exit.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }

  #turn(): void {
    this.#turns += 1;
    if (this.#watched.size === 0) this.#stop();
    // Started during turn n, so turn n + 1 has passed completely.
    const late = this.all().filter(({ since }) => since === this.#turns - 2);
    // An upgrade may end another member.
    for (const member of late) if (member.since !== undefined) member.upgrade();
  }
}
