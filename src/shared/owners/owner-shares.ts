/** The owner of an item. Undefined stands for all unknown owners, who share one share. */
export type Owner = string | undefined;

interface ShareBounds {
  readonly total: number;
  readonly perOwner: number;
}

interface Share<Item> {
  size: number;
  readonly offers: Map<Item, Offer<Item>>;
  /** The same by their lead. */
  readonly groups: Map<number, OfferGroup<Item>>;
}

interface Offer<Item> {
  readonly item: Item;
  readonly group: OfferGroup<Item>;
  readonly since: number;
}

/** What one owner offers for the same lead; what was offered first is given up first. */
interface OfferGroup<Item> {
  readonly share: Share<Item>;
  readonly lead: number;
  readonly offers: Heap<Offer<Item>>;
}

/**
 * Divides something limited among owners. No owner has more than its share; what an owner offers is evicted to make
 * room, from the owner with the most first. Every operation takes logarithmic time, because an owner that fills a store
 * must not slow it down for others.
 */
export class OwnerShares<Item> {
  readonly #shares = new Map<Owner, Share<Item>>();
  /** By the lead that is asked for: of each owner what it offers, that of the largest owner first. */
  readonly #largest = new Map<number, Heap<OfferGroup<Item>>>();
  #total = 0;
  #offered = 0;

  get total(): number {
    return this.#total;
  }

  of(owner: Owner): number {
    return this.#shares.get(owner)?.size ?? 0;
  }

  add(owner: Owner, size: number): void {
    const share = this.#shares.get(owner) ?? { size: 0, offers: new Map(), groups: new Map() };
    this.#shares.set(owner, share);
    this.#resize(share, size);
  }

  /** An owner without items is forgotten. */
  remove(owner: Owner, size: number): void {
    const share = this.#shares.get(owner);
    if (share === undefined) return;
    this.#resize(share, -size);
    if (share.size <= 0 && share.offers.size === 0) this.#shares.delete(owner);
  }

  /**
   * Its owner may do without it from now on.
   * @param lead how much more its owner must have than another will have, to give it up for that one: 0 is for what
   * is in nobody's way, and a negative one for what is given up also for who has more
   * @param since its place among others, the smallest first; unless told, what is offered again is offered last
   */
  offer(owner: Owner, item: Item, lead = 0, since = (this.#offered += 1)): void {
    const share = this.#shares.get(owner);
    if (share === undefined) return;
    this.#withdraw(share, item);
    const group = share.groups.get(lead) ?? { share, lead, offers: new Heap(isEarlier) };
    share.groups.set(lead, group);
    const offer = { item, group, since };
    share.offers.set(item, offer);
    group.offers.settle(offer);
    this.#largestFor(lead).settle(group);
  }

  withdraw(owner: Owner, item: Item): void {
    const share = this.#shares.get(owner);
    if (share !== undefined) this.#withdraw(share, item);
  }

  /**
   * Whether the owner may have so much more, after others gave up what they can do without.
   * @param giveUp gives up what was offered, and so makes its owner's share smaller or withdraws it
   */
  makeRoom(owner: Owner, size: number, bounds: ShareBounds, giveUp: (item: Item) => void): boolean {
    for (;;) {
      const wanted = this.of(owner) + size;
      const isBeyondShare = wanted > bounds.perOwner;
      if (!isBeyondShare && this.#total + size <= bounds.total) return true;
      const group = (isBeyondShare ? undefined : this.#spareOfLargest(wanted)) ?? this.#ownSpare(owner);
      const offer = group?.offers.first;
      if (offer === undefined) return false;
      giveUp(offer.item);
    }
  }

  /** In the order in which it was offered. */
  offeredBy(owner: Owner): Iterable<Item> {
    return this.#shares.get(owner)?.offers.keys() ?? [];
  }

  #resize(share: Share<Item>, size: number): void {
    share.size += size;
    this.#total += size;
    for (const group of share.groups.values()) this.#largestFor(group.lead).settle(group);
  }

  #withdraw(share: Share<Item>, item: Item): void {
    const offer = share.offers.get(item);
    if (offer === undefined) return;
    const { group } = offer;
    share.offers.delete(item);
    group.offers.delete(offer);
    if (group.offers.first !== undefined) this.#largestFor(group.lead).settle(group);
    else {
      share.groups.delete(group.lead);
      this.#largestFor(group.lead).delete(group);
    }
  }

  #largestFor(lead: number): Heap<OfferGroup<Item>> {
    const largest = this.#largest.get(lead) ?? new Heap<OfferGroup<Item>>(isLarger);
    this.#largest.set(lead, largest);
    return largest;
  }

  #spareOfLargest(wanted: number): OfferGroup<Item> | undefined {
    let found: OfferGroup<Item> | undefined;
    for (const { first } of this.#largest.values()) {
      if (first === undefined || first.share.size - wanted < first.lead) continue;
      if (found === undefined || isLarger(first, found)) found = first;
    }
    return found;
  }

  /** What an owner gives up for itself: it never has a lead over itself. */
  #ownSpare(owner: Owner): OfferGroup<Item> | undefined {
    let found: OfferGroup<Item> | undefined;
    for (const group of this.#shares.get(owner)?.groups.values() ?? []) {
      if (group.lead <= 0 && (found === undefined || isLarger(group, found))) found = group;
    }
    return found;
  }
}

function isEarlier<Item>(one: Offer<Item>, other: Offer<Item>): boolean {
  return one.since < other.since;
}

/** Of owners that have the same, the one goes first that asks for less lead, and then the one that offered earlier. */
function isLarger<Item>(one: OfferGroup<Item>, other: OfferGroup<Item>): boolean {
  if (one.share.size !== other.share.size) return one.share.size > other.share.size;
  if (one.lead !== other.lead) return one.lead < other.lead;
  return sinceOf(one) < sinceOf(other);
}

function sinceOf<Item>({ offers }: OfferGroup<Item>): number {
  return offers.first?.since ?? Infinity;
}

/** A binary heap that knows the position of each item, so that an item can move when its rank changes. */
export class Heap<Item> {
  readonly #isBefore: (one: Item, other: Item) => boolean;
  readonly #items: Item[] = [];
  readonly #places = new Map<Item, number>();

  constructor(isBefore: (one: Item, other: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  /** Adds an item, or moves one whose rank has changed: only one at a time may have another rank than before. */
  settle(item: Item): void {
    const risen = this.#rise(item, this.#places.get(item) ?? this.#items.length);
    this.#put(item, this.#sink(item, risen));
  }

  delete(item: Item): void {
    const place = this.#places.get(item);
    if (place === undefined) return;
    this.#places.delete(item);
    const last = this.#items.pop() as Item;
    if (last === item) return;
    this.#put(last, place);
    this.settle(last);
  }

  #rise(item: Item, from: number): number {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = this.#items[above] as Item;
      if (!this.#isBefore(item, other)) break;
      this.#put(other, place);
      place = above;
    }
    return place;
  }

  #sink(item: Item, from: number): number {
    let place = from;
    for (;;) {
      const below = this.#firstBelow(place);
      const other = this.#items[below];
      if (other === undefined || !this.#isBefore(other, item)) return place;
      this.#put(other, place);
      place = below;
    }
  }

  #firstBelow(place: number): number {
    const left = 2 * place + 1;
    const [one, other] = [this.#items[left], this.#items[left + 1]];
    return one !== undefined && other !== undefined && this.#isBefore(other, one) ? left + 1 : left;
  }

  #put(item: Item, place: number): void {
    this.#items[place] = item;
    this.#places.set(item, place);
  }
}
