import { randomUUID } from 'node:crypto';
import { INVALID_PARAMS, ProtocolError } from '../call/protocol-error.ts';
import { ownedName } from '../call/subject.ts';
import type { Call } from '../kernel/call/call.ts';
import { isObject, type PlainObject } from '../shared/json.ts';
import { unref } from '../shared/platform.ts';
import { RefusedByProxy } from './failures.ts';
import type { RelayPeer } from './relay.ts';
import type { RelayedStates } from './relayed-state.ts';

interface Question {
  readonly method: string;
  readonly params: PlainObject;
  readonly answer: (value: PlainObject) => void;
  readonly refuse: (error: Error) => void;
}

const MAX_PARKED = 100;
const MAX_PARKED_OF_CALLER = 5;
/** Milliseconds that a person has for an answer. */
const QUESTION_TTL = 10 * 60_000;

/**
 * A call at a server of 2025 whose caller of 2026-07-28 answers questions by calling again. The call stays open at the server in
 * between, because to begin it again could have its effects twice.
 */
class ParkedCall implements RelayPeer {
  readonly id = randomUUID();
  /** Undefined for callers whom nobody knows. */
  readonly owner: string | undefined;
  readonly #ended = new AbortController();
  readonly #questions = new Map<string, Question>();
  /** The request that waits now; undefined while the caller answers. */
  #call: Call | undefined;
  #asked: (() => void) | undefined;
  #count = 0;
  #expiry: NodeJS.Timeout | undefined;

  constructor(call: Call, owner: string | undefined) {
    this.owner = owner;
    this.#follow(call);
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  async notify(method: string, params: PlainObject): Promise<void> {
    await this.#call?.notify(method, params);
  }

  async log(...message: Parameters<Call['log']>): Promise<void> {
    await this.#call?.log(...message);
  }

  request(method: string, params: PlainObject): Promise<unknown> {
    return new Promise<PlainObject>((answer, refuse) => {
      this.#count += 1;
      this.#questions.set(`question-${String(this.#count)}`, { method, params, answer, refuse });
      this.#asked?.();
    });
  }

  /** Resolves when the server has asked something. */
  asked(): Promise<void> {
    return this.#questions.size > 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#asked = resolve;
        });
  }

  /** The questions that are open, which answer the request. */
  ask(): PlainObject {
    this.#call = undefined;
    this.#expiry = setTimeout(() => this.end(new Error('Nobody has answered')), QUESTION_TTL);
    unref(this.#expiry);
    const requests = [...this.#questions].map(([name, { method, params }]) => [name, { method, params }]);
    return Object.fromEntries(requests) as PlainObject;
  }

  /** The caller has called again. */
  resume(call: Call, responses: PlainObject): void {
    clearTimeout(this.#expiry);
    this.#follow(call);
    for (const [name, { answer }] of [...this.#questions]) {
      const response = Object.hasOwn(responses, name) ? responses[name] : undefined;
      if (!isObject(response)) continue;
      this.#questions.delete(name);
      answer(response);
    }
  }

  end(reason: Error): void {
    clearTimeout(this.#expiry);
    for (const { refuse } of this.#questions.values()) refuse(reason);
    this.#questions.clear();
    this.#ended.abort(reason);
  }

  #follow(call: Call): void {
    this.#call = call;
    this.#asked = undefined;
    call.cancellation.onCancel(() => {
      if (this.#call === call) this.end(new Error('The caller gave up'));
    });
  }
}

/** The calls of one proxied server that wait for answers, in this process. */
export class ParkedCalls {
  readonly #states: RelayedStates;
  readonly #parked = new Map<string, { readonly call: ParkedCall; readonly result: Promise<PlainObject> }>();

  constructor(states: RelayedStates) {
    this.#states = states;
  }

  /**
   * Begins a call, or goes on with the one that waits for the answers of this request.
   * @throws ProtocolError for a state that no call of this caller waits for; RefusedByProxy for too many calls that wait
   */
  run(call: Call, target: string, begin: (peer: RelayPeer) => Promise<PlainObject>): Promise<PlainObject> {
    const { requestState, inputResponses = {} } = call.retry ?? {};
    if (requestState === undefined) {
      const parked = new ParkedCall(call, call.authInfo && ownedName(call.authInfo));
      return this.#wait(call, target, parked, begin(parked));
    }
    const known = this.#parked.get(this.#states.open(call, target, requestState));
    if (known === undefined)
      throw new ProtocolError(INVALID_PARAMS, 'No call waits for these answers any more', {
        code: 'OUTCOME_UNKNOWN',
      });
    this.#parked.delete(known.call.id);
    known.call.resume(call, inputResponses);
    return this.#wait(call, target, known.call, known.result);
  }

  close(): void {
    for (const { call } of this.#parked.values()) call.end(new Error('The application is closed'));
    this.#parked.clear();
  }

  async #wait(
    call: Call,
    target: string,
    parked: ParkedCall,
    result: Promise<PlainObject>,
  ): Promise<PlainObject> {
    const ended = await Promise.race([result, parked.asked().then(() => undefined)]);
    if (ended !== undefined) return ended;
    this.#checkRoom(parked, result);
    this.#parked.set(parked.id, { call: parked, result });
    const forget = (): void => void this.#parked.delete(parked.id);
    result.then(forget, forget);
    return {
      resultType: 'input_required',
      inputRequests: parked.ask(),
      requestState: this.#states.seal(call, target, parked.id),
    };
  }

  #checkRoom(parked: ParkedCall, result: Promise<PlainObject>): void {
    const { owner } = parked;
    const own = [...this.#parked.values()].filter(({ call }) => owner !== undefined && call.owner === owner);
    if (this.#parked.size < MAX_PARKED && own.length < MAX_PARKED_OF_CALLER) return;
    result.catch(() => undefined);
    parked.end(new Error('Too many calls wait for answers'));
    throw new RefusedByProxy('CONCURRENCY_LIMITED', 'Too many calls wait for answers; answer one of them', 1);
  }
}
