import type { Logger } from '../../call/logger.ts';
import { FailureLog } from '../../shared/failure-log.ts';
import { catchMaybe, isThenable, thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { LONGEST_TIMER } from '../../shared/option-rules.ts';
import { within } from '../../shared/platform.ts';
import {
  InMemoryLimitStore,
  type LimitCharge,
  type LimitRefusal,
  type LimitStore,
} from '../../runtime/store/limit-store.ts';
import { InMemorySlotStore, type SlotRequest, type SlotStore } from '../../runtime/store/slot-store.ts';

/** What happens to calls while a store of limits fails: each process counts its own, all pass, or none passes. */
export type OnStoreFailure = 'local' | 'open' | 'closed';

/** The answer while a store fails and no call may pass without it. */
export const UNAVAILABLE = Symbol('unavailable');
type OrUnavailable<Answer> = MaybePromise<Answer | typeof UNAVAILABLE>;

type Release = () => void;

/** Milliseconds that a store may take, and after which one that took longer is asked again. */
const DEADLINE = 1_000;

interface Question<Store, Answer> {
  readonly ask: (store: Store) => MaybePromise<Answer>;
  /** The answer that lets a call pass. */
  readonly open: Answer;
  readonly logger: Logger;
  /** Milliseconds that the store itself may wait. Default 0. */
  readonly waiting?: number;
  /** Once this is aborted, the store has not failed when it rejects. */
  readonly signal?: () => AbortSignal;
  /** Gets an answer that came too late. */
  readonly late?: (answer: Answer) => void;
}

/** Asks a store, and does without it while it fails. */
class Guard<Store> {
  readonly #store: Store;
  readonly #createLocal: () => Store;
  readonly #onFailure: OnStoreFailure;
  readonly #failures: FailureLog<'limits.store-failed'>;
  #local: Store | undefined;
  #askAgainAt = 0;

  constructor(name: string, store: Store, createLocal: () => Store, onFailure: OnStoreFailure) {
    this.#store = store;
    this.#createLocal = createLocal;
    this.#onFailure = onFailure;
    this.#failures = new FailureLog({
      event: 'limits.store-failed',
      fails: `backplane.${name} fails. Until it answers, limits.onStoreFailure applies: ${onFailure}`,
      works: `backplane.${name} answers again`,
    });
  }

  ask<Answer>(question: Question<Store, Answer>): OrUnavailable<Answer> {
    const begun = performance.now();
    if (begun < this.#askAgainAt) return this.#instead(question);
    const milliseconds = (question.waiting ?? 0) + DEADLINE;
    return catchMaybe<Answer | typeof UNAVAILABLE>(
      () =>
        thenMaybe(inTime(question.ask(this.#store), milliseconds, question.late), (answer) => {
          this.#failures.worked(question.logger);
          return answer;
        }),
      (error) => {
        if (question.signal?.().aborted === true) throw error;
        const now = performance.now();
        if (now - begun >= milliseconds) this.#askAgainAt = now + DEADLINE;
        this.report(error, question.logger);
        return this.#instead(question);
      },
    );
  }

  /** The store, and the one that counts here while that fails. */
  get all(): readonly Store[] {
    return this.#local === undefined ? [this.#store] : [this.#store, this.#local];
  }

  /** Logs a failure once, until the store answers again. */
  report(error: unknown, logger: Logger): void {
    this.#failures.failed(error, logger);
  }

  #instead<Answer>({ ask, open }: Question<Store, Answer>): OrUnavailable<Answer> {
    if (this.#onFailure === 'closed') return UNAVAILABLE;
    return this.#onFailure === 'open' ? open : ask((this.#local ??= this.#createLocal()));
  }
}

function inTime<Answer>(
  answer: MaybePromise<Answer>,
  milliseconds: number,
  late: ((answer: Answer) => void) | undefined,
): MaybePromise<Answer> {
  if (!isThenable(answer)) return answer;
  const given = Promise.resolve(answer);
  return within(given, Math.min(milliseconds, LONGEST_TIMER)).catch((error: unknown) => {
    given.then(late).catch(() => undefined);
    throw error;
  });
}

/** The stores of an application's limits. They reject only for a call that is cancelled while it waits. */
export class GuardedStores {
  readonly #counts: Guard<LimitStore>;
  readonly #slots: Guard<SlotStore>;

  constructor(
    counter: LimitStore = new InMemoryLimitStore(),
    slots: SlotStore = new InMemorySlotStore(),
    onFailure: OnStoreFailure = 'local',
  ) {
    this.#counts = new Guard('counter', counter, () => new InMemoryLimitStore(), onFailure);
    this.#slots = new Guard('slots', slots, () => new InMemorySlotStore(), onFailure);
  }

  /** What counts calls. */
  get counting(): readonly LimitStore[] {
    return this.#counts.all;
  }

  /** Like `LimitStore.charge`. */
  charge(charges: readonly LimitCharge[], logger: Logger): OrUnavailable<LimitRefusal | undefined> {
    return this.#counts.ask({ ask: (store) => store.charge(charges), open: undefined, logger });
  }

  /** Like `SlotStore.take`. */
  take(
    wanted: readonly SlotRequest[],
    signal: () => AbortSignal,
    logger: Logger,
  ): OrUnavailable<Release | undefined> {
    return this.#slots.ask<Release | undefined>({
      ask: (store) =>
        thenMaybe(store.take(wanted, signal), (release) => release && this.#quiet(release, logger)),
      open: () => undefined,
      logger,
      waiting: Math.max(...wanted.map(({ queueTimeout }) => queueTimeout)),
      signal,
      late: (release) => release?.(),
    });
  }

  /** A slot that cannot be given back changes nothing about what the call came to. */
  #quiet(release: Release, logger: Logger): Release {
    const failed = (error: unknown): void => {
      this.#slots.report(error, logger);
    };
    return () => void catchMaybe<unknown>(release, failed);
  }
}
