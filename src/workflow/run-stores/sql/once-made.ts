/** Makes something when it is first asked for, and again only if that failed. */
export class OnceMade<Thing> {
  readonly #make: () => Promise<Thing>;
  #thing: Promise<Thing> | undefined;

  constructor(make: () => Promise<Thing>) {
    this.#make = make;
  }

  async get(): Promise<Thing> {
    this.#thing ??= this.#make();
    try {
      return await this.#thing;
    } catch (error) {
      this.#thing = undefined;
      throw error;
    }
  }

  /** What was made, for whoever takes it apart; the next one to ask gets another. */
  async take(): Promise<Thing | undefined> {
    const thing = this.#thing;
    this.#thing = undefined;
    return thing;
  }
}
