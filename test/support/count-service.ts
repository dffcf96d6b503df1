import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that reached the service. */
export interface CountedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the service answers instead of a count. */
export interface OtherAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a question costs, what any request with tools costs more, and what the service takes for a letter of a tool. */
export const QUESTION_COST = 7;
export const TOOLS_COST = 300;

/** An HTTP server with the endpoints of OpenAI, Anthropic and Google that count tokens. A letter of a tool is a token. */
export class CountService {
  readonly requests: CountedRequest[] = [];
  /** Answers that come before any count. */
  readonly others: OtherAnswer[] = [];
  /** Answers nothing from now on. */
  isSilent = false;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      request.on('end', () => {
        if (this.isSilent) return;
        const body = JSON.parse(text) as CountedRequest['body'];
        const path = request.url ?? '';
        this.requests.push({ path, headers: request.headers, body });
        const other = this.others.shift();
        const answer = other?.body ?? JSON.stringify(countOf(path, body));
        const headers = { 'content-type': 'application/json', ...other?.headers };
        response.writeHead(other?.status ?? 200, headers).end(answer);
      });
    });
  }

  static async start(): Promise<CountService> {
    const service = new CountService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function countOf(path: string, body: CountedRequest['body']): object {
  if (path === '/v1/responses/input_tokens')
    return { object: 'response.input_tokens', input_tokens: costOf(body['tools']) };
  if (path === '/v1/messages/count_tokens') return { input_tokens: costOf(body['tools']) };
  const request = body['generateContentRequest'] as { readonly tools?: unknown } | undefined;
  if (/^\/v1beta\/models\/[^/]+:countTokens$/.test(path)) return { totalTokens: costOf(request?.tools) };
  return { error: { message: `no such endpoint: ${path}` } };
}

function costOf(tools: unknown): number {
  if (tools === undefined) return QUESTION_COST;
  return QUESTION_COST + TOOLS_COST + lettersOf(tools);
}

/** The letters of the tools, without what holds them together. */
export function lettersOf(tools: unknown): number {
  const list = (tools as readonly { readonly functionDeclarations?: readonly object[] }[]).flatMap(
    (tool) => tool.functionDeclarations ?? [tool],
  );
  return list.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
}
