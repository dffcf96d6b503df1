import { createHash } from 'node:crypto';
import type { Peers } from '../../../runtime/peers/peers.ts';
import type { MaybePromise } from '../../../shared/maybe-promise.ts';
import { unref } from '../../../shared/platform.ts';
import type { SharedSessions } from '../../served-application.ts';
import { INSTANCE, requestOf, type ClientMessage } from './client-requests.ts';
import type { SessionRecord } from './session-record.ts';
import type { HeldRecord } from './shared-records.ts';

/**
 * What instances say to each other about a session that more than one of them serves: to one of them, or to those that have a
 * stream or a call of it.
 */
export type SessionLetter =
  /** The client replied to a question of yours, or told of progress: whether the question is open. */
  | { readonly is: 'reply'; readonly message: ClientMessage }
  /** The client has cancelled a request. */
  | { readonly is: 'cancel'; readonly id: unknown; readonly reason: unknown }
  /** The record is another one. */
  | { readonly is: 'changed' }
  | { readonly is: 'ended' }
  /** The client wants its standalone stream from me: whether you have none now. Unless forced, an open one stays. */
  | { readonly is: 'yield'; readonly isForced: boolean }
  /** For the standalone stream: whether the client can get it. */
  | { readonly is: 'message'; readonly message: object }
  /** Whether the call runs whose stream has this name. Its client reads what is stored of it, with the questions named. */
  | { readonly is: 'runs'; readonly channel: string; readonly replayed?: readonly unknown[] };

/** A letter with the session that it is about. */
export interface AddressedLetter {
  readonly session: string;
  readonly letter: SessionLetter;
}

/** What is known of a session here. */
export interface SharedSession {
  readonly record: SessionRecord;
  change(update: (record: SessionRecord) => SessionRecord): MaybePromise<void>;
  /** Learns what other instances have changed. */
  reload(): Promise<unknown>;
}

/** Milliseconds after which an instance follows the session of a call that still runs, with room for a busy one. */
const FOLLOWED_AFTER = 500;

/** The topic of these letters. */
export const SESSIONS = 'session';

/** What is known of a call of another instance; `unknown` where nobody can say. */
export type RemoteState = 'running' | 'over' | 'unknown';

/** One session, as the other instances of the application have to do with it. */
export class SessionLink {
  /** The name of this instance. */
  readonly instance: string;
  readonly #id: string;
  readonly #shared: SharedSessions;
  readonly #peers: Peers;
  readonly #lifetime: number;
  /** The instances that have a stream or a call of the session. */
  readonly #group: string;
  #followed: Promise<() => void> | undefined;
  #loadedAt = performance.now();

  /** @param lifetime milliseconds for which it is kept after a request */
  constructor(id: string, shared: SharedSessions, lifetime: number) {
    this.#id = id;
    this.#shared = shared;
    this.#peers = shared.peers;
    this.#lifetime = lifetime;
    this.instance = shared.peers.instance;
    // The id is all that a client shows, so the bus does not get it
    this.#group = `session:${createHash('sha256').update(id).digest('base64url')}`;
  }

