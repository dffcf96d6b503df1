import { Agent, request, type IncomingMessage } from 'node:http';
import type { AttackedServer } from '../attacked-server.ts';

/** Streams of one server that are kept open, and what came on them. */
export class HeldStreams {
  readonly #server: AttackedServer;
  readonly #agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  readonly #responses = new Set<IncomingMessage>();
  #events = 0;
  #waiting: (() => void)[] = [];

  constructor(server: AttackedServer) {
    this.#server = server;
  }

  get open(): number {
    return this.#responses.size;
  }

  /** @returns whether it was opened */
  async add(
    method: 'GET' | 'POST',
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<boolean> {
    const response = await this.#send(method, headers, body);
    const { statusCode, headers: given } = response;
    const isStream = statusCode === 200 && given['content-type']?.startsWith('text/event-stream') === true;
    if (!isStream) {
      response.resume();
      return false;
    }
    this.#responses.add(response);
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      this.#events += text.split('notifications/resources/').length - 1;
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
    response.once('close', () => this.#responses.delete(response)).on('error', () => undefined);
    return true;
  }

  /** Resolves when so many changes of resources have come, on all of them together. */
  async heard(count: number): Promise<void> {
    while (this.#events < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#events = 0;
  }

  close(): void {
    for (const response of this.#responses) response.destroy();
    this.#agent.destroy();
  }

  #send(
    method: string,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(this.#server.url, { method, agent: this.#agent, headers });
      sent.once('response', resolve).once('error', reject).end(body);
    });
  }
}
