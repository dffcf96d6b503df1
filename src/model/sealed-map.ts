import { sealedError } from './sealed-error.ts';

/** A Map that refuses every change; freezing a Map would not. */
export class SealedMap<TKey, TValue> extends Map<TKey, TValue> {
  readonly #where: string;
  readonly #member: string;

  constructor(entries: Iterable<readonly [TKey, TValue]>, where: string, member: string) {
    // Not super(entries): the constructor of Map calls the refusing `set` below.
    super();
    for (const [key, value] of entries) super.set(key, value);
    this.#where = where;
    this.#member = member;
    Object.freeze(this);
  }

  override set(_key: TKey, _value: TValue): this {
    throw sealedError(this.#where, this.#member);
  }

  override delete(_key: TKey): boolean {
    throw sealedError(this.#where, this.#member);
  }

  override clear(): void {
    throw sealedError(this.#where, this.#member);
  }
}
