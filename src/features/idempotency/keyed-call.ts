import { randomUUID } from 'node:crypto';
import { cancelledError } from '../../call/request-client.ts';
import { ownerOf, subjectKey, subjectOf } from '../../call/subject.ts';
import { argumentsDigest } from '../../compile/stages/bound-arguments.ts';
import type { Attempt, Step } from '../../kernel/call/attempt.ts';
import { reservedValue } from '../../compile/tools/reserved-arguments.ts';
import { ownedKey } from '../../shared/owners/owned-key.ts';
import { pause } from '../../shared/platform.ts';
import { failureFactsOf, isFailure, type Outcome, keptOf } from '../../kernel/call/outcome.ts';
import {
  judge,
  keyRequired,
  leftBy,
  refuseRepetition,
  replayOutcome,
  type CallRecord,
} from './call-record.ts';
import { CALL_LEASE, type CallRecords, type FoundRecord } from './call-records.ts';
import type { IdempotencyRule } from './idempotent.ts';

/** The argument that a client chooses. */
export const KEY_ARGUMENT = 'idempotencyKey';

/** The step under which a call remembers its name, from round to round. */
const STEP = 'toolwright/claim';
const RENEWAL = 10_000;
/** After a failure: the sooner it holds its lease again, the fewer others take it to be dead. */
const RENEWAL_RETRY = 1000;
/** How long a call waits for another one of the same key. */
const PATIENCE = 2000;
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [10, 250];

/** Runs a call once for its key: what is left of an attempt between `recall` and the handler. */
export class KeyClaim {
  readonly #records: CallRecords;
  readonly #attempt: Attempt;
  readonly #rule: IdempotencyRule;
  readonly #args: string;
  readonly #key: string;
  readonly #name: string;
  readonly #owner: string | undefined;
  #found: FoundRecord | undefined;
  /** The number of the claim. */
  #fence = 0;
  #reclaimed: Promise<unknown> = Promise.resolve();
  #hasBegun = false;

  /** @throws ToolError IDEMPOTENCY_KEY_REQUIRED */
  constructor(records: CallRecords, attempt: Attempt, rule: IdempotencyRule) {
    this.#records = records;
    this.#attempt = attempt;
    this.#rule = rule;
    const { tool, action, version } = attempt.place;
    const digest = argumentsDigest(attempt);
    // Another version is another call
    this.#args = version === undefined ? digest : `${digest} ${version}`;
    this.#key = rule.key === 'arguments' ? this.#args : givenKey(attempt);
    const { authInfo } = attempt.call;
    this.#owner = ownerOf(authInfo);
    const subject = authInfo && subjectKey(subjectOf(authInfo));
    this.#name = ownedKey(this.#owner, records.keyOf(subject, tool, action, this.#key));
  }

  /** The handler is entered: from now on, the call may have an effect. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** The stored outcome of the same call; undefined where it has to run. */
  async recall(): Promise<Outcome | undefined> {
    return this.#settle(performance.now() + PATIENCE);
  }

