/* oxlint-disable typescript/no-deprecated -- users attach to the low-level servers, too */
import { Server as ServerOfVersion1 } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport as HttpOfVersion1 } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  createMcpHandler,
  Server as ServerOfVersion2,
  WebStandardStreamableHTTPServerTransport as HttpOfVersion2,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpApplication } from 'toolwright';

export type Json = Readonly<Record<string, unknown>>;

const DEEP_TEXT = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
/** Deeper than `JSON.stringify` can write. */
export const DEEP: unknown = JSON.parse(DEEP_TEXT);
const DEEP_MARK = '@deep@';

/** A client by hand of a server that somebody made, with the application attached. */
export interface AttachWire {
  /** Resolves to the answer. One that is never given is waited for until the attack is over. */
  ask(method: string, params?: unknown, id?: number): Promise<Json>;
  /** Sends what has no answer. */
  tell(method: string, params?: unknown): Promise<void>;
  /** Ends what `app.attach` began, on every server there is. */
  detach(): void;
  close(): Promise<void>;
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const META = {
  [VERSION_KEY]: '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'attacker', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'attacker', version: '0' },
};
const IDENTITY = { name: 'owner', version: '1' };
const OPTIONS = { capabilities: { logging: {} } };

interface Connected {
  connect(transport: never): Promise<void>;
  onerror?: ((error: Error) => void) | undefined;
}

/** The servers of both SDKs, in every way that they are reached. */
export const ATTACH_WIRES: Readonly<Record<string, (app: McpApplication) => Promise<AttachWire>>> = {
  'SDK v1 in memory': (app) => inMemory(app, new ServerOfVersion1(IDENTITY, OPTIONS)),
  'SDK v1 over HTTP': (app) => inSession(app, new ServerOfVersion1(IDENTITY, OPTIONS), HttpOfVersion1),
  'SDK v2 in memory': (app) => inMemory(app, new ServerOfVersion2(IDENTITY, OPTIONS)),
  'SDK v2 in memory, 2026-07-28': async (app) => {
    const attached = new Attached(app);
    const pipe = new Pipe();
    serveStdio(
      () => {
        const server = new ServerOfVersion2(IDENTITY, OPTIONS);
        server.onerror = pipe.drop;
        return attached.to(server);
      },
      { legacy: 'reject', onerror: pipe.drop, transport: pipe.transport },
    );
    return pipe.wire(attached, META);
  },
  'SDK v2 over HTTP': (app) => inSession(app, new ServerOfVersion2(IDENTITY, OPTIONS), HttpOfVersion2),
  'SDK v2 over HTTP, 2025-11-25 without sessions': async (app) => byHandler(app, undefined),
  'SDK v2 over HTTP, 2026-07-28': async (app) => byHandler(app, META),
};

/** What ends the attachments of the latest servers; some make one for each request. */
class Attached {
  readonly #app: McpApplication;
  readonly #detachers: (() => void)[] = [];

  constructor(app: McpApplication) {
    this.#app = app;
  }

