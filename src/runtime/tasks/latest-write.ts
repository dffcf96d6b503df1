/** Writes values one after the other, and of those that come in the meantime only the latest. */
export class LatestWrite<Value> {
  readonly #write: (value: Value) => Promise<unknown>;
  readonly #onFailure: (cause: unknown) => void;
  #hasFailed = false;
  #next: { readonly value: Value } | undefined;
  #writing: Promise<void> | undefined;

  /** @param onFailure told of the first that cannot be written; a later value takes its place */
  constructor(write: (value: Value) => Promise<unknown>, onFailure: (cause: unknown) => void) {
    this.#write = write;
    this.#onFailure = onFailure;
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
      await this.#write(value).catch((cause: unknown) => {
        if (!this.#hasFailed) this.#onFailure(cause);
        this.#hasFailed = true;
      });
    }
    this.#writing = undefined;
  }
}
