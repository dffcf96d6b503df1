import type { Logger } from '../../call/logger.ts';
import { thrownMessage } from '../../call/thrown-message.ts';
import { redactText } from '../../errors/redact.ts';
import { within, unref } from '../../shared/platform.ts';
import type { ReadinessOptions } from './operations-options.ts';

/** Something that an instance needs in order to serve. */
export interface ReadinessCheck {
  /** `Database.ping()`. */
  readonly name: string;
  /** Milliseconds; undefined for that of all checks. */
  readonly timeout?: number | undefined;
  /** Fails by throwing, or by giving false. */
  run(signal: AbortSignal): unknown;
}

export interface ChecksSettings extends Omit<ReadinessOptions, 'require'> {
  readonly logger: Logger;
  readonly hidden: readonly string[];
}

const INTERVAL = 5000;
const TIMEOUT = 2000;
const FAILURES = 3;
/** The part of the interval by which runs come early or late, so that instances do not fail all at once. */
const JITTER = 0.1;

/** Runs checks in the background; requests read what is known. */
export class ReadinessChecks {
  readonly #settings: ChecksSettings;
  readonly #checks: readonly RepeatedCheck[];
  #isRunning = false;

  constructor(checks: readonly ReadinessCheck[], settings: ChecksSettings) {
    this.#settings = settings;
    this.#checks = checks.map((check) => new RepeatedCheck(check, settings));
  }

  /** False after failures, undefined before every check has succeeded once. */
  get isReady(): boolean | undefined {
    const known = this.#checks.map(({ isReady }) => isReady);
    if (known.includes(undefined)) return undefined;
    return !known.includes(false);
  }

  /** A line for each check, where they are asked for. */
  get details(): string {
    if (this.#settings.details !== true) return '';
    return this.#checks.map((check) => `${check.line}\n`).join('');
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (const check of this.#checks) check.start();
  }

  stop(): void {
    for (const check of this.#checks) check.stop();
  }
}

/** One check, which never runs twice at the same time. */
class RepeatedCheck {
  readonly #check: ReadinessCheck;
  readonly #settings: ChecksSettings;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** A run that has not ended, though its time may be over. */
  #running: Promise<unknown> | undefined;
  #failures = 0;
  #reason: string | undefined;
  isReady: boolean | undefined;

  constructor(check: ReadinessCheck, settings: ChecksSettings) {
    this.#check = check;
    this.#settings = settings;
  }

  get line(): string {
    const { name } = this.#check;
    if (this.#reason !== undefined) return `${name}: failed, ${this.#reason}`;
    return `${name}: ${this.isReady === true ? 'ok' : 'not checked yet'}`;
  }

  get #most(): number {
    return this.#settings.failures ?? FAILURES;
  }

  start(): void {
    void this.#round();
  }

  stop(): void {
    this.#stopping.abort();
    clearTimeout(this.#timer);
  }

  async #round(): Promise<void> {
    try {
      await this.#runOnce();
      this.#succeeded();
    } catch (error) {
      this.#failed(error);
    }
    if (this.#stopping.signal.aborted) return;
    const { interval = INTERVAL } = this.#settings;
    const jitter = 1 + (Math.random() * 2 - 1) * JITTER;
    this.#timer = setTimeout(() => void this.#round(), interval * jitter);
    unref(this.#timer);
  }

  /** @throws what the check fails with */
  async #runOnce(): Promise<void> {
    if (this.#running !== undefined) throw new Error('the run before has not ended');
    const { timeout = this.#settings.timeout ?? TIMEOUT } = this.#check;
    const over = new AbortController();
    const running = Promise.resolve()
      .then(() => this.#check.run(AbortSignal.any([over.signal, this.#stopping.signal])))
      .finally(() => (this.#running = undefined));
    this.#running = running;
    const result = await within(running, timeout).finally(() => over.abort());
    if (result === false) throw new Error('it gave false');
  }

  #succeeded(): void {
    if (this.#failures >= this.#most) this.#log('notice', `${this.#check.name} succeeds again`);
    this.#failures = 0;
    this.#reason = undefined;
    this.isReady = true;
  }

  #failed(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#failures += 1;
    // One line, whatever the error says
    this.#reason = redactText(thrownMessage(error), this.#settings.hidden).replace(/\s+/g, ' ');
    if (this.#failures !== this.#most) return;
    if (this.isReady === true) this.isReady = false;
    this.#log(
      'warning',
      `${this.#check.name} fails: this instance wants no requests until it succeeds`,
      error,
    );
  }

  #log(level: 'warning' | 'notice', message: string, error?: unknown): void {
    const { name: check } = this.#check;
    this.#settings.logger.log({
      level,
      event: 'readiness.failed',
      message,
      check,
      ...(error === undefined ? {} : { error }),
    });
  }
}
