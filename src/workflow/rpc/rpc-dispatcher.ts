import type { Logger } from '../../index.ts';
import { undisturbed } from '../application/undisturbed.ts';
import { isWorkflowError } from '../domain/errors/is-workflow-error.ts';
import { writeFailure, writeResult } from './rpc-answer.ts';
import { failureOf, RpcRefusal } from './rpc-failure.ts';
import type { RpcMethod } from './rpc-methods.ts';
import { readRequest, type RpcRequest } from './rpc-request.ts';

const LARGEST_BATCH = 1000;

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
    const answers: string[] = [];
    for (const element of message as readonly unknown[]) {
      const answer = await this.#answerOne(element);
      if (answer !== undefined) answers.push(answer);
    }
    return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
  }

  async #answerOne(message: unknown): Promise<string | undefined> {
    const reading = readRequest(message);
    if (!reading.ok) return refuse(reading.details, reading.id);
    const { request } = reading;
    const { id = null } = request;
    let text: string;
    try {
      text = writeResult(id, await this.#call(request));
    } catch (error) {
      this.#report(request, error);
      text = writeFailure(id, failureOf(error));
    }
    return request.id === undefined ? undefined : text;
  }

  async #call({ method, params = {} }: RpcRequest): Promise<unknown> {
    const run = this.#methods.get(method);
    if (run !== undefined) return run(params);
    throw new RpcRefusal({
      name: 'METHOD_NOT_FOUND',
      message: 'There is no such method.',
      data: { method },
    });
  }

  #report({ method }: RpcRequest, error: unknown): void {
    if (isWorkflowError(error) || error instanceof RpcRefusal) return;
    const message = `${method} failed.`;
    undisturbed(() => this.#logger.log({ level: 'error', event: 'rpc.failed', message, method, error }));
  }
}

function refuse(details: string, id: Parameters<typeof writeFailure>[0] = null): string {
  return writeFailure(id, { name: 'INVALID_REQUEST', message: details, data: { details } });
}
