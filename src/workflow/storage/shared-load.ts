/** Lets callers at the same time share one load. */
export class SharedLoad<Value> {
  #running: { readonly result: Promise<Value> } | undefined;

  /** @param load is told, by a function, whether its result may still be kept */
  run(load: (isCurrent: () => boolean) => Promise<Value>): Promise<Value> {
    if (this.#running !== undefined) return this.#running.result;
    const isCurrent = (): boolean => this.#running === own;
    const result = load(() => isCurrent()).finally(() => {
      if (isCurrent()) this.#running = undefined;
    });
    const own = { result };
    this.#running = own;
    return result;
  }

  /** Whoever comes now does not share the load that is under way. */
  abandon(): void {
    this.#running = undefined;
  }
}
