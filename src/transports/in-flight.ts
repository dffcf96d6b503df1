import type { Admission } from '../runtime/served-request.ts';

/** Counts what is under way, and tells when nothing is. */
export class InFlight implements Admission {
  /** Nothing new is to begin, where whoever begins it looks. */
  isStopping = false;
  readonly #onChange: () => void;
  #count = 0;
  #waiting: (() => void)[] = [];

  /** @param onChange told whenever one begins or ends */
  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Begins one; the function ends it, and does so once however often it is called.
   * @param signal ends it too: what was aborted is not waited for, because it may never hear of that
   */
  enter(signal?: AbortSignal): () => void {
    if (signal?.aborted === true) return () => undefined;
    this.begin();
    let isInside = true;
    const leave = (): void => {
      if (!isInside) return;
      isInside = false;
      signal?.removeEventListener('abort', leave);
      this.end();
    };
    signal?.addEventListener('abort', leave);
    return leave;
  }

  /** The same, for who sees to it that each is ended once. */
  begin(): void {
    this.#count += 1;
    this.#onChange();
  }

  end(): void {
    this.#count -= 1;
    this.#onChange();
    if (this.#count > 0 || this.#waiting.length === 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  whenIdle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
