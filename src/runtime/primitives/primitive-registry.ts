import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';

/**
 * The prompts or resources of an application. Each can be disabled and enabled while the application serves: a disabled
 * one is neither listed nor callable, and connected clients are notified of every change.
 *
 * @example
 * app.prompts.disable('review');
 */
export class PrimitiveRegistry<Item extends { readonly name: string } = { readonly name: string }> {
  readonly #kind: string;
  readonly #all: readonly Item[];
  readonly #disabled = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #enabled: readonly Item[];

  /** The framework creates it. */
  constructor(kind: string, items: readonly Item[]) {
    this.#kind = kind;
    this.#all = items;
    this.#enabled = items;
  }

  /** The names of the enabled ones, in order. */
  get names(): readonly string[] {
    return this.#enabled.map((item) => item.name);
  }

  /** The enabled ones; the array changes with each change and is the same in between. */
  get enabled(): readonly Item[] {
    return this.#enabled;
  }

  /** @throws ToolwrightError TW_PRIMITIVE_UNKNOWN when nothing has the name. */
  disable(name: string): this {
    return this.#change(name, () => this.#disabled.add(name));
  }

  /** @throws ToolwrightError TW_PRIMITIVE_UNKNOWN when nothing has the name. */
  enable(name: string): this {
    return this.#change(name, () => this.#disabled.delete(name));
  }

  /** Calls the listener after every change; the returned function removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #change(name: string, change: () => unknown): this {
    if (!this.#all.some((item) => item.name === name)) throw this.#unknown(name);
    change();
    this.#enabled = Object.freeze(this.#all.filter((item) => !this.#disabled.has(item.name)));
    for (const listener of this.#listeners) listener();
    return this;
  }

  #unknown(name: string): ToolwrightError {
    const names = this.#all.map((item) => item.name);
    return new ToolwrightError('TW_PRIMITIVE_UNKNOWN', {
      where: `${this.#kind} "${name}"`,
      what: 'does not exist.',
      fix: didYouMean(name, names) ?? `use one of ${names.join(', ')}`,
    });
  }
}
