/** Writes values one after the other, and of those that come in the meantime only the latest. */
export class LatestWrite<Value> {
  readonly #write: (value: Value) => Promise<unknown>;
  #next: { readonly value: Value } | undefined;
  #writing: Promise<void> | undefined;

  /** @param write what it rejects with is dropped, because a later value takes its place */
  constructor(write: (value: Value) => Promise<unknown>) {
    this.#write = write;
  }

  /** Resolves when the value is written, or a later one is. */
  put(value: Value): Promise<void> {
    this.#next = { value };
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#next !== undefined) {
      const { value } = this.#next;
      this.#next = undefined;
      await this.#write(value).catch(() => undefined);
    }
    this.#writing = undefined;
  }
}
