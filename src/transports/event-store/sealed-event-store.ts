import { Buffer } from 'node:buffer';
import { createKeyring, type Keyring, type Secrets } from '../../shared/sealed-text.ts';
import type { EventStore, ReplayTarget, StoredMessage } from './event-store.ts';

export interface SealedEventStoreOptions {
  /** The application's. */
  readonly server: string;
  readonly secrets: Secrets | undefined;
}

/** Keeps from a store what messages say. */
export class SealedEventStore implements EventStore {
  readonly #store: EventStore;
  readonly #keyring: Keyring;

  /** Where the store has it. */
  forget?(owner: string): Promise<number>;

  constructor(store: EventStore, { server, secrets }: SealedEventStoreOptions) {
    this.#store = store;
    if (store.forget !== undefined) this.forget = store.forget.bind(store);
    this.#keyring = createKeyring(secrets, `event:${server}`);
  }

  storeEvent(streamId: string, message: StoredMessage, session?: string): Promise<string> {
    // One that only marks a position stays empty
    const isEmpty = Object.keys(message).length === 0;
    return this.#store.storeEvent(streamId, isEmpty ? message : this.#seal(message), session);
  }

  replayEventsAfter(lastEventId: string, { send }: ReplayTarget): Promise<string | undefined> {
    return this.#store.replayEventsAfter(lastEventId, {
      send: (id, message) => send(id, 'sealed' in message ? this.#open(message['sealed']) : message),
    });
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#store.getStreamIdForEventId?.(eventId);
  }

  async endStream(streamId: string, milliseconds: number, session?: string): Promise<void> {
    await this.#store.endStream?.(streamId, milliseconds, session);
  }

  async forgetSession(session: string): Promise<void> {
    await this.#store.forgetSession?.(session);
  }

  #seal(message: StoredMessage): StoredMessage {
    return { v: 1, sealed: this.#keyring.seal(Buffer.from(JSON.stringify(message))) };
  }

  #open(sealed: unknown): StoredMessage {
    const content = this.#keyring.open(String(sealed));
    if (content === undefined) throw new Error('An event was sealed with other secrets');
    return JSON.parse(Buffer.from(content).toString()) as StoredMessage;
  }
}
