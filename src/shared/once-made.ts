/** Makes something when it is first asked for, and again only if that failed. */
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
      // Those who wait get the error; the next one to ask tries again.
      if (this.#thing === making) this.#thing = undefined;
    });
    return making;
  }

  /** What was made, or is being made. */
  get current(): Promise<Thing> | undefined {
    return this.#thing;
  }

  /** What was made, for the caller to take apart; the next one to ask gets another. */
  async take(): Promise<Thing | undefined> {
    const thing = this.#thing;
    this.#thing = undefined;
    return thing;
  }
}
