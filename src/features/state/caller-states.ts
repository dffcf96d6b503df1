import { Buffer } from 'node:buffer';
import type { Logger } from '../../call/logger.ts';
import { jsonFault } from '../../call/step.ts';
import { ownerName, ownerOf } from '../../call/subject.ts';
import type { CallerState, StateKey } from '../../call/tool-context.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { packJson, unpack } from '../../kernel/call/replay/request-states.ts';
import type { ServedContext } from '../../kernel/call/service-request.ts';
import { InMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { FailureLog } from '../../shared/failure-log.ts';
import { ownedKey } from '../../shared/owners/owned-key.ts';
import { builtin, pause } from '../../shared/platform.ts';
import { createKeyring, type Keyring, type Secrets } from '../../shared/sealed-text.ts';
import { MAX_BYTES_PER_OWNER } from './state-key.ts';

/** The collection of the store. */
export const CALLER_STATE = 'state';
/** How often a change is made again because another call was faster. */
const MAX_CHANGES = 50;
/** Milliseconds between two of them, at most. */
const MAX_PAUSE = 20;
/** Seconds after which a call can be sent again whose state could not be reached. */
const RETRY_AFTER = 5;

export interface CallerStatesOptions {
  /** Default: an `InMemoryStore`. */
  readonly store?: Store | undefined;
  /** The server's name: other servers may use the same store. */
  readonly server: string;
  /** Values are sealed with the first of them; without any they are kept as they are. */
  readonly secrets?: Secrets | undefined;
  readonly logger: Logger;
}

/** The values that an application keeps for its callers. */
export class CallerStates {
  readonly #options: CallerStatesOptions;
  readonly #logger: Logger;
  readonly #keyring: Keyring | undefined;
  readonly #failures = new FailureLog({
    event: 'backplane.store-failed',
    fails: 'The store fails to read or write what is kept for callers; handlers get TRY_AGAIN_LATER',
    works: 'What is kept for callers can be read and written again',
  });
  #store: Store | undefined;
  #local: string | undefined;

  constructor(options: CallerStatesOptions) {
    const { secrets, server, store, logger } = options;
    this.#options = options;
    this.#logger = logger;
    this.#keyring = secrets && createKeyring(secrets, `state:${server}`);
    this.#store = store;
  }

  get store(): Store {
    return (this.#store ??= new InMemoryStore());
  }

  /** @throws ToolError UNAUTHENTICATED for an anonymous caller of a network */
  open<T>(request: ServedContext, key: StateKey<T>): CallerState<T> {
    return new KeptState(this, this.#ownerOf(request), key, request);
  }

  async read(owner: string, { name }: StateKey<unknown>): Promise<Read | undefined> {
    const entry = await this.#ask(() => this.store.get(CALLER_STATE, this.#keyOf(owner, name)));
    return entry && { value: this.#unsealed(entry.value), version: entry.version };
  }

  /** Whether it was written: not if another call was faster. @throws ToolwrightError TW_CONTEXT_VALUE */
  async write(owner: string, key: StateKey<unknown>, json: string, expected?: Expected): Promise<boolean> {
    const { name, ttl, maxBytes } = key;
    const bytes = Buffer.byteLength(json);
    if (bytes > maxBytes) throw isTooLarge(name, bytes, maxBytes);
    const value = this.#keyring === undefined ? json : this.#keyring.seal(packJson(json));
    const share = { owner, bytes: MAX_BYTES_PER_OWNER };
    const condition = expected === undefined ? {} : { if: expected };
    const written = await this.#ask(async () => {
      const put = await this.store.put(CALLER_STATE, this.#keyOf(owner, name), {
        ...{ value, ttl, share },
        ...condition,
      });
      if ('full' in put && put.full === 'store') throw new RangeError('The store is full');
      return put;
    });
    if ('full' in written) throw isTooLarge(name, bytes, MAX_BYTES_PER_OWNER);
    return 'version' in written;
  }

  delete(owner: string, { name }: StateKey<unknown>, version?: number): Promise<boolean> {
    return this.#ask(() => this.store.delete(CALLER_STATE, this.#keyOf(owner, name), version));
  }

  /** A caller, whichever client it uses; from this machine without a token, the account of the process. */
  #ownerOf({ authInfo, carrier }: ServedContext): string {
    if (authInfo !== undefined) return ownerOf(authInfo);
    if (carrier === 'local') return (this.#local ??= ownerName(localPerson()));
    throw new ToolError(
      'UNAUTHENTICATED',
      'The server keeps state for callers who are signed in, and this one is anonymous',
    );
  }

  #keyOf(owner: string, name: string): string {
    return ownedKey(owner, `${this.#options.server} ${name}`);
  }

  /** Undefined for what was sealed with a secret that is gone. */
  #unsealed(value: string): unknown {
    if (this.#keyring === undefined) return JSON.parse(value);
    const content = this.#keyring.open(value);
    return content && unpack(content);
  }

  async #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await ask();
      this.#failures.worked(this.#logger);
      return answer;
    } catch (error) {
      this.#failures.failed(error, this.#logger);
      const facts = { retryAfter: RETRY_AFTER, cause: error };
      throw new ToolError(
        'TRY_AGAIN_LATER',
        'The server cannot reach what it keeps for the caller now',
        facts,
      );
    }
  }
}

