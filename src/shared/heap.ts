/** A binary heap that finds each of its items again, so that one whose rank has changed can move. */
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
