import { createHmac, randomUUID } from 'node:crypto';
import type { AuditOptions } from '../../audit/audit-options.ts';
import {
  auditHash,
  NO_HASH,
  readAuditRecord,
  type AuditFacts,
  type AuditKind,
  type AuditPlace,
  type AuditRecord,
  type AuditStore,
} from '../../audit/audit-record.ts';
import type { Logger } from '../../call/logger.ts';
import type { SignInStep } from '../sign-in/index.ts';
import type { Attempt } from '../../kernel/call/attempt.ts';
import { FailureLog } from '../../shared/failure-log.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import { within } from '../../shared/platform.ts';
import { madeOf, deriveKeys, type Secret, type Secrets } from '../../shared/sealed-text.ts';
import { observeStore, type Telemetry } from '../../kernel/call/telemetry.ts';
import { CheckpointSigner } from './checkpoint-signer.ts';

const DEFAULT_KINDS: readonly AuditKind[] = [
  ...(['destructive', 'denied', 'consent', 'configuration', 'sign-in'] as const),
];
/** Records that are stored together at most. */
const AT_ONCE = 100;
/** Milliseconds. */
const STORE_TIMEOUT = 2000;

export function recordedKinds({ kinds = DEFAULT_KINDS }: AuditOptions): ReadonlySet<AuditKind> {
  return new Set(kinds);
}

/** What is recorded of one call. */
export interface CallAudit {
  /** Records that a run begins. @throws ToolError TRY_AGAIN_LATER where it cannot be recorded, and has to be */
  begin(attempt: Attempt, onFailure: 'refuse' | 'continue'): Promise<void>;
}

/** What an audit knows of its application. */
export interface AuditedApplication {
  readonly name: string;
  readonly version: string;
  readonly secrets?: Secrets | undefined;
  readonly logger: Logger;
  readonly telemetry?: Telemetry | undefined;
}