interface Read {
  readonly value: unknown;
  readonly version: number;
}

type Expected = number | 'absent';

/** What is kept for one caller under one key. */
class KeptState<T> implements CallerState<T> {
  readonly #states: CallerStates;
  readonly #owner: string;
  readonly #key: StateKey<T>;
  readonly #request: ServedContext;

  constructor(states: CallerStates, owner: string, key: StateKey<T>, request: ServedContext) {
    this.#states = states;
    this.#owner = owner;
    this.#key = key;
    this.#request = request;
  }

  async get(): Promise<T | undefined> {
    return (await this.#states.read(this.#owner, this.#key))?.value as T | undefined;
  }

  async set(value: T): Promise<void> {
    await this.#states.write(this.#owner, this.#key, jsonText(this.#key, value));
  }

  async update(change: (value: T | undefined) => T | undefined | Promise<T | undefined>) {
    for (let count = 0; count < MAX_CHANGES; count += 1) {
      const found = await this.#states.read(this.#owner, this.#key);
      const next = await change(found?.value as T | undefined);
      const json = next === undefined ? undefined : jsonText(this.#key, next);
      if (await this.#replace(found?.version, json)) {
        return json === undefined ? undefined : (JSON.parse(json) as T);
      }
      // Only here: reading it makes one
      const { signal } = this.#request;
      signal.throwIfAborted();
      await pause(Math.random() * MAX_PAUSE, signal);
    }
    throw new ToolError('TRY_AGAIN_LATER', `Too many calls change the state "${this.#key.name}" at once`);
  }

  async delete(): Promise<boolean> {
    return this.#states.delete(this.#owner, this.#key);
  }

  async #replace(version: number | undefined, json: string | undefined): Promise<boolean> {
    if (json !== undefined) return this.#states.write(this.#owner, this.#key, json, version ?? 'absent');
    return version === undefined || this.#states.delete(this.#owner, this.#key, version);
  }
}

/** With the name of the machine, because those of many may share a store. */
function localPerson() {
  const os = builtin('node:os');
  const account = (): string => {
    try {
      return os?.userInfo().username ?? '';
    } catch {
      // The account of a container may have no name
      return String(process.getuid?.());
    }
  };
  return { issuer: 'local', sub: `${account()}@${os?.hostname() ?? ''}`, tenant: undefined };
}

function jsonText({ name }: StateKey<unknown>, value: unknown): string {
  const fault = jsonFault(value);
  if (fault === undefined) return JSON.stringify(value);
  const { path, found } = fault;
  throw new ToolwrightError('TW_CONTEXT_VALUE', {
    where: `ctx.state(), key "${name}"`,
    what: `was given a value that has ${found} ${path === '' ? 'as a whole' : `at "${path}"`}.`,
    why: 'the next call gets what JSON keeps of the value, which would be something else.',
    fix: 'keep texts, finite numbers, booleans, null, plain objects and arrays; of a Date, toISOString()',
  });
}

function isTooLarge(name: string, bytes: number, limit: number): ToolwrightError {
  const ofAll = limit === MAX_BYTES_PER_OWNER ? ', with all else that is kept for the caller' : '';
  return new ToolwrightError('TW_CONTEXT_VALUE', {
    where: `ctx.state(), key "${name}"`,
    what: `was given a value of ${String(bytes)} bytes, and may have ${String(limit)}${ofAll}.`,
    fix: 'keep less, such as the last ten instead of all, or give `createStateKey()` a larger `maxBytes`',
  });
}
