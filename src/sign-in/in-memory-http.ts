import { Buffer } from 'node:buffer';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** What a handler of node:http is asked. */
export interface InMemoryRequest {
  readonly method: string;
  /** Path and query, without the path that the server is mounted at. */
  readonly url: string;
  /** The same as a client sees it. */
  readonly originalUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** A request and a response of node:http without a connection. */
export interface InMemoryExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What was answered. */
  readonly answered: Promise<Response>;
}

export function inMemoryExchange(given: InMemoryRequest): InMemoryExchange {
  const socket = new Socket();
  const request = new IncomingMessage(socket);
  const { method, url, originalUrl, headers, body } = given;
  Object.assign(request, { method, url, originalUrl, httpVersion: '1.1' });
  request.headers = { ...headers };
  if (body !== undefined) {
    const bytes = Buffer.from(body as Uint8Array);
    request.headers['content-length'] = String(bytes.length);
    request.push(bytes);
  }
  request.push(null);
  request.complete = true;
  const response = new ServerResponse(request);
  const answered = new Promise<Response>((resolve) => {
    const pieces: Buffer[] = [];
    const take = (chunk: unknown): void => {
      if (typeof chunk === 'string') pieces.push(Buffer.from(chunk));
      else if (chunk instanceof Uint8Array) pieces.push(Buffer.from(chunk));
    };
    response.write = (chunk: unknown): boolean => {
      take(chunk);
      return true;
    };
    response.end = (chunk?: unknown): ServerResponse => {
      take(chunk);
      resolve(responseOf(response, Buffer.concat(pieces)));
      response.emit('finish');
      socket.destroy();
      return response;
    };
  });
  return { request, response, answered };
}

function responseOf(response: ServerResponse, body: Buffer): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.getHeaders())) {
    const values = Array.isArray(value) ? value : [String(value)];
    if (name === 'content-length' || name === 'transfer-encoding' || name === 'connection') continue;
    for (const each of values) headers.append(name, each);
  }
  const { statusCode: status } = response;
  const isEmpty = body.length === 0 || [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
}