  to<Kind>(server: Kind): Kind {
    this.#detachers.push(this.#app.attach(server));
    if (this.#detachers.length > 100) this.#detachers.shift();
    return server;
  }

  detach(): void {
    for (const detach of this.#detachers) detach();
  }
}

/** Both ends of a connection whose messages are objects. */
class Pipe {
  readonly #waiting = new Map<unknown, (answer: Json) => void>();
  #lastId = 100;
  readonly transport: {
    onmessage?: (message: unknown, extra?: unknown) => void;
    onclose?: () => void;
    start(): Promise<void>;
    send(message: Json): Promise<void>;
    close(): Promise<void>;
  } = {
    start: async () => undefined,
    send: async (message) => {
      if ('method' in message) return;
      const { id } = message;
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    },
    close: async () => this.transport.onclose?.(),
  };

  /** The SDK gives no answer to what it takes for no message, and then it was not ours to give. */
  readonly drop = (error: Error): void => {
    if (!/^Unknown message type|^Discarded|call stack/.test(error.message)) return;
    const [id, answer] = [...this.#waiting].at(-1) ?? [];
    this.#waiting.delete(id);
    answer?.({ dropped: error.message.slice(0, 40) });
  };

  wire(attached: Attached, meta: object | undefined): AttachWire {
    return {
      ask: (method, params, id = (this.#lastId += 1)) =>
        new Promise((resolve) => {
          this.#waiting.set(id, resolve);
          try {
            this.transport.onmessage?.({ jsonrpc: '2.0', id, method, params: withMeta(params, meta) });
          } catch (error) {
            this.drop(error as Error);
          }
        }),
      tell: async (method, params) => {
        this.transport.onmessage?.({ jsonrpc: '2.0', method, params: withMeta(params, meta) });
      },
      detach: () => {
        attached.detach();
      },
      close: () => this.transport.close(),
    };
  }
}

async function inMemory(app: McpApplication, server: Connected): Promise<AttachWire> {
  const attached = new Attached(app);
  attached.to(server);
  const pipe = new Pipe();
  server.onerror = pipe.drop;
  await server.connect(pipe.transport as never);
  const wire = pipe.wire(attached, undefined);
  await wire.ask('initialize', INITIALIZE);
  await wire.tell('notifications/initialized');
  return wire;
}

type Handle = (request: Request) => Promise<Response>;

interface HttpTransport {
  handleRequest: Handle;
  close(): Promise<void>;
}

type TransportClass = new (options: { sessionIdGenerator: () => string }) => HttpTransport;

async function inSession(
  app: McpApplication,
  server: Connected,
  Transport: TransportClass,
): Promise<AttachWire> {
  const attached = new Attached(app);
  attached.to(server);
  const transport = new Transport({ sessionIdGenerator: () => 'the-session' });
  await server.connect(transport as never);
  const handle: Handle = (request) => transport.handleRequest(request);
  const post = poster(handle, { 'mcp-session-id': 'the-session' });
  await poster(handle, {})(1, 'initialize', INITIALIZE);
  await post(undefined, 'notifications/initialized');
  return httpWire(post, undefined, attached, () => transport.close());
}

async function byHandler(app: McpApplication, meta: object | undefined): Promise<AttachWire> {
  const attached = new Attached(app);
  const handler = createMcpHandler(() => attached.to(new ServerOfVersion2(IDENTITY, OPTIONS)));
  return httpWire(
    poster((request) => handler.fetch(request), {}),
    meta,
    attached,
    () => handler.close(),
  );
}

type Post = (id: number | undefined, method: string, params?: unknown) => Promise<Json>;

function poster(handle: Handle, more: Readonly<Record<string, string>>): Post {
  return async (id, method, params) => {
    const { _meta: meta, name, uri, taskId } = (params ?? {}) as Json;
    const isModern = (meta as Json | null | undefined)?.[VERSION_KEY] === '2026-07-28';
    const named = [name, uri, taskId].find((value) => typeof value === 'string');
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': isModern ? '2026-07-28' : '2025-11-25',
      ...(isModern
        ? { 'mcp-method': method, ...(named === undefined ? {} : { 'mcp-name': encoded(named) }) }
        : {}),
      ...more,
    };
    const message = { jsonrpc: '2.0', id, method, params };
    const body = JSON.stringify(message, (_, value: unknown) => (value === DEEP ? DEEP_MARK : value));
    const response = await handle(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers,
        body: body.replaceAll(`"${DEEP_MARK}"`, DEEP_TEXT),
      }),
    );
    return answerIn(await response.text(), response.status);
  };
}

/** Spec 2026-07-28: basic/transports, Value Encoding. */
function encoded(value: string): string {
  return /^[\x21-\x7e]+$/.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function answerIn(text: string, status: number): Json {
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  const messages = (events.length > 0 ? events.map((line) => line.slice(6)) : [text].filter(Boolean)).map(
    (line) => JSON.parse(line) as Json,
  );
  return messages.find((message) => !('method' in message)) ?? { status };
}

function httpWire(
  post: Post,
  meta: object | undefined,
  attached: Attached,
  close: () => Promise<void>,
): AttachWire {
  let lastId = 100;
  return {
    ask: (method, params, id = (lastId += 1)) => post(id, method, withMeta(params, meta)),
    tell: async (method, params) => {
      await post(undefined, method, withMeta(params, meta));
    },
    detach: () => {
      attached.detach();
    },
    close,
  };
}

/** Params that are no object, or say so themselves, go as they are. */
function withMeta(params: unknown, meta: object | undefined): unknown {
  if (meta === undefined || typeof params !== 'object' || params === null || Array.isArray(params))
    return params ?? (meta && { _meta: meta });
  const given = '_meta' in params ? params._meta : undefined;
  return given === undefined || (typeof given === 'object' && given !== null && !Array.isArray(given))
    ? { ...params, _meta: { ...meta, ...given } }
    : params;
}
