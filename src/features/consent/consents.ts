import { createHash } from 'node:crypto';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { createKeyring, type Keyring, type Secrets } from '../../shared/sealed-text.ts';
import { ONCE, onceStoreIsFull } from '../../runtime/replay/answer-once.ts';
import { InMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store, StoreEntry, StoreWrite } from '../../runtime/store/store.ts';
import { StoreClock } from '../../runtime/store/store-clock.ts';
import { KeptConsents, CONSENT_LIFETIME_MS, type ConsentOptions } from './consent-pages.ts';
import { pack, unpack } from '../../kernel/call/replay/request-states.ts';

export interface ConsentsOptions {
  /** The server's name: another server with the same secrets cannot open its confirmations. */
  readonly server: string;
  readonly secrets?: Secrets | undefined;
  /** Instances of a server share one. */
  readonly store?: Store | undefined;
  /** The page where people are asked; undefined where there is none. */
  readonly page?: ConsentOptions | undefined;
  readonly logger: Logger;
  /** The time of the store. */
  readonly clock?: StoreClock;
}

/** Seconds after which a call can be sent again that could not be looked up. */
const RETRY_AFTER = 5;

/** What becomes of a confirmation: it is taken once; `unfit` is that of another call, and one that is too old. */
type Taken = 'taken' | 'used' | 'unfit';

/** The consents to the calls of an application. */
export class Consents {
  readonly #keyring: Keyring;
  readonly #logger: Logger;
  readonly pages: KeptConsents;
  readonly clock: StoreClock;
  #store: Store | undefined;

  constructor(options: ConsentsOptions) {
    const { clock = new StoreClock(options.store, options.logger) } = options;
    this.#store = options.store;
    this.clock = clock;
    this.pages = new KeptConsents(this, options.server, {
      urlOf: options.page?.url,
      clock,
    });
    this.#keyring = createKeyring(options.secrets, `confirmation:${options.server}`);
    this.#logger = new DedupingLogger(options.logger);
  }

  /** A text that a second call confirms itself with. @param bound what says which call it is */
  confirmationOf(bound: string): string {
    return this.#keyring.seal(pack([bound, this.clock.now() + CONSENT_LIFETIME_MS]));
  }

  /** @throws ToolError TRY_AGAIN_LATER when the store fails */
  async take(confirmation: string, bound: string, owner: string | undefined): Promise<Taken> {
    const content = this.#keyring.open(confirmation);
    if (content === undefined) return 'unfit';
    const [of, expires] = unpack(content) as readonly [string, number];
    const lifetime = expires - this.clock.now();
    if (of !== bound || lifetime <= 0) return 'unfit';
    const write = { value: 'used', ttl: lifetime, if: 'absent', share: { owner } } as const;
    return (await this.put(keyOf(confirmation), write)) ? 'taken' : 'used';
  }

  /** @throws ToolError TRY_AGAIN_LATER when the store fails */
  get(key: string): Promise<StoreEntry | undefined> {
    return this.#ask((store) => store.get(ONCE, key));
  }

  /** @returns whether it was put. @throws ToolError TRY_AGAIN_LATER when the store fails, or is full */
  put(key: string, write: StoreWrite): Promise<boolean> {
    return this.#ask(async (store) => {
      const written = await store.put(ONCE, key, write);
      if ('full' in written) throw onceStoreIsFull(written.full);
      return 'version' in written;
    });
  }

  get store(): Store {
    return (this.#store ??= new InMemoryStore());
  }

  async #ask<Answer>(ask: (store: Store) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(this.store);
    } catch (error) {
      const message = 'The once store failed to keep a consent; the call was refused, and nothing was done.';
      this.#logger.log({ level: 'error', event: 'consent.store-failed', message, error });
      throw new ToolError('TRY_AGAIN_LATER', 'The server cannot keep a consent now; nothing was done', {
        retryAfter: RETRY_AFTER,
        cause: error,
      });
    }
  }
}

/** The key of a sealed text in the store, which says nothing about it. */
function keyOf(sealed: string): string {
  return `consent:${createHash('sha256').update(sealed).digest('base64url')}`;
}
