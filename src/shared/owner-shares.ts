/** Whose something is. Undefined stands for all who are not known: together they have one share. */
export type Owner = string | undefined;

export interface ShareBounds {
  readonly total: number;
  readonly perOwner: number;
}

/** How room is made in a store. */
export interface Concession<Item> {
  /**
   * What an owner can do without first; undefined for nothing.
   * @param offered what it offered, in that order
   * @param lead how much more it has than the one that gets the room will have; 0 where that is itself
   */
  readonly spare: (offered: ReadonlySet<Item>, lead: number) => Item | undefined;
  /** Which of two goes first whose owners have the same. */
  readonly isSooner: (one: Item, other: Item) => boolean;
  /** Gives it up, and so makes its owner's share smaller. */
  readonly giveUp: (item: Item) => void;
}

interface Share<Item> {
  size: number;
  readonly offered: Set<Item>;
}

/**
 * Who has how much of something bounded. One owner has no more than its share; what it can do without makes room for
 * what is new; and where all have too much, the one with the most gives way.
 */
export class OwnerShares<Item> {
  readonly #shares = new Map<Owner, Share<Item>>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(owner: Owner): number {
    return this.#shares.get(owner)?.size ?? 0;
  }

  add(owner: Owner, size: number): void {
    const share = this.#shares.get(owner) ?? { size: 0, offered: new Set<Item>() };
    this.#shares.set(owner, share);
    share.size += size;
    this.#total += size;
  }

  /** An owner that has nothing any more is forgotten. */
  remove(owner: Owner, size: number): void {
    const share = this.#shares.get(owner);
    if (share === undefined) return;
    share.size -= size;
    this.#total -= size;
    if (share.size <= 0 && share.offered.size === 0) this.#shares.delete(owner);
  }

  /** Its owner may do without it from now on. */
  offer(owner: Owner, item: Item): void {
    this.#shares.get(owner)?.offered.add(item);
  }

  withdraw(owner: Owner, item: Item): void {
    this.#shares.get(owner)?.offered.delete(item);
  }

  /** Whether the owner may have so much more, after others gave up what they can do without. */
  makeRoom(owner: Owner, size: number, bounds: ShareBounds, concession: Concession<Item>): boolean {
    for (;;) {
      const wanted = this.of(owner) + size;
      const isBeyondShare = wanted > bounds.perOwner;
      if (!isBeyondShare && this.#total + size <= bounds.total) return true;
      const item = isBeyondShare
        ? concession.spare(this.offeredBy(owner), 0)
        : this.#spareOfLargest(owner, wanted, concession);
      if (item === undefined) return false;
      concession.giveUp(item);
    }
  }

  /** In the order in which it was offered. */
  offeredBy(owner: Owner): ReadonlySet<Item> {
    return this.#shares.get(owner)?.offered ?? new Set();
  }

  #spareOfLargest(owner: Owner, wanted: number, { spare, isSooner }: Concession<Item>): Item | undefined {
    let found: Item | undefined;
    let most = -Infinity;
    for (const [name, { size, offered }] of this.#shares) {
      if (size < most) continue;
      const item = spare(offered, name === owner ? 0 : size - wanted);
      if (item === undefined || (size === most && found !== undefined && !isSooner(item, found))) continue;
      found = item;
      most = size;
    }
    return found;
  }
}
