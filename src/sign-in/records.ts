import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Logger, Store } from '../index.ts';
import { FailureLog } from '../shared/failure-log.ts';
import { parseJson } from '../shared/json.ts';
import { ownedKey, splitKey } from '../shared/owners/owned-key.ts';
import { createKeyring, type Keyring, type Secrets } from '../shared/sealed-text.ts';

const COLLECTION = 'signIns';

/** The store could not be reached, or takes nothing more. */
export class StoreUnavailable extends Error {}

/** A record, and the version by which it is changed. */
export interface StoredRecord<Value> {
  readonly value: Value;
  readonly version: number;
}

/** What is put beside a value. */
export interface RecordWrite {
  /** Milliseconds. */
  readonly ttl: number;
  readonly if?: 'absent' | number;
  /** Whether it may go where memory is full. */
  readonly isSpare?: boolean;
}

/** What a sign-in leaves behind: sealed, each under a hash, and all of it expires. Ids begin with their owner, if they have one. */
export class Records {
  readonly #store: Store;
  readonly #server: string;
  readonly #keyring: Keyring;
  readonly #logger: Logger;
  readonly #failures = new FailureLog({
    event: 'backplane.store-failed',
    fails: 'The store fails to read or write sign-ins; nobody can sign in, and tokens go on to count',
    works: 'Sign-ins can be read and written again',
  });

  constructor(
    store: Store,
    { server, secrets, logger }: { server: string; secrets: Secrets; logger: Logger },
  ) {
    this.#store = store;
    this.#server = server;
    this.#keyring = createKeyring(secrets, `sign-in:${server}`);
    this.#logger = logger;
  }

  async get<Value>(kind: string, id: string): Promise<StoredRecord<Value> | undefined> {
    const key = this.#keyOf(kind, id);
    const entry = await this.#ask(() => this.#store.get(COLLECTION, key));
    const value = entry && this.#open(key, entry.value);
    return value === undefined ? undefined : { value: value as Value, version: entry?.version ?? 0 };
  }

  /** Whether it was written: not if another record was in its way. @throws StoreUnavailable */
  async put(
    kind: string,
    id: string,
    value: unknown,
    { ttl, isSpare, ...write }: RecordWrite,
  ): Promise<boolean> {
    const key = this.#keyOf(kind, id);
    const sealed = this.#keyring.seal(Buffer.from(JSON.stringify({ key, value })));
    const written = await this.#ask(() =>
      this.#store.put(COLLECTION, key, {
        ...{ value: sealed, ttl: Math.max(1, Math.floor(ttl)) },
        ...(write.if !== undefined && { if: write.if }),
        ...(isSpare === true && { spare: 'whole' as const }),
      }),
    );
    if ('full' in written) throw new StoreUnavailable('The store is full');
    return 'version' in written;
  }

  /** Takes a record away: of all who ask for it, one gets it. */
  async take<Value>(kind: string, id: string): Promise<Value | undefined> {
    const found = await this.get<Value>(kind, id);
    if (found === undefined) return undefined;
    return (await this.remove(kind, id, found.version)) ? found.value : undefined;
  }

  remove(kind: string, id: string, version?: number): Promise<boolean> {
    return this.#ask(() => this.#store.delete(COLLECTION, this.#keyOf(kind, id), version));
  }

  #keyOf(kind: string, id: string): string {
    const [owner, rest] = splitKey(id);
    const hash = createHash('sha256')
      .update(JSON.stringify([this.#server, kind, rest]))
      .digest('base64url');
    return ownedKey(owner, hash);
  }

  /** What was sealed for another key, or by a secret that is gone, is not there. */
  #open(key: string, sealed: string): unknown {
    const content = this.#keyring.open(sealed);
    const read = content && (parseJson(Buffer.from(content).toString()) as { key: string; value: unknown });
    return read?.key === key ? read.value : undefined;
  }

  async #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await ask();
      this.#failures.worked(this.#logger);
      return answer;
    } catch (error) {
      this.#failures.failed(error, this.#logger);
      throw new StoreUnavailable('The store cannot be reached', { cause: error });
    }
  }
}
