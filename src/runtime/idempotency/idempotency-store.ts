/** What a store keeps of one call. */
export interface IdempotencyEntry {
  /** An opaque text. */
  readonly value: string;
  /** The number of the claim that it belongs to. */
  readonly fence: number;
  /** Milliseconds that are left of its lease, by the clock of the store; 0 when it is over. */
  readonly leaseLeft: number;
}

/** What is put into a store. */
export interface IdempotencyUpdate {
  /** An opaque text. */
  readonly value: string;
  /** Milliseconds for which nobody else takes the call over. */
  readonly lease: number;
  /** Milliseconds after which the entry is forgotten; 0 forgets it at once. */
  readonly lifetime: number;
}

/**
 * Remembers which calls have run, so that none of them runs twice. Instances of a server share one. Every method is
 * atomic, gives up by itself when the store cannot be reached, and rejects then. Keys and values are any text of
 * well-formed Unicode without U+0000. `idempotencyStoreConformance` of `toolwright/testing` checks a store of your own.
 */
export interface IdempotencyStore {
  /** The entry of a key; undefined for one that has none, or whose lifetime is over. */
  get(key: string): Promise<IdempotencyEntry | undefined>;
  /**
   * Takes a call over: puts an entry where there is none, or in place of the one with the number `expected`.
   *
   * @param expected undefined where there is none
   * @param owner who calls, for a store that divides its space; undefined for all unknown ones
   * @returns a number greater than each that it gave for the key before, also for entries that are forgotten; undefined
   *   if somebody else was faster
   */
  claim(
    key: string,
    expected: number | undefined,
    update: IdempotencyUpdate,
    owner?: string,
  ): Promise<number | undefined>;
  /**
   * Replaces the entry, if it still has the number and its lease is not over. The number stays. An entry whose lease is
   * over, and that has its number still, takes an update without a lease: how its call has ended. It gets a new number then,
   * so that it is not taken over by the one that it had.
   * @returns whether it did
   */
  replace(key: string, fence: number, update: IdempotencyUpdate): Promise<boolean>;
  /**
   * Removes every entry of an owner: those whose keys begin with its name and a dot. Names have 22 letters, digits, `-` and
   * `_`. Without this method, `app.forget` reports that the store kept what it has.
   * @returns how many there were
   */
  forget?(owner: string): Promise<number>;
}
