import { Buffer } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { ownedKey, splitKey } from '../../../shared/owners/owned-key.ts';
import {
  createKeyring,
  deriveKeys,
  isSameText,
  madeOf,
  signatureOf,
  type Keyring,
  type Secret,
  type Secrets,
} from '../../../shared/sealed-text.ts';
import { instanceOf, type ClientMessage } from './client-requests.ts';
import type { Store, StoreWrite, StoreWritten } from '../../../runtime/store/store.ts';

/** What became of a write for which there was room. */
export type SessionWritten = Exclude<StoreWritten, { readonly full: unknown }>;

export interface SharedRepliesOptions {
  /** The application's. */
  readonly server: string;
  readonly secrets: Secrets | undefined;
  /** @throws SessionsUnavailable */
  readonly ask: <Answer>(question: (store: Store) => Promise<Answer>) => Promise<Answer>;
  /** @throws SessionsUnavailable */
  readonly put: (key: string, write: StoreWrite) => Promise<SessionWritten>;
}

/** Replies wait beside the sessions. */
const COLLECTION = 'sessions';
/** In hexadecimal digits: the first half of the end of an id is random, the second one signs it. */
const HALF = 16;
/** In characters. */
const UUID = 36;

/**
 * The replies of clients to questions of other instances, which wait in the store of sessions until those look for them.
 * Only an instance can make up the id of a question, so a client stores no more than it is asked for.
 */
export class SharedReplies {
  readonly #server: string;
  readonly #keyring: Keyring;
  readonly #keys: () => readonly Secret[];
  readonly #ask: SharedRepliesOptions['ask'];
  readonly #put: SharedRepliesOptions['put'];

  constructor({ server, secrets, ask, put }: SharedRepliesOptions) {
    this.#server = server;
    this.#keyring = createKeyring(secrets, `reply:${server}`);
    this.#keys = madeOf(secrets, (current) => deriveKeys(current, `question:${server}`));
    this.#ask = ask;
    this.#put = put;
  }

  /** The id of a question in a session. It ends like a UUID. */
  nameQuestion(session: string, instance: string): string {
    const random = randomBytes(HALF / 2).toString('hex');
    const [key = ''] = this.#keys();
    const end = random + sign(`${session}\n${instance}\n${random}`, key);
    return `${instance}-${end.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
  }

  /** Whether an instance of the application has asked it in the session. */
  wasAsked(session: string, question: string): boolean {
    const instance = instanceOf(question);
    const end = question.slice(-UUID).replaceAll('-', '');
    const [random, signature] = [end.slice(0, HALF), end.slice(HALF)];
    const text = `${session}\n${String(instance)}\n${random}`;
    return instance !== undefined && this.#keys().some((key) => isSameText(signature, sign(text, key)));
  }

  /**
   * Keeps the first reply to a question.
   * @param lifetime milliseconds
   * @throws SessionsUnavailable
   */
  async put(session: string, question: string, reply: ClientMessage, lifetime: number): Promise<void> {
    const value = this.#keyring.seal(Buffer.from(JSON.stringify({ v: 1, reply })));
    const key = this.#keyOf(session, question);
    await this.#put(key, { value, ttl: lifetime, if: 'absent', share: { owner: splitKey(key)[0] } });
  }

  /**
   * The reply to a question, which is not kept any longer; undefined where there is none.
   * @throws SessionsUnavailable
   */
  async take(session: string, question: string, lifetime: number): Promise<ClientMessage | undefined> {
    const key = this.#keyOf(session, question);
    const stored = await this.#ask((store) => store.get(COLLECTION, key, { keep: lifetime }));
    if (stored === undefined) return undefined;
    // It expires where it cannot be removed
    await this.#ask((store) => store.delete(COLLECTION, key)).catch(() => undefined);
    const content = this.#keyring.open(stored.value);
    if (content === undefined) return undefined;
    const { v, reply } = JSON.parse(Buffer.from(content).toString()) as { v: number; reply: ClientMessage };
    return v === 1 ? reply : undefined;
  }

  #keyOf(session: string, question: string): string {
    const text = `${this.#server}\nreply\n${session}\n${question}`;
    const digest = createHash('sha256').update(text).digest('base64url');
    return ownedKey(splitKey(session)[0], digest);
  }
}

function sign(text: string, key: Secret): string {
  return signatureOf(text, key).toString('hex').slice(0, HALF);
}