  /** Runs what is left of the attempt, unless somebody else was faster. */
  async claim(attempt: Attempt, next: Step): Promise<Outcome> {
    const { call } = this.#attempt;
    const run = await call.step(STEP, () => randomUUID());
    const record: CallRecord = { is: 'claimed', args: this.#args, run };
    const taken = await this.#take(record);
    if (typeof taken !== 'number') return taken;
    if (call.isCancelled) {
      await this.#put('released', taken, () => this.#records.release(this.#name, taken));
      throw cancelledError(call.signal);
    }
    call.idempotency = Object.freeze({ key: this.#key, fence: taken });
    this.#fence = taken;
    return this.#play(attempt, next, record);
  }

  /** The number of the claim, or the outcome of who was faster. */
  async #take(record: CallRecord): Promise<number | Outcome> {
    const until = performance.now() + PATIENCE;
    const times = { ttl: this.#rule.ttl, owner: this.#owner };
    for (;;) {
      const fence = await this.#records.claim(this.#name, this.#found?.version, record, times);
      if (fence !== undefined) return fence;
      const stored = await this.#settle(until);
      if (stored !== undefined) return stored;
    }
  }

  /** The stored outcome; undefined where the call has to run. */
  async #settle(until: number): Promise<Outcome | undefined> {
    const { call } = this.#attempt;
    const { onUnknown } = this.#rule;
    for (let delay = SHORTEST_PAUSE; ; delay = Math.min(2 * delay, LONGEST_PAUSE)) {
      this.#found = await this.#records.find(this.#name);
      const verdict = judge(this.#found, { args: this.#args, run: this.#conversation, onUnknown });
      if (verdict.is === 'free') return undefined;
      if (verdict.is === 'done') {
        call.recorder?.skipRest();
        return replayOutcome(verdict);
      }
      if (verdict.is !== 'busy' || performance.now() >= until) throw refuseRepetition(verdict.is, this.#rule);
      await pause(delay, call.signal);
      if (call.isCancelled) throw cancelledError(call.signal);
    }
  }

  /** The name of the conversation, where an earlier round claimed the key. */
  get #conversation(): string | undefined {
    const step = this.#attempt.call.recorder?.journal.find((entry) => entry.name === STEP);
    return typeof step?.value === 'string' ? step.value : undefined;
  }

  async #play(attempt: Attempt, next: Step, record: CallRecord): Promise<Outcome> {
    const stopRenewal = this.#renew(record);
    let outcome: Outcome;
    try {
      outcome = (await next(attempt)) as Outcome;
    } catch (thrown) {
      // Only actions have keys, and each run of one has it
      outcome = this.#attempt.fail?.(thrown) as Outcome;
    } finally {
      stopRenewal();
    }
    await this.#leave(outcome);
    return outcome;
  }

  /** Puts down how the run ended. */
  async #leave(outcome: Outcome): Promise<void> {
    // Its number may be about to change
    await this.#reclaimed;
    const [args, { ttl }, name, fence] = [this.#args, this.#rule, this.#name, this.#fence];
    const left = this.#leftBy(outcome);
    const put = (record: CallRecord, lease = 0): Promise<boolean> =>
      this.#records.replace(name, fence, record, { lease, ttl });
    await this.#put(left, fence, () => {
      switch (left) {
        case 'released':
          return this.#records.release(name, fence);
        case 'unknown':
          return put({ is: 'unknown', args });
        case 'waiting':
          return put(this.#waiting(), this.#records.questionTtl);
        case 'done': {
          const at = new Date(this.#records.clock.now()).toISOString();
          return put({ is: 'done', args, at, outcome: keptOf(outcome) });
        }
      }
    });
  }

  #leftBy(outcome: Outcome): ReturnType<typeof leftBy> {
    const { call } = this.#attempt;
    const facts = failureFactsOf(outcome);
    return leftBy({
      hasBegun: this.#hasBegun,
      isSuspended: call.recorder?.isSuspended === true,
      isFailure: isFailure(outcome),
      isRetryable: typeof facts?.['retryAfter'] === 'number' || facts?.['retryable'] === true,
      isCut: call.isCancelled || call.limit?.signal.aborted === true,
      isDiverged: call.recorder?.divergence !== undefined,
    });
  }

  #waiting(): CallRecord {
    const isClean = this.#attempt.call.recorder?.newSteps.every(({ name }) => name === STEP) ?? true;
    return { is: 'waiting', args: this.#args, run: this.#conversation ?? '', isClean };
  }

  /**
   * What cannot be put down is unknown once the lease is over; the caller has its result all the same. A result that comes
   * after the lease counts, unless somebody else has taken the call over.
   */
  async #put(what: string, fence: number, put: () => Promise<boolean>): Promise<void> {
    const { logger } = this.#records;
    const label = `${String(this.#attempt.place.tool)}/${this.#attempt.place.name}`;
    const lost = `that the call of ${label} is ${what} (number ${String(fence)}). Until its \`ttl\` is over, its outcome counts as unknown`;
    try {
      if (await put()) return;
      const message = `Too late to put down ${lost}: its lease was over, and another call has taken it over.`;
      logger.log({ level: 'warning', event: 'idempotency.lease-lost', message });
    } catch (error) {
      const message = `The idempotency store failed to put down ${lost}.`;
      logger.log({ level: 'error', event: 'idempotency.store-failed', message, error });
    }
  }

  /** Renews the lease until the returned function is called, or somebody else has taken the call over. */
  #renew(record: CallRecord): () => void {
    const { clock } = this.#records;
    let isOver = false;
    let stop = (): void => undefined;
    const wait = (milliseconds: number): void => {
      stop = clock.after(milliseconds, () => void renew());
    };
    const renew = async (): Promise<void> => {
      // A handler that goes on asking after its run never ends, but its call does
      const isLeft = this.#attempt.call.recorder?.isSuspended === true;
      const times = { lease: isLeft ? this.#records.questionTtl : CALL_LEASE, ttl: this.#rule.ttl };
      const renewed = isLeft ? this.#waiting() : record;
      const hold = async (): Promise<boolean> =>
        (await this.#records.replace(this.#name, this.#fence, renewed, times)) ||
        (!isLeft && !isOver && (await this.#reclaim(renewed)));
      const held = await hold().catch((error: unknown) => this.#unrenewed(error));
      if (held !== false && !isLeft && !isOver) wait(held === true ? RENEWAL : RENEWAL_RETRY);
    };
    wait(RENEWAL);
    return () => {
      isOver = true;
      stop();
    };
  }

  async #reclaim(record: CallRecord): Promise<boolean> {
    const claimed = this.#records.reclaim(this.#name, this.#fence, record, this.#rule.ttl).then((fence) => {
      this.#fence = fence ?? this.#fence;
      return fence !== undefined;
    });
    this.#reclaimed = claimed.catch(() => undefined);
    return claimed;
  }

  /** The lease may last until the store is back. */
  #unrenewed(error: unknown): 'unknown' {
    const message = 'The idempotency store failed to renew the lease of a call.';
    this.#records.logger.log({ level: 'error', event: 'idempotency.store-failed', message, error });
    return 'unknown';
  }
}

function givenKey({ args }: Attempt): string {
  const key = reservedValue(args, KEY_ARGUMENT);
  if (typeof key === 'string') return key;
  throw keyRequired();
}
