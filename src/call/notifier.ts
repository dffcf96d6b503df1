/**
 * Notifies connected clients of a change; inject it into a service by this class.
 *
 * @example
 * @Injectable()
 * class Pages {
 *   constructor(private readonly notifier: Notifier) {}
 *   rename(slug: string) { this.notifier.resourceUpdated(`pages://${slug}`); }
 * }
 */
export abstract class Notifier {
  /** Notifies the clients that the list of tools has changed. */
  abstract toolsChanged(): void;
  /** Notifies the clients that the list of prompts has changed. */
  abstract promptsChanged(): void;
  /** Notifies the clients that the list of resources has changed. */
  abstract resourcesChanged(): void;
  /** Reaches the clients that subscribed to the URI (spec: server/resources, Subscriptions). */
  abstract resourceUpdated(uri: string): void;
}

/** A change of which connected clients are notified. */
export type ChangeNotice =
  | {
      readonly kind: 'tools' | 'prompts' | 'resources';
      /** The key of the one subject whose list has changed. Default: everybody's may have. */
      readonly subject?: string | undefined;
    }
  | { readonly kind: 'resource'; readonly uri: string };

/** Whether a client is concerned whose subject has this key; undefined for one that is not known. */
export function concerns(change: ChangeNotice, subject: string | undefined): boolean {
  if (change.kind === 'resource' || change.subject === undefined) return true;
  return subject === undefined || subject === change.subject;
}

/** The notifier of one application; it passes each change to a listener. */
export class ListenedNotifier extends Notifier {
  #tell: (change: ChangeNotice) => void;

  constructor(tell: (change: ChangeNotice) => void) {
    super();
    this.#tell = tell;
  }

  /** From now on, changes go to this listener. */
  redirect(tell: (change: ChangeNotice) => void): void {
    this.#tell = tell;
  }

  tell(change: ChangeNotice): void {
    this.#tell(change);
  }

  toolsChanged(): void {
    this.tell({ kind: 'tools' });
  }

  promptsChanged(): void {
    this.tell({ kind: 'prompts' });
  }

  resourcesChanged(): void {
    this.tell({ kind: 'resources' });
  }

  resourceUpdated(uri: string): void {
    this.tell({ kind: 'resource', uri });
  }
}
