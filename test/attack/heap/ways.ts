import { PassThrough } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpApplication } from 'toolwright';
import { ATTACH_WIRES } from '../attach/attach-wires.ts';
import { HttpWire } from './http-wire.ts';

/** A client that calls the tool again and again. */
export interface Way {
  call(): Promise<unknown>;
  close(): Promise<unknown>;
}

const ARGS = { action: 'say' };
const PARAMS = { name: 'echo', arguments: ARGS };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'heap', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const CALL = messageOf('tools/call', PARAMS);
const CALL_2026 = messageOf('tools/call', { ...PARAMS, _meta: META });
const HEADERS_2026 = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
};
const INITIALIZE = messageOf('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'heap', version: '0' },
});
const NOTHING = (): Promise<void> => Promise.resolve();

/** How calls come. */
export const WAYS: Readonly<Record<string, (app: McpApplication) => Way | Promise<Way>>> = {
  call: (app) => ({ call: () => app.call('echo', ARGS), close: NOTHING }),
  'call-with-signal': (app) => {
    const { signal } = new AbortController();
    return { call: () => app.call('echo', ARGS, { signal }), close: NOTHING };
  },
  attach: attachVersion1,
  'attach-2': attachVersion2,
  'attach-http': (app) => attached(app, 'SDK v1 over HTTP'),
  'attach-2-memory': (app) => attached(app, 'SDK v2 in memory, 2026-07-28'),
  'attach-2-http': (app) => attached(app, 'SDK v2 over HTTP'),
  // A server for each request
  'attach-2-stateless': (app) => attached(app, 'SDK v2 over HTTP, 2026-07-28'),
  stdio: (app) => stdio(app, CALL),
  'stdio-2026': (app) => stdio(app, CALL_2026),
  'http-stateless': (app) => http(app, CALL, { sessions: false }),
  'http-2026': (app) => http(app, CALL_2026, { headers: HEADERS_2026 }),
  'http-session': (app) => http(app, CALL, { inSession: true }),
};

function messageOf(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** A transport in the same process, that brings one message after the other. */
async function attachVersion1(app: McpApplication): Promise<Way> {
  /* oxlint-disable-next-line typescript/no-deprecated -- users attach to the low-level server, too */
  const server = new Server({ name: 'heap', version: '0' });
  const detach = app.attach(server);
  let heard: (answer: unknown) => void = () => undefined;
  const transport: Transport = {
    start: NOTHING,
    close: NOTHING,
    send: async (answer: unknown) => heard(answer),
  };
  await server.connect(transport);
  const message = JSON.parse(CALL) as never;
  return {
    call: () =>
      new Promise((resolve) => {
        heard = resolve;
        transport.onmessage?.(message);
      }),
    close: async () => detach(),
  };
}

async function attached(app: McpApplication, name: string): Promise<Way> {
  const wire = await ATTACH_WIRES[name]?.(app);
  if (wire === undefined) throw new RangeError(`There is no ${name}`);
  return { call: () => wire.ask('tools/call', PARAMS), close: () => wire.close() };
}

type Handler = (request: object, extra: object) => Promise<unknown>;

function attachVersion2(app: McpApplication): Way {
  const handlers = new Map<unknown, Handler>();
  const detach = app.attach({
    setRequestHandler: (method: unknown, handler: Handler) => {
      if (typeof method !== 'string') throw new TypeError('a schema');
      handlers.set(method, handler);
    },
  });
  const handle = handlers.get('tools/call');
  return {
    call: async () => handle?.({ params: PARAMS }, { signal: new AbortController().signal }),
    close: async () => detach(),
  };
}

async function stdio(app: McpApplication, line: string): Promise<Way> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const { closed } = await app.stdio({ stdin, stdout, signals: false });
  return {
    call: () =>
      new Promise((resolve) => {
        stdout.once('data', (answer: Buffer) => resolve(answer.toString()));
        stdin.write(`${line}\n`);
      }),
    close: async () => {
      stdin.end();
      await closed;
    },
  };
}

interface HttpGiven {
  readonly sessions?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly inSession?: boolean;
}

async function http(
  app: McpApplication,
  body: string,
  { sessions = true, headers = {}, inSession = false }: HttpGiven,
): Promise<Way> {
  const serving = await app.listen({ port: 0, sessions, signals: false });
  const wire = await HttpWire.open(serving.port);
  const answer = inSession ? await wire.post(INITIALIZE) : '';
  const [, id] = /^mcp-session-id: (.*)$/im.exec(answer) ?? [];
  const all = id === undefined ? headers : { ...headers, 'mcp-session-id': id };
  return {
    call: () => wire.post(body, all),
    close: async () => {
      wire.close();
      await serving.close();
    },
  };
}
