import { randomBytes } from 'node:crypto';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import type { ReadResourceResult, ResourceContents } from '../../call/results.ts';
import { ownedKey, splitKey } from '../../shared/owners/owned-key.ts';
import { createKeyring, type Keyring, type Secrets } from '../../shared/sealed-text.ts';
import { subjectKey, subjectOf } from '../../call/subject.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../../kernel/call/call.ts';
import { pack, unpack } from '../../kernel/call/replay/request-states.ts';
import { InMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';

export interface StoredResultsOptions {
  /** Default: an `InMemoryStore`. */
  readonly store?: Store | undefined;
  /** The server's name: other servers may use the same store. */
  readonly server: string;
  /** What is kept is sealed with the first of them; without any it is kept as it is. */
  readonly secrets?: Secrets | undefined;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A link to a result that will be stored. */
export interface ResultLink {
  readonly uri: string;
  /** ISO 8601. */
  readonly until: string;
}

const SCHEME = 'toolwright://results/';
/** The collection of the store. */
export const STORED_RESULTS = 'results';
/** Milliseconds that a result is kept. */
const TTL = 10 * 60_000;
/** Seconds after which a result can be asked for again that could not be read. */
const RETRY_AFTER = 5;
/** Bytes of one result. */
const MOST_BYTES = 5 * 1024 * 1024;

interface StoredResult {
  readonly owner: string | null;
  readonly until: number;
  readonly contents: readonly ResourceContents[];
}

/** Results that were too large to be sent. Each can be read by the subject of its call. */
export class StoredResults {
  readonly #options: StoredResultsOptions;
  readonly #logger: Logger;
  readonly #keyring: Keyring | undefined;
  readonly #now: () => number;
  #store: Store | undefined;

  constructor(options: StoredResultsOptions) {
    const { secrets, server, now = Date.now } = options;
    this.#options = options;
    this.#logger = new DedupingLogger(options.logger);
    this.#keyring = secrets && createKeyring(secrets, `result:${server}`);
    this.#now = now;
    this.#store = options.store;
  }

  /** The part of a URI that is the result's own. */
  static readId(uri: string): string {
    return uri.slice(SCHEME.length);
  }

  static uriFor(id: string): string {
    return `${SCHEME}${id}`;
  }

  /** True for the URI of a result, whether there is one or not. */
  static has(uri: string): boolean {
    return uri.startsWith(SCHEME);
  }

  /**
   * @param owner whose it is, as `ownerOf` says it
   * @param ttl milliseconds that the result is kept
   */
  newLink(owner: string | undefined, ttl = TTL): ResultLink {
    const id = ownedKey(owner, randomBytes(16).toString('base64url'));
    return { uri: `${SCHEME}${id}`, until: new Date(this.#now() + ttl).toISOString() };
  }

  /** Whether the result was stored: not if it is too large, or the store fails. */
  async keep(
    { uri, until }: ResultLink,
    owner: string | undefined,
    contents: readonly ResourceContents[],
  ): Promise<boolean> {
    const end = Date.parse(until);
    const stored: StoredResult = { owner: owner ?? null, until: end, contents };
    const text = JSON.stringify(stored);
    if (text.length > MOST_BYTES || Buffer.byteLength(text) > MOST_BYTES) return false;
    const value = this.#keyring === undefined ? text : this.#keyring.seal(pack(stored));
    try {
      const key = this.#keyOf(uri);
      const share = { owner: splitKey(key)[0] };
      const ttl = Math.max(1, end - this.#now());
      const written = await this.store.put(STORED_RESULTS, key, { value, ttl, spare: 'whole', share });
      if ('full' in written)
        throw new RangeError(`The store has no room for ${String(value.length)} characters`);
      return true;
    } catch (error) {
      this.#logFailure('A result that was too large to be sent was not stored', error);
      return false;
    }
  }

  /**
   * The contents of a result; undefined for every other subject, and for a result that is not there any more.
   * @throws ProtocolError TRY_AGAIN_LATER when the store fails
   */
  async read(uri: string, owner: string | undefined): Promise<ReadResourceResult | undefined> {
    const value = await this.#get(uri);
    const stored = value === undefined ? undefined : this.#open(value);
    // Its store forgets it in time, and the clock of this process may be wrong
    if (stored === undefined || stored.owner !== (owner ?? null)) return undefined;
    return { contents: stored.contents };
  }

  async #get(uri: string): Promise<string | undefined> {
    try {
      return (await this.store.get(STORED_RESULTS, this.#keyOf(uri)))?.value;
    } catch (error) {
      this.#logFailure('A stored result could not be read; its client can try again', error);
      const message = 'The server cannot read the result now; send the same request again later';
      throw new ProtocolError(INTERNAL_ERROR, message, { code: 'TRY_AGAIN_LATER', retryAfter: RETRY_AFTER });
    }
  }

  get store(): Store {
    return (this.#store ??= new InMemoryStore());
  }

  #keyOf(uri: string): string {
    const [owner, id] = splitKey(StoredResults.readId(uri));
    return ownedKey(owner, `${this.#options.server} ${id}`);
  }

  #open(value: string): StoredResult | undefined {
    if (this.#keyring === undefined) return JSON.parse(value) as StoredResult;
    const content = this.#keyring.open(value);
    return content && (unpack(content) as StoredResult);
  }

  #logFailure(what: string, error: unknown): void {
    this.#logger.log({
      level: 'error',
      event: 'result.store-failed',
      message: `${what}: the store failed.`,
      error,
    });
  }
}

/**
 * A result that was too large to be sent, if the URI is of one that the caller may read; an error where the store is away.
 * It has no route of its own.
 */
export function readStored(
  { params, authInfo }: Call,
  results: StoredResults | undefined,
): MaybePromise<object | ProtocolError | undefined> {
  const { uri } = params;
  if (results === undefined || typeof uri !== 'string' || !StoredResults.has(uri)) return undefined;
  return results.read(uri, authInfo && subjectKey(subjectOf(authInfo))).catch((error: unknown) => {
    if (ProtocolError.is(error)) return error;
    throw error;
  });
}
