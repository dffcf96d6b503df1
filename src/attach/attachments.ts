import type { ChangeNotice } from '../call/notifier.ts';
import type { Attachment, DetachFunction } from './attach-service.ts';

/**
 * What is attached to servers of other owners. It must not keep them: an owner that makes a server for each request
 * never says when it is done with one (the handlers of a server keep its attachment).
 */
export class Attachments {
  readonly #references = new Set<WeakRef<Attachment>>();
  readonly #collected = new FinalizationRegistry<WeakRef<Attachment>>((reference) => {
    this.#references.delete(reference);
  });

  add(attachment: Attachment): DetachFunction {
    const reference = new WeakRef(attachment);
    this.#references.add(reference);
    this.#collected.register(attachment, reference);
    return () => {
      this.#references.delete(reference);
      attachment();
    };
  }

  /** Whether none is left that its owner still keeps. */
  get isEmpty(): boolean {
    return [...this.#references].every((reference) => reference.deref() === undefined);
  }

  notify(change: ChangeNotice): void {
    for (const reference of this.#references) reference.deref()?.notify(change);
  }

  detachAll(): void {
    for (const reference of this.#references) reference.deref()?.();
    this.#references.clear();
  }
}
