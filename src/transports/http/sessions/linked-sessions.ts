import type { ChangeNotice } from '../../../call/notifier.ts';
import { ProtocolError } from '../../../call/protocol-error.ts';
import { writeMessage } from '../../../engine/json-rpc/message.ts';
import { SESSIONS, SessionLink, type AddressedLetter } from '../../../engine/revisions/2025/session-link.ts';
import {
  RETRY_AFTER,
  SessionsUnavailable,
  type HeldRecord,
} from '../../../engine/revisions/2025/shared-records.ts';
import type { SharedSessions } from '../../../engine/served-application.ts';
import { pause } from '../../../shared/platform.ts';
import { hasRequests, isReply } from '../guards/check-post.ts';
import { HttpRefusal } from '../http-answer.ts';
import type { Endpoint } from '../http-exchange.ts';
import type { Session } from '../../../engine/revisions/2025/session.ts';
import type { Channels } from '../streams/channels.ts';

/** A session that is live here. */
interface LiveSession {
  readonly id: string | undefined;
  readonly link: SessionLink | undefined;
  readonly session: Session;
  readonly channels: Channels;
  readonly context: Pick<Endpoint, 'report'>;
  readonly isActive: boolean;
  follow(): Promise<void>;
  leaveIfInactive(): void;
  cancel(id: unknown, reason: unknown): boolean;
  close(isOver: boolean): void;
}

/** The live sessions of one endpoint, of which other instances of the application may have the same. */
export class LinkedSessions {
  readonly #closing = new AbortController();
  readonly #shared: SharedSessions;
  readonly #live: ReadonlyMap<string, LiveSession>;
  readonly #lifetime: number;
  /** Of sessions that others have changed, until the change is known here. */
  readonly #reloading = new Map<string, Promise<void>>();

  /** @param lifetime milliseconds for which the store keeps a session after a request */
  constructor(shared: SharedSessions, live: ReadonlyMap<string, LiveSession>, lifetime: number) {
    this.#shared = shared;
    this.#live = live;
    this.#lifetime = lifetime;
    const { peers } = shared;
    const stops = [
      peers.on(SESSIONS, (body) => this.#receive(body as AddressedLetter)),
      // What others could not send in the meantime, they have stored
      peers.onGap(() => {
        for (const each of live.values()) {
          void each.session.lookForReplies();
          if (each.isActive) void each.follow();
        }
      }),
    ];
    this.#closing.signal.addEventListener('abort', () => {
      for (const stop of stops) stop();
    });
  }

  close(): void {
    this.#closing.abort();
  }

  linkOf(id: string): SessionLink {
    return new SessionLink(id, this.#shared, this.#lifetime);
  }

  /**
   * The record of a session, which is live here from then on as it is stored; undefined for one that is not known, or not
   * any more.
   * @throws SessionsUnavailable
   */
  async load(id: string): Promise<HeldRecord | undefined> {
    const live = this.#live.get(id);
    const held = await (live?.link ?? this.linkOf(id)).load(live?.session.held);
    // It may have been opened in the meantime
    const known = this.#live.get(id);
    if (held === undefined) known?.close(true);
    else known?.session.refresh(held);
    return held;
  }

  /**
   * Serves a request of a session. A reply to a question is tried again for a while, because clients send it only once.
   * @throws HttpRefusal 503 while the store fails
   */
  async serve<Answer>(body: unknown, attempt: () => Promise<Answer>): Promise<Answer> {
    const until = performance.now() + (bringsReply(body) ? PATIENCE : 0);
    for (;;) {
      try {
        return await attempt();
      } catch (thrown) {
        const { signal } = this.#closing;
        const isFinal = !(thrown instanceof SessionsUnavailable) || performance.now() > until;
        if (isFinal || signal.aborted) throw refusalOfStore(thrown);
        await pause(BETWEEN_ATTEMPTS, signal);
      }
    }
  }

  /** Notifies a client when its session is known as it is now; false where it is already. */
  defers({ id = '', session }: LiveSession, change: ChangeNotice): boolean {
    const reloading = this.#reloading.get(id);
    void reloading?.then(() => {
      session.notify(change);
    });
    return reloading !== undefined;
  }

  /** Keeps one in the store that is in use here without requests. */
  keep(session: LiveSession): void {
    const { id, link } = session;
    if (id !== undefined && link?.isAging === true) this.#reload(id);
    // It may not have been possible before
    void session.follow();
  }

  #receive({ session: id, letter }: AddressedLetter): unknown {
    const session = this.#live.get(id);
    if (session === undefined) return undefined;
    const { standalone } = session.channels;
    switch (letter.is) {
      case 'reply':
        return session.session.takeReply(letter.message);
      case 'cancel':
        return session.cancel(letter.id, letter.reason);
      case 'runs':
        return session.channels.runs(letter.channel, letter.replayed);
      case 'yield':
        return standalone.leave(letter.isForced);
      case 'message':
        return standalone.pass(writeMessage(letter.message, session.context.report));
      case 'changed':
        this.#reload(id);
        return true;
      case 'ended':
        session.close(true);
        return true;
    }
  }

  #reload(id: string): void {
    const reloading: Promise<void> = this.load(id)
      // The next request tries again
      .then(undefined, () => undefined)
      .then(() => {
        if (this.#reloading.get(id) === reloading) this.#reloading.delete(id);
        // Its stream may be elsewhere now
        this.#live.get(id)?.leaveIfInactive();
      });
    this.#reloading.set(id, reloading);
  }
}

/** Milliseconds for which a reply is tried again. */
const PATIENCE = 10_000;
const BETWEEN_ATTEMPTS = 250;

function bringsReply(body: unknown): boolean {
  return !hasRequests(body) && (Array.isArray(body) ? body : [body]).some(isReply);
}

/** What a client gets when its session cannot be loaded or changed: it must not give the session up for that. */
function refusalOfStore(thrown: unknown): unknown {
  if (!ProtocolError.is(thrown)) return thrown;
  const { message, code } = thrown;
  if (!(thrown instanceof SessionsUnavailable)) return new HttpRefusal(404, message, { code });
  return new HttpRefusal(503, message, { code, headers: { 'retry-after': String(RETRY_AFTER) } });
}
