import { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpApplication, type CallToolResult } from 'toolwright';
import { OpenApiModule, type OpenApiOptions } from 'toolwright/openapi';
import { MemoryLogger } from '../support/memory-logger.ts';

/** What an API has received. */
export interface Received {
  readonly method: string;
  /** The path and query as they came. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly bytes: Buffer;
}

/** What it answers. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An API on this machine that keeps what it receives. */
export class RecordedApi {
  readonly received: Received[] = [];
  /** What the next requests get, in turn; the last one stays. */
  answers: (Answer | 'cut')[] = [{}];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<RecordedApi> {
    const server = createServer((incoming, response) => {
      void readAll(incoming).then((bytes) => {
        const { method = '', url: target = '', headers } = incoming;
        api.received.push({ method, target, headers, body: bytes.toString(), bytes });
        const answer = api.answers.length > 1 ? api.answers.shift() : api.answers[0];
        if (answer === 'cut' || answer === undefined) {
          incoming.socket.destroy();
          return;
        }
        const {
          status = 200,
          headers: sent = { 'content-type': 'application/json' },
          body: text = '{}',
        } = answer;
        response.writeHead(status, sent).end(text);
      });
    });
    const api = new RecordedApi(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  get last(): Received | undefined {
    return this.received.at(-1);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

/** An application with the operations of a document, and what was logged. */
export async function openApi(
  options: OpenApiOptions,
): Promise<{ readonly app: McpApplication; readonly logger: MemoryLogger }> {
  const logger = new MemoryLogger();
  const api = await OpenApiModule.forRoot({ logger, retries: 0, ...options });
  const app = await McpApplication.create(api, { logger });
  return { app, logger };
}

/** Calls `group.action`, as a client does. */
export function callAction(app: McpApplication, name: string, args: object = {}): Promise<CallToolResult> {
  const [tool = '', action = ''] = name.split('.');
  return app.call(tool, { action, ...args });
}

/** A document with these paths. */
export function document(
  paths: Readonly<Record<string, object>>,
  further: object = {},
): Record<string, unknown> {
  return { openapi: '3.1.0', info: { title: 'test', version: '1' }, paths, ...further };
}
