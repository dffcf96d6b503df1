import { LOG_LEVELS } from '../call/request-context.ts';
import { unknownMethod, ClientConnection } from '../client/client-connection.ts';
import { openEra2025, type ClientEra, type EraRequestOptions } from '../client/client-era.ts';
import type { ClientTransport } from '../client/client-transport.ts';
import { openEra2026 } from '../client/era-2026.ts';
import { HttpTransport } from '../client/http-transport.ts';
import { StdioTransport } from '../client/stdio-transport.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { PlainObject } from '../shared/json.ts';
import type { ProxiedClient, ProxyCommand, ProxyOptions } from './options.ts';

/** What answers requests to a proxied server. */
export interface UpstreamClient extends ProxiedClient {
  request(method: string, params: PlainObject, options?: EraRequestOptions): Promise<PlainObject>;
  close(): Promise<void>;
}

/** Where a server is, and how it is spoken to. */
export interface UpstreamAddress {
  readonly url: ProxyOptions['url'] | undefined;
  readonly command: ProxyOptions['command'] | undefined;
  readonly timeout: number;
  readonly era: '2025' | '2026' | 'auto';
  readonly info: PlainObject;
  /** Gets what a program writes to stderr. */
  readonly printed: (text: string) => void;
}

/** One connection. */
export interface UpstreamOpening {
  /** What a session of 2025 says that its client can do. */
  readonly capabilities: PlainObject;
  /** Headers of the opening, and of all requests of a session of 2025; names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly onNotification?: (method: string, params: PlainObject) => void;
}

/** Milliseconds that a server has to say which revision it speaks, and then to open a session. */
const PROBE_TIMEOUT = 5000;
const OPENING_TIMEOUT = 20_000;
/** A list with all its pages may have 16 MiB, and no answer may have more. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** What the program of a server gets of the environment of this one. */
const INHERITED = ['PATH', 'HOME', 'SystemRoot', 'TEMP'];

/**
 * Connects to a server in the newest revision that both speak.
 * @throws ToolwrightError as clients do
 */
export async function connectUpstream(
  address: UpstreamAddress,
  { capabilities, headers, onNotification = () => undefined }: UpstreamOpening,
): Promise<UpstreamClient> {
  const messages = {
    request: (method: string): Promise<PlainObject> =>
      method === 'ping' ? Promise.resolve({}) : Promise.reject(unknownMethod(method)),
    notification: onNotification,
    error: () => undefined,
  };
  let lasting = headers;
  const transport = createTransport(address, () => lasting);
  const connection = new ClientConnection(transport, messages, Math.min(address.timeout, OPENING_TIMEOUT));
  await connection.start();
  try {
    const opened = await openEra(connection, address, capabilities);
    // Callers share a connection of 2026-07-28, and each of its requests says whose it is
    if (opened.era === '2026') lasting = {};
    return {
      era: opened.era,
      server: opened.server,
      request: (method, params, options = {}) =>
        opened.request(method, params, { timeout: address.timeout, ...options }),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function createTransport(
  { url, command, printed }: UpstreamAddress,
  lasting: () => UpstreamOpening['headers'],
): ClientTransport {
  if (url !== undefined) {
    const send: typeof fetch = (input, init) => {
      const headers = { ...lasting(), ...Object.fromEntries(new Headers(init?.headers)) };
      return fetch(input, { ...init, headers });
    };
    return new HttpTransport(url, { fetch: send, maxAnswerBytes: MAX_ANSWER_BYTES });
  }
  const { command: program, args = [], env = {}, cwd } = readCommand(command);
  return new StdioTransport(program, {
    args,
    env,
    ...(cwd === undefined ? {} : { cwd }),
    stderr: printed,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    inherits: INHERITED,
    ownsGroup: true,
  });
}

export function readCommand(command: ProxyOptions['command'] = ''): ProxyCommand {
  return typeof command === 'string' ? { command } : command;
}

async function openEra(
  connection: ClientConnection,
  { era, info }: UpstreamAddress,
  capabilities: PlainObject,
): Promise<ClientEra> {
  const identity = { info, capabilities, logLevel: undefined };
  if (era === '2025') return openEra2025(connection, identity);
  const asked = { ...identity, questions: {} };
  if (era === '2026') return openEra2026(connection, asked);
  try {
    return await openEra2026(connection, { ...asked, timeout: PROBE_TIMEOUT });
  } catch (error) {
    if (ToolwrightError.is(error) && error.code === 'TW_CLIENT_UNAUTHORIZED') throw error;
    return openEra2025(connection, identity);
  }
}

/** Takes a level from a message; undefined for what the protocol does not know. */
export function readLogLevel(value: unknown): (typeof LOG_LEVELS)[number] | undefined {
  return LOG_LEVELS.find((level) => level === value);
}
