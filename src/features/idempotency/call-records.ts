import { createHash } from 'node:crypto';
import { DedupingLogger, type Logger } from '../../call/logger.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { createKeyring, type Keyring, type Secrets } from '../../shared/sealed-text.ts';
import { pack, unpack } from '../../kernel/call/replay/request-states.ts';
import { systemClock, type TaskClock } from '../../runtime/tasks/task-store.ts';
import type { CallRecord } from './call-record.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { InMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store, StoreEntry, StoreWritten } from '../../runtime/store/store.ts';

/** The collection of the store: which calls have run. */
export const CALL_RECORDS = 'idempotency';

export interface CallRecordsOptions {
  /** Instances of a server share one. Default: an `InMemoryStore`. */
  readonly store?: Store | undefined;
  /** The server's name: other servers may use the same store. */
  readonly server: string;
  /** What is kept is sealed with the first of them; without any it is kept as it is. */
  readonly secrets?: Secrets | undefined;
  /** Milliseconds that a client has to answer a question. */
  readonly questionTtl?: number | undefined;
  readonly logger: Logger;
  /** Of leases; polls wait by it as well. */
  readonly clock?: TaskClock;
}

/** Milliseconds. A process that does not renew its lease in this time is taken to be dead. */
export const CALL_LEASE = 30_000;
const QUESTION_TTL = 10 * 60_000;
/** Seconds after which a call can be sent again that could not be looked up. */
const RETRY_AFTER = 5;
/** Characters of a record. Of a larger one, the outcome is left out. */
const LARGEST_RECORD = 1024 * 1024;

/** An entry of the store with what is in it; undefined where that cannot be read. */
export type FoundRecord = StoreEntry & { readonly record: CallRecord | undefined };

/** The records of an application's calls, in its store. */
export class CallRecords {
  readonly clock: TaskClock;
  /** Milliseconds that a call waits for the answer of its client. */
  readonly questionTtl: number;
  readonly logger: Logger;
  readonly #options: CallRecordsOptions;
  readonly #keyring: Keyring | undefined;
  #store: Store | undefined;

  constructor(options: CallRecordsOptions) {
    const { secrets, server, clock = systemClock, questionTtl = QUESTION_TTL } = options;
    this.clock = clock;
    this.questionTtl = questionTtl;
    this.logger = new DedupingLogger(options.logger);
    this.#options = options;
    this.#keyring = secrets && createKeyring(secrets, `idempotency:${server}`);
    this.#store = options.store;
  }

  /** The key of a call in the store, which says nothing about it. */
  keyOf(...facts: readonly (string | undefined)[]): string {
    const text = JSON.stringify([this.#options.server, ...facts.map((fact) => fact ?? null)]);
    return createHash('sha256').update(text).digest('base64url');
  }

  /** @throws ToolError TRY_AGAIN_LATER when the store fails */
  async find(key: string): Promise<FoundRecord | undefined> {
    const entry = await this.#ask('get', () => this.store.get(CALL_RECORDS, key));
    return entry && { ...entry, record: this.#read(entry.value) };
  }

  /** The number of the claim; undefined if somebody else was faster. @throws ToolError as {@link find} does */
  claim(
    key: string,
    expected: number | undefined,
    record: CallRecord,
    times: { readonly ttl: number; readonly owner: string | undefined },
  ): Promise<number | undefined> {
    const write = {
      ...{ value: this.#write(record), hold: CALL_LEASE, ttl: CALL_LEASE + times.ttl },
      ...{ if: expected ?? ('absent' as const), share: { owner: times.owner } },
    };
    return this.#ask('claim', async () => {
      const written = await this.store.put(CALL_RECORDS, key, write);
      if ('full' in written) throw isFull(written.full);
      return 'version' in written ? written.version : undefined;
    });
  }

  /**
   * Whether the record was replaced: not if another call has taken it over. While it runs, the number stays, and its lease
   * must not be over. How a call has ended is taken after its lease as well. Rejects as the store does.
   */
  async replace(
    key: string,
    fence: number,
    record: CallRecord,
    times: { readonly lease: number; readonly ttl: number },
  ): Promise<boolean> {
    const { lease, ttl } = times;
    const value = this.#write(record);
    // What has ended gets another number, by which the one that it had cannot take it over
    const condition = lease > 0 ? ({ if: { held: fence }, renumber: false } as const) : { if: fence };
    return wasPut(
      await this.store.put(CALL_RECORDS, key, { value, hold: lease, ttl: lease + ttl, ...condition }),
    );
  }

  /**
   * Takes a call over from itself, whose lease ended while nobody could renew it. @returns its new number; undefined if
   * somebody else has taken it over. Rejects as the store does.
   */
  async reclaim(key: string, fence: number, record: CallRecord, ttl: number): Promise<number | undefined> {
    const write = { value: this.#write(record), hold: CALL_LEASE, ttl: CALL_LEASE + ttl, if: fence };
    const written = await this.store.put(CALL_RECORDS, key, write);
    return 'version' in written ? written.version : undefined;
  }

  /** Forgets a claim, so that the next call runs. */
  async release(key: string, fence: number): Promise<boolean> {
    return wasPut(await this.store.put(CALL_RECORDS, key, { value: '', ttl: 0, if: fence }));
  }

  get store(): Store {
    return (this.#store ??= new InMemoryStore());
  }

  async #ask<Answer>(operation: string, ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      const message = `The idempotency store failed in ${operation}; the call was refused, and nothing was done.`;
      this.logger.log({ level: 'error', event: 'idempotency.store-failed', message, error });
      throw new ToolError(
        'TRY_AGAIN_LATER',
        'The server cannot find out now whether this call has run before; nothing was done',
        { retryAfter: RETRY_AFTER, cause: error },
      );
    }
  }

  #write(record: CallRecord): string {
    const text = jsonOf(record);
    const value = text !== undefined && text.length <= LARGEST_RECORD ? text : this.#shortened(record, text);
    return this.#keyring === undefined ? value : this.#keyring.seal(pack(JSON.parse(value)));
  }

  /** Only an outcome can be too large. */
  #shortened(record: CallRecord, text: string | undefined): string {
    const bytes = text?.length ?? 0;
    const reason = text === undefined ? 'JSON cannot carry it' : `it has ${String(bytes)} characters`;
    const message = `The result of a call is not kept: ${reason}. Calls that repeat it fail with RESULT_NOT_KEPT.`;
    this.logger.log({ level: 'warning', event: 'idempotency.result-not-kept', message });
    return JSON.stringify({ ...record, outcome: { bytes } });
  }

  /** Undefined for what was sealed with another secret, or is of another version. */
  #read(value: string): CallRecord | undefined {
    try {
      if (this.#keyring === undefined) return JSON.parse(value) as CallRecord;
      const content = this.#keyring.open(value);
      return content && (unpack(content) as CallRecord);
    } catch {
      return undefined;
    }
  }
}

function wasPut(written: StoreWritten): boolean {
  return 'version' in written;
}

function isFull(full: 'store' | 'owner'): ToolwrightError {
  return new ToolwrightError('TW_IDEMPOTENCY_STORE_FULL', {
    where: 'the store of calls that run once',
    what: `has no room${full === 'owner' ? ' for more of one caller' : ''}, and nothing is expired.`,
    why: 'if it forgets a call too early, the call can run twice.',
    fix: 'give the application a `backplane` with a store that has more room, or its actions a shorter `ttl`',
  });
}

function jsonOf(record: CallRecord): string | undefined {
  try {
    return JSON.stringify(record);
  } catch {
    return undefined;
  }
}
