import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { AuditCheckpointOptions } from '../../audit/audit-options.ts';
import { signCheckpoint, type AuditPlace } from '../../audit/audit-record.ts';
import type { Logger } from '../../call/logger.ts';
import { unref, within } from '../../shared/platform.ts';

const [EVERY, INTERVAL] = [1000, 60_000];
/** Milliseconds that an anchor may take. */
const TIMEOUT = 5000;

/** Signs where the chains of a process end, and hands that to the anchor. No record waits for it. */
export class CheckpointSigner {
  readonly #options: AuditCheckpointOptions;
  readonly #key: KeyObject;
  readonly #logger: Logger;
  /** The ends of chains that the anchor has not taken. */
  readonly #unsigned = new Map<string, AuditPlace>();
  #newest: AuditPlace | undefined;
  /** What was the newest when signing was due the last time. */
  #asked: AuditPlace | undefined;
  #isDue = false;
  #isClosed = false;
  #signing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(options: AuditCheckpointOptions, logger: Logger) {
    this.#options = options;
    this.#key = createPrivateKey(options.key);
    this.#logger = logger;
  }

  /** Takes the record that is the last one now, and signs it when it is time. */
  advance(place: AuditPlace): void {
    const { every = EVERY } = this.#options;
    this.#newest = place;
    this.#unsigned.set(place.chain, place);
    const signed = this.#asked?.chain === place.chain ? this.#asked.seq : 0;
    if (place.seq - signed >= every) void this.sign();
    else this.#signLater();
  }

  /** Signs all ends of chains. */
  sign(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asked = this.#newest;
    this.#isDue = true;
    return (this.#signing ??= this.#signDue());
  }

  /** Signs for the last time. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.sign();
  }

  #signLater(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.sign(), this.#options.interval ?? INTERVAL);
    unref(this.#timer);
  }

  async #signDue(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      await this.#signAll();
    }
    this.#signing = undefined;
  }

  async #signAll(): Promise<void> {
    const { anchor } = this.#options;
    for (const [chain, place] of this.#unsigned) {
      const checkpoint = signCheckpoint(place, new Date().toISOString(), this.#key);
      try {
        await within((async () => anchor(checkpoint))(), TIMEOUT);
      } catch (error) {
        this.#failed(place, error);
        // It covers what comes until then as well
        this.#signLater();
        return;
      }
      this.#worked();
      // A newer one may have come in the meantime
      if (this.#unsigned.get(chain) === place) this.#unsigned.delete(chain);
    }
  }

  #failed({ seq }: AuditPlace, error: unknown): void {
    const message = `The anchor did not take the checkpoint of record ${String(seq)} of the audit; a later one covers the same records`;
    const level = this.#hasFailed ? 'debug' : 'error';
    this.#hasFailed = true;
    this.#logger.log({ level, event: 'audit.anchor-failed', message, error });
  }

  #worked(): void {
    if (!this.#hasFailed) return;
    this.#hasFailed = false;
    const message = 'The anchor takes checkpoints of the audit again';
    this.#logger.log({ level: 'notice', event: 'audit.anchor-failed', message });
  }
}
