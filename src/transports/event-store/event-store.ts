/** A JSON-RPC message as it was sent, or an empty object that only marks a position in its stream. */
export type StoredMessage = Readonly<Record<string, unknown>>;

/** Receives the events that a client missed, in order. */
export interface ReplayTarget {
  /** Sends one stored message, and resolves when it is written. */
  readonly send: (eventId: string, message: StoredMessage) => Promise<void>;
}

/**
 * Keeps the messages of sessions of 2025 revisions, so that a client that lost a stream gets the rest of it
 * (spec 2025-11-25: basic/transports, Resumability and Redelivery). The stores of both SDK lines fit.
 *
 * The streams of all sessions share one store; a stream's id never repeats and does not contain the session id.
 * The server asks for one event of a stream after the other, and checks that what comes back is of that stream.
 * A store that rejects costs a client its resumption and never an answer. A message may have all characters that JSON can
 * carry; ids of streams and sessions are well-formed Unicode without U+0000. `eventStoreConformance` of
 * `toolwright/testing` checks a store of your own.
 *
 * @example
 * const events: { id: string; streamId: string; message: StoredMessage }[] = [];
 * const eventStore: EventStore = {
 *   storeEvent: async (streamId, message) => {
 *     const id = String(events.length);
 *     events.push({ id, streamId, message });
 *     return id;
 *   },
 *   replayEventsAfter: async (lastEventId, { send }) => {
 *     const streamId = events.find(({ id }) => id === lastEventId)?.streamId;
 *     for (const event of events.slice(Number(lastEventId) + 1)) {
 *       if (event.streamId === streamId) await send(event.id, event.message);
 *     }
 *     return streamId;
 *   },
 * };
 */
export interface EventStore {
  /**
   * @param session identifies the session of the stream; it is unique, and not the session id itself
   * @returns the event's id: printable ASCII without spaces, unique in the whole store
   */
  storeEvent(streamId: string, message: StoredMessage, session?: string): Promise<string>;
  /**
   * Sends the events after the given one in its stream, oldest first.
   * @returns the id of that stream; an empty text or undefined when the event is unknown
   */
  replayEventsAfter(lastEventId: string, target: ReplayTarget): Promise<string | undefined>;
  /** The stream of an event; undefined when it is unknown. Without this method, only a replay finds it. */
  getStreamIdForEventId?(eventId: string): Promise<string | undefined>;
  /**
   * Called when a stream has brought the answer that ends it, and its client has read it as far as the server knows. Without
   * this method, its events stay until they expire.
   * @param milliseconds for which the client may still come back
   */
  endStream?(streamId: string, milliseconds: number, session?: string): Promise<void>;
  /** Called when a session ends and its events are not needed any more. Without it, they stay until they expire. */
  forgetSession?(session: string): Promise<void>;
  /**
   * Removes the events of all sessions of an owner: those whose name begins with that of the owner and a dot. Names have
   * 22 letters, digits, `-` and `_`. Without this method, `app.forget` reports that the store kept what it has.
   * @returns how many entries these were, as the store keeps them
   */
  forget?(owner: string): Promise<number>;
}
