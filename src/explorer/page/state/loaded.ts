import { type Signal, signal } from '@preact/signals';
import { type Failure, failureOf } from './session.ts';

/** Something that the server is asked for. */
export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly failure: Failure };

export const LOADING = Object.freeze({ state: 'loading' });

/**
 * Keeps what was loaded last until the next answer is there, so that an update takes nothing away; of two loads at a
 * time the later one counts.
 */
export class Loader<Value> {
  readonly loaded: Signal<Loaded<Value>> = signal<Loaded<Value>>(LOADING);
  #running: AbortController | undefined;
  #key: string | undefined;

  /** @param key what is loaded: of something else than before, nothing is kept */
  async load(key: string, load: (signal: AbortSignal) => Promise<Value>): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    if (this.#key !== key) this.loaded.value = LOADING;
    this.#key = key;
    try {
      const value = await load(running.signal);
      if (!running.signal.aborted) this.loaded.value = { state: 'ready', value };
    } catch (error) {
      if (!running.signal.aborted) this.loaded.value = { state: 'failed', failure: failureOf(error) };
    }
  }
}
