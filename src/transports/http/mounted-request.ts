import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { HttpRefusal, isStopping } from './http-answer.ts';
import type { BodyBytes } from './http-exchange.ts';
import { NodeExchange, writeAnswer } from './node-exchange.ts';
import { sendEarly, type NodeSettings } from './send-answer.ts';

/** A request of `node:http` by its shape: that of Express, or `request.raw` of Fastify. */
export interface NodeRequest {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** The path and query. */
  readonly url?: string | undefined;
  /** The headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Passes the body on to a stream. */
  pipe(target: never): unknown;
}

/** A response of `node:http` by its shape: that of Express, or `reply.raw` of Fastify. */
export interface NodeResponse {
  /** Whether the answer has begun. */
  readonly headersSent: boolean;
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): unknown;
  /** Ends the answer. */
  end(): unknown;
}

/** A request that another HTTP server has accepted, and may have read. */
export interface MountedRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Undefined where nobody parsed the body. */
  readonly parsedBody: unknown;
}

/**
 * Reads a request that another server hands over.
 * @throws ToolwrightError TW_SERVER_MOUNT for anything but a request of `node:http`
 */
export function mountedRequest(request: unknown, response: unknown, parsedBody: unknown): MountedRequest {
  const incoming = request as IncomingMessage & { readonly body?: unknown };
  const outgoing = response as ServerResponse;
  if (!hasMethods(incoming, 'on', 'pipe') || !hasMethods(outgoing, 'writeHead', 'flushHeaders')) {
    throw new ToolwrightError('TW_SERVER_MOUNT', {
      where: 'app.node()',
      what: 'got something other than a request and a response of node:http.',
      fix: 'app.node(request, response); with Fastify app.node(request.raw, reply.raw, request.body)',
    });
  }
  // Routers hand over their `next` as the third argument.
  const given = typeof parsedBody === 'function' ? undefined : parsedBody;
  return { incoming, outgoing, parsedBody: given ?? (incoming.readableDidRead ? incoming.body : undefined) };
}

/** Refuses a request that comes after shutdown began. */
export async function refuseMounted({ incoming, outgoing }: MountedRequest): Promise<void> {
  const answer = isStopping().toAnswer();
  if (incoming.complete) writeAnswer(answer, outgoing);
  else await sendEarly(answer, incoming, outgoing);
}

/** A request that another server has accepted, with the body as that server left it. */
export class MountedExchange extends NodeExchange {
  readonly #parsedBody: unknown;

  constructor({ incoming, outgoing, parsedBody }: MountedRequest, settings: NodeSettings) {
    super(incoming, outgoing, settings);
    this.#parsedBody = parsedBody;
  }

  override get isDecoded(): boolean {
    return this.#parsedBody !== undefined;
  }

  override readBody(limit: number, take: Parameters<NodeExchange['readBody']>[1]): void {
    const isUnread = this.#parsedBody === undefined && !this.incoming.readableDidRead;
    if (isUnread) super.readBody(limit, take);
    else take(bytesOf(this.#parsedBody, limit), this);
  }

  /** Resolves when the answer is sent, or its client is gone. */
  get isSent(): Promise<void> {
    const { outgoing } = this;
    return new Promise((resolve) => {
      if (outgoing.closed || outgoing.writableFinished) resolve();
      outgoing.once('finish', resolve).once('close', resolve);
    });
  }
}

/** The body as it was sent, or serialized again, so that every body passes the same checks. */
function bytesOf(parsedBody: unknown, limit: number): BodyBytes {
  if (parsedBody === undefined) return 'read-before';
  const bytes = parsedBody instanceof Uint8Array ? parsedBody : Buffer.from(textOf(parsedBody));
  return bytes.length > limit ? 'too-large' : bytes;
}

function textOf(parsedBody: unknown): string {
  if (typeof parsedBody === 'string') return parsedBody;
  const text: unknown = JSON.stringify(parsedBody);
  if (typeof text === 'string') return text;
  throw new HttpRefusal(500, 'The parsed body is nothing that JSON carries');
}

function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
}
