import type { ChangeNotice } from '../call/notifier.ts';
import type { Attachment, DetachFunction } from './attach-service.ts';

/**
 * The attachments to servers of other owners, held weakly: an owner that creates a server per request never
 * signals its end. The handlers of a server keep its attachment alive.
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

  /** Whether no attachment is still alive. */
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
