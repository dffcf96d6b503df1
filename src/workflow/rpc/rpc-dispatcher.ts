import type { Logger } from '../../index.ts';
import { undisturbed } from '../application/observe-call.ts';
import {
  writeFailure,
  writeResult,
  failureOf,
  RpcRefusal,
  readRequest,
  type RpcId,
  type RpcRequest,
} from './rpc-messages.ts';
import type { RpcMethod } from './rpc-methods.ts';

const LARGEST_BATCH = 1000;
/** Of the answers to one batch together, in bytes: no text can have as many as a thousand large ones. */
const LARGEST_ANSWER = 33_554_432;
const NO_ROOM =
  `The answers to a batch have at most ${String(LARGEST_ANSWER)} bytes together; ` +
  'send this request in another one.';

/** Answers messages, one after the other, as JSON text. */
export class RpcDispatcher {
  readonly #methods: ReadonlyMap<string, RpcMethod>;
  readonly #logger: Logger;

  constructor(methods: ReadonlyMap<string, RpcMethod>, logger: Logger) {
    this.#methods = methods;
    this.#logger = logger;
  }

  /** Undefined when nothing is to be answered. Never rejects. */
  async answer(message: unknown): Promise<string | undefined> {
    if (!Array.isArray(message)) return this.#answerOne(message);
    if (message.length === 0) return refuse('A batch has at least one request.');
    // Each of a million empty elements would be answered with a hundred bytes
    if (message.length > LARGEST_BATCH)
      return refuse(`A batch has at most ${String(LARGEST_BATCH)} requests.`);
    const answers = await this.#answerEach(message);
    return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
  }

  async #answerEach(messages: readonly unknown[]): Promise<readonly string[]> {
    const answers: string[] = [];
    let room = LARGEST_ANSWER;
    for (const message of messages) {
      const answer = await this.#answerOne(message, room > 0);
      if (answer === undefined) continue;
      room -= Buffer.byteLength(answer);
      answers.push(room > 0 ? answer : ((await this.#answerOne(message, false)) ?? answer));
    }
    return answers;
  }

  /** @param hasRoom whether there may be more in the answer than a refusal; notifications do not depend on it */
  async #answerOne(message: unknown, hasRoom = true): Promise<string | undefined> {
    const reading = readRequest(message);
    if (!reading.ok) return refuse(reading.details, reading.id);
    const { request } = reading;
    const { id } = request;
    if (!hasRoom && id !== undefined) return refuse(NO_ROOM, id);
    const text = await this.#answerRequest(request);
    return id === undefined ? undefined : text;
  }

  async #answerRequest(request: RpcRequest): Promise<string> {
    const { id = null } = request;
    let result: unknown;
    try {
      result = await this.#call(request);
    } catch (error) {
      // The service has told its logger, which is the one of the server
      return writeThrown(id, error);
    }
    try {
      return writeResult(id, result);
    } catch (error) {
      this.#report(request, error);
      return writeThrown(id, error);
    }
  }

  async #call({ method, params = {} }: RpcRequest): Promise<unknown> {
    const run = this.#methods.get(method);
    if (run !== undefined) return run(params);
    throw new RpcRefusal({
      name: 'METHOD_NOT_FOUND',
      message: 'The method does not exist.',
      data: { method },
    });
  }

  #report({ method }: RpcRequest, error: unknown): void {
    undisturbed(() => {
      const message = `The answer to ${method} could not be written.`;
      this.#logger.log({ level: 'error', event: 'rpc.failed', message, method, error });
    });
  }
}

/** An error may be such that it cannot be told itself: a proxy, or with details that are no JSON. */
function writeThrown(id: RpcId, error: unknown): string {
  try {
    return writeFailure(id, failureOf(error));
  } catch (untold) {
    return writeFailure(id, failureOf(untold));
  }
}

function refuse(details: string, id: RpcId = null): string {
  return writeFailure(id, { name: 'INVALID_REQUEST', message: details, data: { details } });
}
