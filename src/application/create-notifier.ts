import { Notifier, type ChangeNotice } from '../call/notifier.ts';

export interface NotifierSource {
  /** What services inject. */
  readonly notifier: Notifier;
  /** Calls the listener with every change that is notified; the returned function ends that. */
  onChange(listener: (change: ChangeNotice) => void): () => void;
}

/** A notifier of one application, and the other end of it. */
export function createNotifier(): NotifierSource {
  const listeners = new Set<(change: ChangeNotice) => void>();
  const notifier = new ListenedNotifier((change) => {
    for (const listener of listeners) listener(change);
  });
  return Object.freeze({
    notifier,
    onChange: (listener: (change: ChangeNotice) => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  });
}

class ListenedNotifier extends Notifier {
  readonly #tell: (change: ChangeNotice) => void;

  constructor(tell: (change: ChangeNotice) => void) {
    super();
    this.#tell = tell;
  }

  toolsChanged(): void {
    this.#tell({ kind: 'tools' });
  }

  promptsChanged(): void {
    this.#tell({ kind: 'prompts' });
  }

  resourcesChanged(): void {
    this.#tell({ kind: 'resources' });
  }

  resourceUpdated(uri: string): void {
    this.#tell({ kind: 'resource', uri });
  }
}
