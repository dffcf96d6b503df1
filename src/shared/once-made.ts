/** Creates something on first use, and again only if that failed. */
export class OnceMade<Thing> {
  readonly #make: () => Promise<Thing>;
  #thing: Promise<Thing> | undefined;

  constructor(make: () => Promise<Thing>) {
    this.#make = make;
  }

  get(): Promise<Thing> {
    if (this.#thing !== undefined) return this.#thing;
    const making = this.#make();
    this.#thing = making;
    making.catch(() => {
      // All waiting callers get the error; the next caller tries again.
      if (this.#thing === making) this.#thing = undefined;
    });
    return making;
  }

  /** What was made, or is being made. */
  get current(): Promise<Thing> | undefined {
    return this.#thing;
  }

  /** Hands over what was made, for the caller to dispose of; the next caller gets a new one. */
  async take(): Promise<Thing | undefined> {
    const thing = this.#thing;
    this.#thing = undefined;
    return thing;
  }
}
