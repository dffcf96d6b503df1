import { ToolwrightError } from '../errors/toolwright-error.ts';

/** Milliseconds. */
const FIRST_WAIT = 500;
const MAX_WAIT = 30_000;

/** Keeps a server that cannot be reached from being asked again and again: each failure doubles the time in between. */
export class Backoff {
  #failures = 0;
  #last: { readonly error: unknown; readonly until: number } | undefined;

  /** Milliseconds until it may be asked again; 0 where it may be asked now. */
  get wait(): number {
    return Math.max(0, (this.#last?.until ?? 0) - performance.now());
  }

  /** @throws what it failed with, while it may not be asked again */
  check(): void {
    if (this.wait > 0) throw this.#last?.error;
  }

  worked(): void {
    this.#failures = 0;
    this.#last = undefined;
  }

  /** A caller who is refused says nothing of the server. */
  failed(error: unknown): void {
    if (ToolwrightError.is(error) && error.code === 'TW_CLIENT_UNAUTHORIZED') return;
    const wait = Math.min(FIRST_WAIT * 2 ** this.#failures, MAX_WAIT);
    this.#failures += 1;
    this.#last = { error, until: performance.now() + wait };
  }
}
