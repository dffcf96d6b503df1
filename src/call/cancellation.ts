/** Tells once that a request is not wanted any more. Unlike an AbortSignal it costs nothing until somebody listens. */
export class Cancellation {
  #listeners: (() => void)[] | undefined;
  #controller: AbortController | undefined;
  #isCancelled = false;
  #reason: unknown;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Made for the first who asks. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isCancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Runs the listener when it is cancelled, or at once if it is already. */
  onCancel(listener: () => void): void {
    if (this.#isCancelled) listener();
    else if (this.#listeners === undefined) this.#listeners = [listener];
    else this.#listeners.push(listener);
  }

  offCancel(listener: () => void): void {
    const place = this.#listeners?.indexOf(listener) ?? -1;
    if (place !== -1) this.#listeners?.splice(place, 1);
  }

  /** Is cancelled with the signal too, until the returned function is called. */
  follow(signal: AbortSignal): () => void {
    const follow = (): void => {
      this.cancel(signal.reason);
    };
    if (signal.aborted) follow();
    else signal.addEventListener('abort', follow, { once: true });
    return () => {
      signal.removeEventListener('abort', follow);
    };
  }

  cancel(reason?: unknown): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }
}
