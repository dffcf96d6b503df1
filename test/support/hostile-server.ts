import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it came, and the JSON-RPC message in it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly message: { readonly id?: number; readonly method?: string; readonly params?: unknown };
}

/** Answers by itself. Undefined leaves the request to what a server of 2025 without anything in its lists does. */
export type Answer = (received: Received, response: ServerResponse) => unknown;

/** A server on loopback that answers as a test wants it to, and keeps what it was sent. */
export class HostileServer {
  readonly received: Received[] = [];
  readonly #server;

  private constructor(answer: Answer) {
    this.#server = createServer((incoming, response) => {
      void text(incoming).then((body) => {
        const { method = '', url = '', headers } = incoming;
        const message = body === '' ? {} : (JSON.parse(body) as Received['message']);
        const received = { method, url, headers, body, message };
        this.received.push(received);
        const result = answer(received, response) ?? usual(received);
        if (!response.headersSent && !response.writableEnded && result !== PENDING)
          sendJson(response, { jsonrpc: '2.0', id: message.id, ...result });
      });
    });
  }

  static async open(answer: Answer = () => undefined): Promise<HostileServer> {
    const server = new HostileServer(answer);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/mcp`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }
}

/** The answer that never comes. */
export const PENDING = Symbol('pending');

/** Stands for an object that is nested 20,000 deep, which no function can write by calling itself. */
export const DEEP = '(deep)';
const LEVELS = 20_000;

const deep = `${'{"properties":{"a":'.repeat(LEVELS)}{"type":"string"}${'}}'.repeat(LEVELS)}`;

export function hostileJson(value: unknown): string {
  return JSON.stringify(value).replace(JSON.stringify(DEEP), deep);
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(hostileJson(value));
}

/** Capabilities, and nothing in any list. */
export function usual({ message, method }: Pick<Received, 'message' | 'method'>): object {
  const result = RESULTS[message.method ?? ''];
  if (result !== undefined) return { result };
  return method === 'POST' && message.id === undefined
    ? {}
    : { error: { code: -32601, message: 'No such method' } };
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'hostile', version: '1.0.0' },
    capabilities: { tools: {}, prompts: {}, resources: {} },
  },
  'tools/list': { tools: [] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
};
