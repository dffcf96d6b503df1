import type { ToolContext } from '../call/tool-context.ts';
import { markInjected } from '../shared/injected.ts';
import { disposeAll, type Owned } from './dispose-all.ts';

/** Who disposes what a container creates: the application, or one call. */
export class Owner {
  readonly context: ToolContext | undefined;
  readonly #foreign: (instance: unknown) => boolean;
  readonly #owned = new Map<unknown, Owned>();
  #isSealed = false;

  /** `foreign` says what belongs to somebody else, whoever hands it out: a factory may return a dependency. */
  constructor(context: ToolContext | undefined, foreign: (instance: unknown) => boolean) {
    this.context = context;
    this.#foreign = foreign;
  }

  own(where: string, instance: unknown): void {
    markInjected(instance);
    if (this.#isSealed || !isReference(instance) || this.#owned.has(instance)) return;
    if (instance === this.context || this.#foreign(instance)) return;
    this.#owned.set(instance, { where, instance });
  }

  owns(instance: unknown): boolean {
    return this.#owned.has(instance);
  }

  /** From now on whoever asks for a transient disposes it; keeping them all would never end. */
  seal(): void {
    this.#isSealed = true;
  }

  /** Disposes latest first, each once; resolves to the errors. */
  async dispose(): Promise<readonly Error[]> {
    const latestFirst = [...this.#owned.values()].reverse();
    this.#owned.clear();
    this.seal();
    return disposeAll(latestFirst);
  }
}

function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
