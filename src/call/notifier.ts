/**
 * Tells connected clients that something changed; inject it into a service by this class.
 *
 * @example
 * constructor(private readonly notifier: Notifier, private readonly store: PageStore) {}
 * async save(page: Page) { await this.store.write(page); this.notifier.resourceUpdated(page.uri); }
 */
export abstract class Notifier {
  abstract toolsChanged(): void;
  abstract promptsChanged(): void;
  abstract resourcesChanged(): void;
  /** Reaches the clients that subscribed to the URI (spec: server/resources, Subscriptions). */
  abstract resourceUpdated(uri: string): void;
}

/** Something that connected clients may want to know. */
export type SurfaceChange =
  { readonly kind: 'tools' | 'prompts' | 'resources' } | { readonly kind: 'resource'; readonly uri: string };
