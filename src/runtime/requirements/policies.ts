import { LRUCache } from 'lru-cache';
import { SafeLogger, type Logger } from '../../call/logger.ts';
import type { Attempt } from '../../kernel/call/attempt.ts';
import type { PolicyObject } from '../../call/requirements.ts';
import type { Caller, Subject } from '../../call/request-context.ts';
import { subjectKey } from '../../call/subject.ts';
import type { ToolContext } from '../../call/tool-context.ts';
import type { ScannedPolicy } from '../../scanner/requirements/scanned-requirements.ts';
import { isThenable, thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { within } from '../../shared/platform.ts';
import type { Callers } from './caller.ts';

/** Loads what policies need to know of a caller, such as the teams that it belongs to. */
export type LoadCaller = (caller: Caller) => unknown;

export interface PolicySettings {
  readonly logger: Logger;
  readonly callers: Callers;
  /** The instance of a policy. */
  readonly instanceOf: (policy: ScannedPolicy) => PolicyObject;
  readonly load: LoadCaller | undefined;
  /** Milliseconds that a policy may take. */
  readonly timeout: number;
  /** Milliseconds that an answer for lists, and what was loaded, is kept. */
  readonly ttl: number;
}

/** As many answers are kept. */
const MOST_ANSWERS = 10_000;

const FAILED = Symbol('failed');

/** Asks the policies of an application. What throws, takes too long or is not exactly true denies. */
export class Policies {
  readonly #settings: PolicySettings;
  /** Made with the first answer. */
  #answers: LRUCache<string, { readonly value: unknown }> | undefined;
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #ids = new Map<unknown, number>();
  /** The callers with what was loaded for them; no other one is admitted where something has to be loaded. */
  readonly #loaded = new WeakSet<Caller>();

  constructor(settings: PolicySettings) {
    this.#settings = settings;
  }

  /** The caller with what the application loads for it; undefined where that failed, and then nothing is admitted. */
  loaded(caller: Caller): MaybePromise<Caller | undefined> {
    const { load } = this.#settings;
    if (load === undefined) return caller;
    const value = this.#kept(caller, 'load', () =>
      this.#ask('auth.load', () => load(caller), this.#loggerOf(caller)),
    );
    return thenMaybe(value, (loaded) => {
      if (loaded === FAILED) return undefined;
      const made = Object.freeze({ ...caller, loaded });
      this.#loaded.add(made);
      return made;
    });
  }

  /** Whether the caller may see what the policy stands on. */
  mayList(policy: ScannedPolicy, caller: Caller): MaybePromise<boolean> {
    if (!this.#isLoaded(caller)) return false;
    if (!policy.hasList) return true;
    const answer = this.#kept(caller, String(this.#idOf(policy)), () =>
      this.#ask(
        `${policy.name}.list`,
        () => this.#settings.instanceOf(policy).list?.(caller),
        this.#loggerOf(caller),
      ),
    );
    return thenMaybe(answer, (value) => value === true);
  }

  /** Whether a call may run. */
  mayCall(
    policy: ScannedPolicy,
    caller: Caller,
    attempt: Pick<Attempt, 'context' | 'logger'>,
    input: unknown,
  ): MaybePromise<boolean> {
    if (!this.#isLoaded(caller)) return false;
    const instance = this.#settings.instanceOf(policy);
    const answer = this.#ask(
      `${policy.name}.call`,
      () => instance.call?.(caller, input as never, attempt.context as ToolContext),
      () => attempt.logger,
    );
    return thenMaybe(answer, (value) => value === true);
  }

  /** What the policy itself says of calls that it denies. */
  reasonOf(policy: ScannedPolicy): string | undefined {
    return this.#settings.instanceOf(policy).reason;
  }

  /** Asks again from now on: for one subject, or for all. */
  forget(subject?: Subject): void {
    const prefix = subject === undefined ? '' : `${subjectKey(subject)} `;
    for (const known of [this.#answers, this.#underWay]) {
      for (const key of [...(known?.keys() ?? [])]) if (key.startsWith(prefix)) known?.delete(key);
    }
  }

  #isLoaded(caller: Caller): boolean {
    return this.#settings.load === undefined || this.#loaded.has(caller);
  }

  /** Asks once at a time, and keeps what comes; a failure is not kept. */
  #kept(caller: Caller, what: string, ask: () => MaybePromise<unknown>): MaybePromise<unknown> {
    const ofCaller = this.#settings.callers.keyOf(caller);
    if (ofCaller === undefined) return ask();
    const key = `${ofCaller} ${what}`;
    const known = this.#answers?.get(key);
    if (known !== undefined) return known.value;
    const pending = this.#underWay.get(key);
    if (pending !== undefined) return pending;
    const answer = ask();
    if (!(answer instanceof Promise)) {
      this.#keep(key, answer);
      return answer;
    }
    const asking = answer.then((value: unknown) => {
      // Unless it was to be forgotten in the meantime
      if (this.#underWay.get(key) === asking) {
        this.#underWay.delete(key);
        this.#keep(key, value);
      }
      return value;
    });
    this.#underWay.set(key, asking);
    return asking;
  }

  #keep(key: string, value: unknown): void {
    const { ttl } = this.#settings;
    if (value === FAILED || ttl <= 0) return;
    this.#answers ??= new LRUCache({ max: MOST_ANSWERS, ttl });
    this.#answers.set(key, { value });
  }

  /** Never rejects. */
  #ask(what: string, run: () => unknown, logger: () => Logger): MaybePromise<unknown> {
    let given: unknown;
    try {
      given = run();
    } catch (error) {
      return this.#failed(what, error, logger());
    }
    if (!isThenable(given)) return given;
    return within(given, this.#settings.timeout).catch((error: unknown) =>
      this.#failed(what, error, logger()),
    );
  }

  /** Does not show the token. */
  #loggerOf({ authInfo }: Caller): () => Logger {
    return () => new SafeLogger(this.#settings.logger, () => [authInfo.token]);
  }

  #failed(what: string, error: unknown, logger: Logger): typeof FAILED {
    const message = `${what} failed, so the caller was denied`;
    logger.log({ level: 'error', event: 'policy.failed', message, error });
    return FAILED;
  }

  #idOf(policy: ScannedPolicy): number {
    const identity = policyIdentity(policy);
    const known = this.#ids.get(identity);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(identity, id);
    return id;
  }
}

/** The same for all uses of one policy. */
export function policyIdentity(policy: ScannedPolicy): unknown {
  return policy.kind === 'provider' ? policy.key : policy.policy;
}
