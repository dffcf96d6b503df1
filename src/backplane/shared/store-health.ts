import type { Logger } from '../../index.ts';
import { FailureLog } from '../../shared/failure-log.ts';
import { nextTurn, unref } from '../../shared/platform.ts';

/** Whether a store works, logged once when that changes. */
export class StoreHealth {
  readonly #logger: Logger;
  readonly #failures: FailureLog<'backplane.store-failed'>;

  /**
   * @param name what fails, as the subject of a sentence: `Redis`
   * @param quiet milliseconds without a failure before it counts as working again, where some uses fail and others do not
   * @param now a monotonic clock
   */
  constructor(name: string, logger: Logger, quiet = 0, now = performance.now.bind(performance)) {
    this.#logger = logger;
    this.#failures = new FailureLog(
      {
        event: 'backplane.store-failed',
        fails: `${name} fails; what needs it is refused until it answers`,
        works: `${name} answers again`,
      },
      { quiet, now },
    );
  }

  failed(error: unknown): void {
    this.#failures.failed(error, this.#logger);
  }

  worked(): void {
    this.#failures.worked(this.#logger);
  }
}

/** Nobody waits longer for a store, whose command may still take effect. */
export class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout';
}

/**
 * The reply of a store, if it comes in time: timeouts of clients do not end a command that is sent.
 * @param late called with a reply that comes after nobody waits for it
 */
export function inTime<Reply>(
  reply: Promise<Reply>,
  milliseconds: number,
  store: string,
  late?: (reply: Reply) => void,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const giveUp = (): void => {
      isLate = true;
      reject(new StoreTimeout(`${store} did not answer within ${String(milliseconds)} ms`));
    };
    // A reply may have come while this process was busy: it is read before
    const timer = setTimeout(() => void nextTurn().then(giveUp), milliseconds);
    unref(timer);
    void reply
      .then((value) => {
        if (isLate) late?.(value);
        else resolve(value);
      }, reject)
      .finally(() => {
        clearTimeout(timer);
      });
  });
}
