import { NO_CLIENT } from '../../../runtime/clients/served-clients.ts';
import type { HttpAnswer } from '../http-answer.ts';
import type { Endpoint, HttpExchange, OtherMessages } from '../http-exchange.ts';

import type { StreamedAnswer } from '../streams/streamed-answer.ts';
import { HttpSession } from './http-session.ts';

/** Batches and notifications of 2025 with `sessions: false`. Each has a temporary session that ends with its answer. */
export class StatelessBatches implements OtherMessages {
  readonly #context: Endpoint;
  readonly client = NO_CLIENT;
  readonly #open = new Set<HttpSession>();

  constructor(context: Endpoint) {
    this.#context = context;
  }

  async serve(exchange: HttpExchange, body: unknown): Promise<HttpAnswer | undefined> {
    const session = new BatchSession(this.#context);
    this.#open.add(session);
    session.onClose(() => this.#open.delete(session));
    try {
      const answer = await session.post(exchange, body);
      if (answer !== undefined) session.close();
      return answer;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  listen(): void {
    throw new Error('No request of 2025 stays open');
  }

  /** Nothing to notify: a client is gone once it has its answer. */
  notify(): void {}

  /** Nobody only listens here. */
  release(): void {}

  async close(): Promise<void> {
    for (const session of this.#open) session.close();
  }
}

class BatchSession extends HttpSession {
  /** Nobody can come back for the rest. */
  override streamFor(exchange: HttpExchange): StreamedAnswer {
    const answer = super.streamFor(exchange);
    answer.atEnd(() => {
      this.close();
    });
    return answer;
  }
}
