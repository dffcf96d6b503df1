/**
 * Brings short texts to all instances of an application: at most once, and in order for each sender. A text that must
 * not be lost belongs into a store; the bus only says that it is there. Names of channels and texts are any text of
 * well-formed Unicode without U+0000. `busConformance` of `toolwright/testing` checks a bus of your own.
 *
 * @example
 * const bus: Bus = new InMemoryBus();
 * const stop = await bus.subscribe('prices', (text) => console.error(text));
 * await bus.publish('prices', 'changed');
 */
export interface Bus {
  /**
   * Sends a text to everybody who listens to the channel, in all instances, this one included. It resolves when the
   * bus has the text, and rejects by itself when the bus cannot be reached. Texts arrive in the order of the calls,
   * also of those that the sender does not wait for.
   */
  publish(channel: string, text: string): Promise<void>;
  /**
   * Calls the listener with each text from the time on at which it resolves.
   * @returns a function that ends it
   */
  subscribe(channel: string, listener: (text: string) => void): Promise<() => void>;
  /**
   * Calls the listener when texts may have been lost, because the bus could not be reached for a while.
   * @returns a function that ends it
   */
  onGap(listener: () => void): () => void;
}

/** The {@link Bus} of one process; applications in it may share one. */
export class InMemoryBus implements Bus {
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  async publish(channel: string, text: string): Promise<void> {
    // A later turn, as with any bus: who publishes is never called back in the middle of it
    await Promise.resolve();
    for (const listener of [...(this.#listeners.get(channel) ?? [])]) listener(text);
  }

  async subscribe(channel: string, listener: (text: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    // The same function may listen twice
    const own = (text: string): void => {
      listener(text);
    };
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) this.#listeners.delete(channel);
    };
  }

  onGap(): () => void {
    return () => undefined;
  }
}
