import { isRequest, replyMessage, writeMessage, type Reply } from '../../../engine/json-rpc/message.ts';
import {
  wireId,
  type Cursor,
  type MissedEvent,
  type SessionEvents,
} from '../../event-store/session-events.ts';
import type { RequestId } from '../guards/check-post.ts';
import type { EventStream } from './event-stream.ts';

/** A message and its JSON. */
export interface ChannelMessage {
  readonly message: object;
  readonly text: string;
}

/** The result of a resumption: the rest follows, the stream has ended, or the event is unknown. */
export type Resumption = 'resumed' | 'finished' | 'unknown';

export interface ChannelOptions {
  /** Undefined where a lost response cannot be resumed. */
  readonly events: SessionEvents | undefined;
  /** Sends the client the time after which to reconnect. */
  readonly retryInterval: number;
  readonly report: (error: Error) => void;
  /** The id of the first event, where nothing is stored. */
  readonly mark?: string | undefined;
  /**
   * Told when a client has come back whose stream broke.
   * @param requests whose stream it is; undefined for what belongs to none
   * @param replayed ids of the requests to the client among what it was sent again
   */
  readonly onReturn?: (requests: readonly (RequestId | undefined)[], replayed: ReadonlySet<unknown>) => void;
}

/** What a channel is for. */
interface ChannelUse {
  /** Whose answers it carries; undefined for what belongs to no request. */
  readonly requests?: readonly (RequestId | undefined)[];
  /** Called when the last event is sent. */
  readonly onEnd?: () => void;
}

/**
 * A stream of messages. With an event store, it outlives its response and continues in another one. Events must be
 * stored and sent in the same order, and replayed events must come before new ones; so with a store, all operations are
 * queued.
 */
