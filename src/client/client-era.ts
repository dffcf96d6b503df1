import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { within } from '../shared/platform.ts';
import type { ClientConnection, RequestOptions, WireOptions } from './client-connection.ts';
import type { LogLevel } from '../call/request-context.ts';
import { eraNotServed } from './client-errors.ts';

/** How a client introduces itself. */
export interface ClientIdentity {
  readonly info: PlainObject;
  readonly capabilities: PlainObject;
  /** The minimum severity of log messages that the server may send; without it, none. */
  readonly logLevel: LogLevel | undefined;
}

/** How a server introduces itself (spec: basic/lifecycle; 2026-07-28: server/discover). */
export interface ServerDescription {
  /** Its name, for programs. */
  readonly name: string | undefined;
  /** Its version. */
  readonly version: string | undefined;
  /** Its name, for people. */
  readonly title: string | undefined;
  /** How to use the server, for models. */
  readonly instructions: string | undefined;
  /** What it can do: `tools`, `prompts`, `resources` and others. */
  readonly capabilities: PlainObject;
}

/** The changes that a client wants to be notified of. */
export interface ChangeFilter {
  /** Whether the list of tools. */
  readonly tools?: boolean;
  /** Whether the list of prompts. */
  readonly prompts?: boolean;
  /** Whether the list of resources. */
  readonly resources?: boolean;
  /** Resources whose content may change. */
  readonly uris?: readonly string[];
}

/** A connection to one server in one protocol era. */
export interface ClientEra {
  readonly era: '2025' | '2026';
  readonly revision: string;
  readonly server: ServerDescription;
  /** Resolves to the final result; questions of the server are answered in between. */
  request(method: string, params: PlainObject, options: EraRequestOptions): Promise<PlainObject>;
  /** @returns a function that ends the subscription */
  subscribe(filter: ChangeFilter): Promise<() => Promise<void>>;
}

export interface EraRequestOptions extends RequestOptions, Pick<WireOptions, 'onNotification' | 'onRequest'> {
  /** Headers that repeat arguments; only for 2026-07-28 over HTTP. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extensions that the client declares for this request; only for 2026-07-28, which declares with every request. */
  readonly extensions?: PlainObject;
  /** Headers of this request alone, over HTTP in either era: whose request it is, what it is part of. */
  readonly ownHeaders?: Readonly<Record<string, string>>;
  /**
   * On whose behalf the request is sent: what 2026-07-28 says of its client in each request, and whether questions are
   * the result, which the client answers else. Default: the client itself.
   */
  readonly behalf?: {
    readonly capabilities: PlainObject;
    readonly logLevel?: LogLevel | undefined;
  };
}

export function describeServer(
  info: unknown,
  { capabilities, instructions }: PlainObject,
): ServerDescription {
  const { name, version, title } = (info ?? {}) as PlainObject;
  return Object.freeze({
    name: textOr(name),
    version: textOr(version),
    title: textOr(title),
    instructions: textOr(instructions),
    capabilities: isPlainObject(capabilities) ? capabilities : {},
  });
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The revisions that this client speaks, the newest first. */
const REVISIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Milliseconds that the stream of a session may take to open. */
const OPENING = 5000;

/** Opens a session (spec 2025-11-25: basic/lifecycle, Initialization). */
export async function openEra2025(
  connection: ClientConnection,
  { info, capabilities, logLevel }: ClientIdentity,
): Promise<ClientEra> {
  const result = await connection.request('initialize', {
    protocolVersion: REVISIONS[0],
    capabilities,
    clientInfo: info,
  });
  const { protocolVersion: revision, serverInfo } = result;
  if (typeof revision !== 'string' || !REVISIONS.includes(revision)) {
    throw eraNotServed(connection.place, REVISIONS.join(', '), undefined);
  }
  await connection.notify('notifications/initialized', {}, { 'mcp-protocol-version': revision });
  const opened = connection.openSession(revision);
  const server = describeServer(serverInfo, result);
  if (logLevel !== undefined && 'logging' in server.capabilities) {
    await connection.request('logging/setLevel', { level: logLevel });
  }
  return {
    era: '2025',
    revision,
    server,
    request: (method, params, given) => {
      const { headers: _headers, extensions: _extensions, behalf: _behalf, ownHeaders, ...options } = given;
      return connection.request(method, params, { ...options, ...(ownHeaders && { headers: ownHeaders }) });
    },
    subscribe: async (filter) => {
      // A server that never answers this request must not block the client.
      await within(opened, OPENING).catch(() => undefined);
      return subscribe(connection, filter);
    },
  };
}

/** List changes are sent to every session; each resource needs its own subscription. */
async function subscribe(
  connection: ClientConnection,
  { uris = [] }: ChangeFilter,
): Promise<() => Promise<void>> {
  await Promise.all(uris.map((uri) => connection.request('resources/subscribe', { uri })));
  return async () => {
    await Promise.all(uris.map((uri) => connection.request('resources/unsubscribe', { uri })));
  };
}
