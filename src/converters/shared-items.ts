/** Converts each item once, so that an item with several parents stays one object on the other side. */
export class SharedItems<TItem extends object, TResult> {
  readonly #convert: (item: TItem) => TResult;
  readonly #results = new Map<TItem, TResult>();

  constructor(convert: (item: TItem) => TResult) {
    this.#convert = convert;
  }

  get(items: readonly TItem[]): TResult[] {
    return items.map((item) => {
      if (!this.#results.has(item)) this.#results.set(item, this.#convert(item));
      return this.#results.get(item) as TResult;
    });
  }
}