export class Channel {
  readonly id: string;
  readonly #options: ChannelOptions;
  readonly #use: ChannelUse;
  #response: EventStream | undefined;
  /** Whether the client has the id of an event, which it needs to resume. */
  #hasCursor = false;
  /** Whether it has, or lost, a response that it did not end itself. */
  #isRead = false;
  #hasDropped = false;
  #mark: string | undefined;
  #isEnded = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(id: string, options: ChannelOptions, use: ChannelUse = {}) {
    this.id = id;
    this.#options = options;
    this.#use = use;
    this.#mark = options.mark;
  }

  /** Whether its last event is sent, or will never be. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  get isConnected(): boolean {
    return this.#response?.isOpen === true;
  }

  connect(response: EventStream): void {
    this.#response = response;
    this.#isRead = true;
  }

  /** Sends an event id before any message, so that the client can resume (same spec page, Sending Messages). */
  async prime(): Promise<void> {
    const { events, retryInterval: retry } = this.#options;
    if (events === undefined) return;
    await this.#inTurn(async () => {
      const id = await events.store(this.id);
      if (id === undefined || !this.isConnected) return;
      this.#hasCursor = true;
      this.#response?.write({ id, retry, data: '' });
    });
  }

  /** @throws Error for a question that cannot reach the client */
  async send(given: ChannelMessage): Promise<void> {
    const { events } = this.#options;
    if (events === undefined) this.#deliver(given, undefined);
    else await this.#inTurn(() => this.#sendStored(given, events));
  }

  /** Ends the response, and lets the client come back for the rest; does nothing for one that could not. */
  release(): void {
    void this.#inTurn(async () => {
      if (!this.#hasCursor || this.#isEnded) return;
      this.#isRead = false;
      this.#response?.write({ retry: this.#options.retryInterval });
      this.#response?.end();
    });
  }

  /** Sends the answer to the request that it belongs to, which is the last message. */
  finish(reply: Reply, id: string | number): void {
    // It is sent before the channel ends.
    void this.send(writeMessage(replyMessage(reply, id), this.#options.report));
    this.end();
  }

  /** Ends it when everything is sent. */
  end(): void {
    if (this.#options.events === undefined) this.close();
    else void this.#inTurn(async () => this.close());
  }

  /** Writes before everything that waits for its turn; for what is said when nothing will follow. */
  sendAtOnce(text: string): void {
    if (this.isConnected) this.#response?.write({ data: text });
  }

  /** Ends it at once, with a last word. */
  closeWith(text: string): void {
    this.sendAtOnce(text);
    this.close();
  }

  /** Ends it at once. */
  close(): void {
    this.#isEnded = true;
    this.#response?.end();
    this.#use.onEnd?.();
  }

  /** Sends a message of another instance; false where the client cannot get it. */
  async pass(given: ChannelMessage): Promise<boolean> {
    if (!this.#isReachable) return false;
    await this.send(given);
    return true;
  }

  /** Its client may come back for what follows, though it began the channel at another instance. */
  expectReturn(): void {
    this.#hasCursor ||= this.#options.events !== undefined;
  }

  /** Its client goes on at another instance. False for one that is open, and may stay. */
  async leave(isForced: boolean): Promise<boolean> {
    if (this.isConnected && !isForced) return false;
    return this.#inTurn(async () => {
      this.#response?.giveUp();
      this.#hasCursor = this.#isRead = false;
      return true;
    });
  }

  /** Its client reads at another instance what is stored of it. */
  continuesElsewhere(replayed: readonly unknown[]): void {
    if (this.#isRead) this.#options.onReturn?.(this.#requests, new Set(replayed));
    this.#isRead = false;
  }

  /** Continues on another response, which takes the place of the one before: that one may be lost unnoticed. */
  resume(cursor: Cursor, response: EventStream): Promise<Resumption> {
    const { events } = this.#options;
    return this.#inTurn(async () => {
      const missed = (await events?.after(cursor)) ?? 'unknown';
      // As long as more will come here, the rest is worth more than nothing.
      if (missed === 'foreign' || (missed === 'unknown' && this.#isEnded)) return 'unknown';
      if (missed.length === 0 && this.#isEnded) return 'finished';
      this.#response?.giveUp();
      this.#response = response;
      this.#hasCursor = true;
      const { retryInterval: retry } = this.#options;
      // The official clients forget their place when a stream breaks that has brought no id
      if (missed.length === 0) response.write({ id: wireId(cursor.channel, cursor.event), retry, data: '' });
      this.#replay(missed === 'unknown' ? [] : missed, response);
      return 'resumed';
    });
  }

  #replay(missed: readonly MissedEvent[], response: EventStream): void {
    for (const { id, message } of missed) response.write({ id, data: JSON.stringify(message) });
    if (this.#isEnded) response.end();
    else if (this.#isRead) this.#options.onReturn?.(this.#requests, new Set(questionsIn(missed)));
    this.#isRead = true;
  }

  get #requests(): readonly (RequestId | undefined)[] {
    return this.#use.requests ?? [undefined];
  }

  async #sendStored(given: ChannelMessage, events: SessionEvents): Promise<void> {
    // Nobody could ever ask for what neither was sent nor comes after something that was.
    const isWanted = this.#isReachable && !this.#isDropped(given.message);
    this.#deliver(given, isWanted ? await events.store(this.id, given.message) : undefined);
  }

  #deliver({ message, text }: ChannelMessage, id: string | undefined): void {
    if (!this.#isReachable) {
      if (isRequest(message)) throw new Error('The client has no stream on which it could be asked');
      return;
    }
    if (this.#isDropped(message) || !this.isConnected) return;
    this.#hasCursor ||= id !== undefined;
    this.#response?.write({ id: id ?? this.#mark, data: text });
    this.#mark = undefined;
  }

  get #isReachable(): boolean {
    return this.isConnected || (this.#hasCursor && !this.#isEnded);
  }

  /** Answers and questions are waited for; the client decides itself whether it reads them. */
  #isDropped(message: object): boolean {
    const isNotification = 'method' in message && !('id' in message);
    if (!isNotification || !this.isConnected || this.#response?.isFull !== true) return false;
    if (!this.#hasDropped) {
      this.#options.report(new Error('A client does not read its stream, so notifications were dropped'));
    }
    this.#hasDropped = true;
    return true;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

/** The ids of the requests to the client. */
export function questionsIn(events: readonly MissedEvent[]): readonly unknown[] {
  return events.flatMap(({ message }) => (isRequest(message) ? [message.id] : []));
}
