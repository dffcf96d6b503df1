import { membersOf, parseJson } from '../../../../shared/json.ts';
import type { HttpExchange } from './span.ts';

/** Sends requests, and keeps what HTTP said around a message until its answer is there. */
export class HttpHeads {
  readonly #kept = new Map<unknown, HttpExchange>();

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(input, init);
    const { method = 'GET', headers, body } = init;
    const id = typeof body === 'string' ? membersOf(parseJson(body))['id'] : undefined;
    if (id !== undefined)
      this.#kept.set(id, {
        request: {
          line: `${method} ${new URL(input instanceof Request ? input.url : input).pathname}`,
          headers: headersOf(headers),
        },
        response: {
          line: `${String(response.status)} ${response.statusText}`,
          headers: headersOf(response.headers),
        },
      });
    return response;
  };

  /** Of the message with this id, once. */
  take(id: unknown): HttpExchange | undefined {
    const exchange = this.#kept.get(id);
    this.#kept.delete(id);
    return exchange;
  }
}

function headersOf(headers: HeadersInit | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(new Headers(headers));
}