  /**
   * Receives what other instances say to those with a part in the session, until it is left.
   * @returns false where it does so already, or cannot while the bus fails
   */
  async follow(): Promise<boolean> {
    if (this.#followed !== undefined) return false;
    const followed = this.#peers.follow(this.#group);
    this.#followed = followed;
    try {
      await followed;
      return true;
    } catch {
      if (this.#followed === followed) this.#followed = undefined;
      return false;
    }
  }

  leave(): void {
    this.#followed?.then(
      (stop) => {
        stop();
      },
      () => undefined,
    );
    this.#followed = undefined;
  }

  /**
   * Undefined for a session that is not known, or not any more.
   * @throws SessionsUnavailable
   */
  load(held?: HeldRecord): Promise<HeldRecord | undefined> {
    this.#loadedAt = performance.now();
    return this.#shared.records.load(this.#id, this.#lifetime, held);
  }

  /** Whether a part of its lifetime has passed since the store was last asked. */
  get isAging(): boolean {
    return performance.now() - this.#loadedAt > this.#lifetime / 3;
  }

  /** @throws SessionsUnavailable */
  async change(held: HeldRecord, update: (record: SessionRecord) => SessionRecord): Promise<HeldRecord> {
    const changed = await this.#shared.records.change(held, this.#lifetime, update);
    // Nobody else knows a new one; of others, what the client does next may not come before this
    if (held.version > 0 && changed !== held) await this.#tell({ is: 'changed' });
    return changed;
  }

  /** @throws SessionsUnavailable */
  async end({ opener }: SessionRecord): Promise<void> {
    await this.#shared.records.remove(this.#id);
    await this.#tell({ is: 'ended' });
    if (opener !== undefined && opener !== this.instance) await this.#tell({ is: 'ended' }, opener);
  }

  /** Says so twice: the instance of a call that has just begun does not get it before. */
  cancel(id: unknown, reason: unknown): void {
    const tell = (): void => void this.#tell({ is: 'cancel', id, reason });
    tell();
    unref(setTimeout(tell, FOLLOWED_AFTER));
  }

  /** The id of a new question. */
  nameQuestion(): string {
    return this.#shared.records.replies.nameQuestion(this.#id, this.instance);
  }

  /**
   * Brings the reply to a question to the instance that asked, or progress of it. A reply is stored where that instance
   * does not say what it made of it, until it looks for it.
   * @returns false where no such question is open
   * @throws SessionsUnavailable for a reply that can neither be brought nor be stored
   */
  async passOn(instance: string, message: ClientMessage): Promise<boolean> {
    const answer = await this.#ask(instance, { is: 'reply', message }).catch(() => undefined);
    if (answer !== undefined) return answer === true;
    const { replies } = this.#shared.records;
    const question = String(requestOf(message));
    if (message.method !== undefined || !replies.wasAsked(this.#id, question)) return false;
    await replies.put(this.#id, question, message, this.#lifetime);
    return true;
  }

  /**
   * The reply to a question of this instance that another one has stored.
   * @throws SessionsUnavailable
   */
  takeReply(question: string): Promise<ClientMessage | undefined> {
    return this.#shared.records.replies.take(this.#id, question, this.#lifetime);
  }

  /**
   * Gives this instance the standalone stream; false where another one has it.
   * @param isForced whether the other one gives up a stream that it has open
   * @throws SessionsUnavailable
   */
  async takeStream(session: SharedSession, isForced: boolean): Promise<boolean> {
    const { instance } = this;
    const { stream } = session.record;
    if (stream === instance) return true;
    // One that cannot be reached must not keep the client from its stream
    const isKept =
      stream !== undefined &&
      (await this.#ask(stream, { is: 'yield', isForced }).catch(() => undefined)) === false;
    if (isKept) return false;
    await session.change((record) =>
      record.stream === stream ? Object.freeze({ ...record, stream: instance }) : record,
    );
    return session.record.stream === instance;
  }

  /**
   * Sends a message to the client by the instance with its standalone stream: `here` if that is this one, `lost` if the
   * other one is gone, or has forgotten the session.
   */
  async forward({ stream }: SessionRecord, message: object): Promise<'here' | 'sent' | 'unsent' | 'lost'> {
    if (stream === undefined || stream === this.instance) return 'here';
    const answer = await this.#ask(stream, { is: 'message', message }).catch(() => undefined);
    return answer === true ? 'sent' : answer === false ? 'unsent' : 'lost';
  }

  /**
   * What became of a call of another instance.
   * @param replayed the ids of questions that its client is sent again
   */
  async callOf(instance: string, channel: string, replayed: readonly unknown[] = []): Promise<RemoteState> {
    // A client could make up names of channels, and be silent about this one
    if (instance === this.instance || !INSTANCE.test(instance)) return 'over';
    try {
      const answer = await this.#ask(instance, { is: 'runs', channel, replayed });
      if (answer === undefined && this.#peers.isDoubtful) return 'unknown';
      return answer === true ? 'running' : 'over';
    } catch {
      return 'unknown';
    }
  }

  /** @param to those with a part in the session, or one instance */
  #tell(letter: SessionLetter, to = this.#group): Promise<void> {
    return this.#peers.tell(SESSIONS, { session: this.#id, letter } satisfies AddressedLetter, to);
  }

  #ask(instance: string, letter: SessionLetter): Promise<unknown> {
    return this.#peers.ask(instance, SESSIONS, { session: this.#id, letter } satisfies AddressedLetter);
  }
}