interface Waiting {
  readonly record: AuditFacts & { readonly id: string; readonly time: string };
  readonly since: number;
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes the audit of one process, as a chain. A record that may or may not have been stored ends the chain; the next
 * one begins with the last record that is known to be there.
 */
export class AuditLog {
  readonly kinds: ReadonlySet<AuditKind>;
  readonly options: AuditOptions;
  readonly #application: AuditedApplication;
  readonly #store: AuditStore;
  readonly #hashKey: Secret;
  readonly #signer: CheckpointSigner | undefined;
  readonly #waiting: Waiting[] = [];
  /** Undefined before the first record, and after a failure. */
  #chain: AuditPlace | undefined;
  /** The last record that this process has stored. */
  #last: AuditPlace | undefined;
  #lost = 0;
  #writing: Promise<void> | undefined;
  readonly #failures = new FailureLog({
    event: 'audit.store-failed',
    fails: 'The audit store failed: calls are refused, or run without a record, until it works again',
    works: 'The audit store works again; the next chain says how many records were lost',
    repeats: 'debug',
  });
  /** Answers that have not come from the store in time. */
  #owed = 0;
  #askAgainAt = 0;

  constructor(options: AuditOptions, application: AuditedApplication) {
    this.options = options;
    this.kinds = recordedKinds(options);
    this.#application = application;
    this.#store = observeStore(options.store, 'audit', application.telemetry);
    this.#hashKey =
      options.key ?? madeOf(application.secrets, (now) => deriveKeys(now, `audit:${application.name}`))()[0];
    this.#signer = options.checkpoints && new CheckpointSigner(options.checkpoints, application.logger);
  }

  /** HMAC of a text. */
  hashOf(content: string): string {
    return createHmac('sha256', this.#hashKey).update(content).digest('hex');
  }

  /** Stores a record. Resolves to its id; rejects as the store does. */
  append(facts: AuditFacts): Promise<string> {
    const id = randomUUID();
    const record = { ...facts, id, time: new Date().toISOString() };
    return new Promise((resolve, reject) => {
      const stored = (): void => {
        resolve(id);
      };
      this.#waiting.push({ record, since: performance.now(), stored, failed: reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** The same, for what has happened already: a failure is in the log. */
  async note(facts: AuditFacts): Promise<void> {
    await this.append(facts).catch(() => undefined);
  }

  /** Records a change of the configuration. */
  async change(change: string, details?: PlainObject, of: Partial<AuditFacts> = {}): Promise<void> {
    if (this.kinds.has('configuration')) await this.note({ type: 'change', ...of, change, details });
  }

  /** Records a step of signing in, with a pseudonym of the person. */
  async signIn({ outcome, client, owner, tenant, ...others }: SignInStep): Promise<void> {
    if (!this.kinds.has('sign-in')) return;
    const subject = owner && this.hashOf(owner);
    const details = Object.fromEntries(
      Object.entries({ subject, ...others }).filter(([, value]) => value !== undefined),
    );
    await this.note({ type: 'change', clientId: client, tenant, change: `sign-in.${outcome}`, details });
  }

  /** Writes what waits, and signs where the chain ends. */
  async close(): Promise<void> {
    await this.change('stopped');
    await this.#writing;
    await this.#signer?.close();
    await this.#answer(() => this.#store.close?.()).catch((error: unknown) => {
      this.#failed(error);
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, AT_ONCE);
      try {
        await this.#write(batch);
        this.#worked();
        for (const { stored } of batch) stored();
      } catch (error) {
        this.#chain = undefined;
        this.#lost += batch.length;
        this.#failed(error);
        for (const { failed } of batch) failed(error);
      }
    }
    this.#writing = undefined;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const begun = this.#chain === undefined ? [await this.#begin()] : [];
    let place = this.#chain;
    const records: AuditRecord[] = [...begun];
    place = begun[0] ?? place;
    for (const { record } of batch) {
      const { chain, seq, hash: previous } = place as AuditPlace;
      const sealed = { ...record, chain, seq: seq + 1, previous };
      place = { ...sealed, hash: auditHash(sealed) };
      records.push(place as AuditRecord);
    }
    await this.#answer(() => this.#store.append(records));
    const { chain, seq, hash } = place as AuditPlace;
    this.#chain = this.#last = { chain, seq, hash };
    if (begun.length > 0) this.#lost = 0;
    const { telemetry } = this.#application;
    const now = performance.now();
    for (const { since } of batch) telemetry?.record('toolwright.audit.lag', (now - since) / 1000);
    this.#signer?.advance(this.#last);
  }

  /** The first record of a chain, which says what stands before it. */
  async #begin(): Promise<AuditRecord> {
    // The end of a chain that cannot go on gets its checkpoint now
    void this.#signer?.sign();
    const follows = this.#last ?? (await this.#lastStored());
    const { name, version } = this.#application;
    const lost = this.#lost === 0 ? undefined : this.#lost;
    const sealed = {
      ...({ type: 'start', details: { name, version }, follows, lost } as const),
      ...{ id: randomUUID(), time: new Date().toISOString(), chain: randomUUID(), seq: 1 },
      previous: follows?.hash ?? NO_HASH,
    };
    return { ...sealed, hash: auditHash(sealed) };
  }

  async #lastStored(): Promise<AuditPlace | undefined> {
    const record = readAuditRecord((await this.#answer(() => this.#store.last())) ?? '');
    return record && { chain: record.chain, seq: record.seq, hash: record.hash };
  }

  /** What the store answers, if it does so in time. A store that owes an answer is asked once in that time. */
  async #answer<Answer>(ask: () => MaybePromise<Answer>): Promise<Answer> {
    const { storeTimeout = STORE_TIMEOUT } = this.options;
    if (this.#owed > 0 && performance.now() < this.#askAgainAt)
      throw new Error('The audit store owes an answer, and is not asked again yet');
    this.#owed += 1;
    const answer = (async () => ask())().finally(() => (this.#owed -= 1));
    try {
      return await within(answer, storeTimeout);
    } finally {
      this.#askAgainAt = performance.now() + storeTimeout;
    }
  }

  #failed(error: unknown): void {
    this.#failures.failed(error, this.#application.logger);
  }

  #worked(): void {
    this.#failures.worked(this.#application.logger);
  }
}
