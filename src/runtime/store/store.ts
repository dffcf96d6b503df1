/** A value as a store has it. */
export interface StoreEntry {
  /** An opaque text. */
  readonly value: string;
  /** Greater than each that the key had before, also when it was forgotten in between. */
  readonly version: number;
  /** Milliseconds that are left of its hold, by the clock of the store; 0 when it is over. */
  readonly holdLeft: number;
}

/** What is put into a store. */
export interface StoreWrite {
  /** An opaque text. */
  readonly value: string;
  /** Milliseconds after which the value is forgotten; 0 forgets it at once, and its version is remembered for an hour. */
  readonly ttl: number;
  /** Milliseconds for which its writer holds it. Default 0. */
  readonly hold?: number;
  /**
   * What has to be there: nothing, the entry with a version, or that entry as long as it is held. Default: whatever there
   * is is replaced.
   */
  readonly if?: 'absent' | number | { readonly held: number };
  /** Lets the version stay, so that its holder goes on writing. Default: the entry gets a new one. */
  readonly renumber?: false;
  /** What may go where memory is full: all of it, or all but a shorter text. Default: nothing. */
  readonly spare?: 'whole' | { readonly as: string };
  /**
   * The owner whose share of the space it takes, undefined for all unknown ones, and the most bytes that the owner may have
   * in the collection. `bytes` counts for keys that begin with the owner and a dot. Default: what the store allows.
   */
  readonly share?: { readonly owner: string | undefined; readonly bytes?: number };
}

/**
 * What became of a write: the entry has the version, or another entry was in its way (undefined for none), or there is no
 * room in the store or in the share of the owner.
 */
export type StoreWritten =
  | { readonly version: number }
  | { readonly refused: StoreEntry | undefined }
  | { readonly full: 'store' | 'owner' };

/**
 * Keeps values under keys, in collections that have nothing in common: answers that count once, calls that run once,
 * results, sessions. Instances of a server share one. Every method is atomic, gives up by itself when the store cannot be
 * reached, and rejects then. Keys and values are any text of well-formed Unicode without U+0000. `storeConformance` of
 * `toolwright/testing` checks a store of your own.
 */
export interface Store {
  /**
   * The entry of a key; undefined for one that has none, or whose time is over.
   * @param options `keep` begins its lifetime again, in milliseconds
   */
  get(collection: string, key: string, options?: { readonly keep?: number }): Promise<StoreEntry | undefined>;
  /**
   * Puts an entry under a key. One that asks for `absent`, or that gets a hold and a version, is taken back if it was put
   * after its caller gave up.
   */
  put(collection: string, key: string, write: StoreWrite): Promise<StoreWritten>;
  /**
   * Removes the entry of a key.
   * @param version of the entry that is meant. Default: whichever is there
   * @returns whether there was one
   */
  delete(collection: string, key: string, version?: number): Promise<boolean>;
  /**
   * Removes every entry of an owner: those whose keys begin with its name and a dot. Names have 22 letters, digits, `-` and
   * `_`. Without this method, `app.forget` reports that the store kept what it has.
   * @returns how many there were
   */
  forget?(collection: string, owner: string): Promise<number>;
  /**
   * Milliseconds since the epoch, by the clock of the store, which is the same for every process. The time to answer goes by
   * it. Without it, it goes by the clocks of the processes, which have to agree then.
   */
  now?(): Promise<number>;
}
