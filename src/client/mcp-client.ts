import { LOG_LEVELS, type LogLevel } from '../call/request-context.ts';
import { ProtocolError } from '../call/protocol-error.ts';
import { VERSIONS_META_KEY, type VersionConstraints } from '../call/action-options.ts';
import type { CallToolResult, Completion, GetPromptResult, ReadResourceResult } from '../call/results.ts';
import type { WirePrompt, WireResource, WireResourceTemplate, WireTool } from '../converters/wire.ts';
import { jsonRpcCodes } from '../engine/json-rpc/json-rpc-error.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import {
  aFunction,
  filledText,
  longMilliseconds,
  oneOf,
  type OptionRules,
  rootsRule,
  wholeNumber,
} from '../shared/option-rules.ts';
import { listFault, resultFault, withoutNothing, type ListName } from './answer-shapes.ts';
import { ClientConnection, type RequestOptions } from './client-connection.ts';
import {
  type ChangeFilter,
  type ClientEra,
  type EraRequestOptions,
  type ServerDescription,
  openEra2025,
} from './client-era.ts';
import { MAX_ANSWER_BYTES, requestTimedOut, tooLarge, unusableAnswer } from './client-errors.ts';
import type { ClientTransport } from './client-transport.ts';
import {
  openEra2026,
  parameterHeaders,
  answerQuestion,
  capabilitiesOf,
  type QuestionHandlers,
} from './era-2026.ts';

/** How a client introduces itself, what it answers, and how long it waits. */
export interface McpClientOptions extends QuestionHandlers {
  /** How the client introduces itself. Default `toolwright-client`. */
  readonly name?: string;
  /** The version that it gives. Default `0.0.0`. */
  readonly version?: string;
  /** Which revisions to speak: those of 2025, or 2026-07-28. Default `auto`: the newest that the server serves. */
  readonly era?: '2025' | '2026' | 'auto';
  /** Milliseconds without an answer or progress after which a request fails. Default 60,000. */
  readonly timeout?: number;
  /**
   * Milliseconds that a server has to show that it speaks 2026-07-28, where the era is `auto`: one that does not know its
   * first message may never answer it. A process has to start in this time. Default 5000.
   */
  readonly probeTimeout?: number;
  /** The most bytes of all pages of a list together. Default 64 MiB. */
  readonly maxListBytes?: number;
  /** The minimum severity of log messages that the server may send. Default: none are requested. */
  readonly logLevel?: LogLevel;
  /** Called for notifications of the server: changes of lists and resources, log messages. */
  readonly onNotification?: (method: string, params: PlainObject) => void;
  /** Called for failures that belong to no request. */
  readonly onError?: (error: Error) => void;
}

/** Options of a call of a tool. */
export interface ToolCallOptions extends RequestOptions {
  /** Which versions of actions the call takes. Default: the versions that are listed. */
  readonly version?: VersionConstraints;
}

export const CLIENT_RULES: OptionRules<McpClientOptions> = {
  name: filledText,
  version: filledText,
  era: oneOf('auto', '2025', '2026'),
  timeout: longMilliseconds,
  probeTimeout: longMilliseconds,
  maxListBytes: wholeNumber(1),
  logLevel: oneOf(...LOG_LEVELS),
  onNotification: aFunction,
  onError: aFunction,
  onElicitation: aFunction,
  onSampling: aFunction,
  roots: rootsRule,
};

export const CLIENT_NAME = 'toolwright-client';
const TIMEOUT = 60_000;
const PROBE_TIMEOUT = 5000;
const MAX_PAGES = 10_000;
/** All pages of a list may take so many times as long as one answer. */
const LIST_TIMEOUTS = 5;

/**
 * A client for servers of both eras: tools, prompts, resources, completions, questions, progress and changes.
 *
 * @throws ToolwrightError TW_CLIENT_CONNECTION, TW_CLIENT_TIMEOUT, TW_CLIENT_ANSWER, TW_CLIENT_LIMIT; ProtocolError for
 * the errors that a server answers
 */
export class McpClient {
  readonly #connection: ClientConnection;
  readonly #era: ClientEra;
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #timeout: number;
  readonly #maxListBytes: number;

  private constructor(connection: ClientConnection, era: ClientEra, options: McpClientOptions) {
    this.#connection = connection;
    this.#era = era;
    this.#timeout = options.timeout ?? TIMEOUT;
    this.#maxListBytes = options.maxListBytes ?? MAX_ANSWER_BYTES;
  }

  /** Starts the transport, and finds out which revision the server speaks. */
  static async connect(transport: ClientTransport, options: McpClientOptions = {}): Promise<McpClient> {
    refuseOptions('TW_CLIENT_OPTION', 'McpClient.connect()', options, CLIENT_RULES);
    const messages = {
      request: (method: string, params: PlainObject) => answerQuestion(options, method, params),
      notification: (method: string, params: PlainObject): void => options.onNotification?.(method, params),
      error: (error: Error): void => options.onError?.(error),
    };
    const connection = new ClientConnection(transport, messages, options.timeout ?? TIMEOUT);
    await connection.start();
    try {
      return new McpClient(connection, await openEra(connection, options), options);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  get era(): '2025' | '2026' {
    return this.#era.era;
  }

  /** The revision of the protocol, such as `2025-11-25`. */
  get revision(): string {
    return this.#era.revision;
  }

  get server(): ServerDescription {
    return this.#era.server;
  }

  /** All pages of `tools/list`. */
  async listTools(options: RequestOptions = {}): Promise<readonly WireTool[]> {
    const tools = (await this.#list('tools/list', 'tools', options)) as unknown as readonly WireTool[];
    for (const { name, inputSchema } of tools) this.#schemas.set(name, inputSchema as JsonSchema);
    return tools;
  }

  async listPrompts(options: RequestOptions = {}): Promise<readonly WirePrompt[]> {
    return (await this.#list('prompts/list', 'prompts', options)) as unknown as readonly WirePrompt[];
  }

  async listResources(options: RequestOptions = {}): Promise<readonly WireResource[]> {
    return (await this.#list('resources/list', 'resources', options)) as unknown as readonly WireResource[];
  }

  async listResourceTemplates(options: RequestOptions = {}): Promise<readonly WireResourceTemplate[]> {
    const templates = await this.#list('resources/templates/list', 'resourceTemplates', options);
    return templates as unknown as readonly WireResourceTemplate[];
  }

  async callTool(
    name: string,
    args: PlainObject = {},
    options: ToolCallOptions = {},
  ): Promise<CallToolResult> {
    const { version, ...rest } = options;
    const meta = version === undefined ? {} : { _meta: { [VERSIONS_META_KEY]: version } };
    const params = { name, arguments: args, ...meta };
    return (await this.#result('tools/call', params, rest)) as unknown as CallToolResult;
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: RequestOptions = {},
  ): Promise<GetPromptResult> {
    const params = { name, arguments: args };
    return (await this.#result('prompts/get', params, options)) as unknown as GetPromptResult;
  }

  async readResource(uri: string, options: RequestOptions = {}): Promise<ReadResourceResult> {
    return (await this.#result('resources/read', { uri }, options)) as unknown as ReadResourceResult;
  }

  /** @param resolved the arguments that are already known */
  async complete(
    reference: PlainObject,
    argument: { readonly name: string; readonly value: string },
    resolved?: Readonly<Record<string, string>>,
  ): Promise<Completion> {
    const context = resolved === undefined ? {} : { context: { arguments: resolved } };
    const { completion } = await this.request('completion/complete', {
      ref: reference,
      argument,
      ...context,
    });
    return completion as Completion;
  }

  /** Sends any request; questions of the server are answered in between. A call of a tool gets the headers it needs. */
  request(method: string, params: PlainObject = {}, options: EraRequestOptions = {}): Promise<PlainObject> {
    return method === 'tools/call' && options.headers === undefined
      ? this.#callTool(params, options)
      : this.#era.request(method, params, options);
  }

  /**
   * Subscribes to changes, which `onNotification` receives. Servers of 2025 notify every session of changed lists.
   * @returns a function that ends the subscription
   */
  subscribe(filter: ChangeFilter): Promise<() => Promise<void>> {
    return this.#era.subscribe(filter);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** A result that can be read without looking at each of its parts again. */
  async #result(method: string, params: PlainObject, options: EraRequestOptions): Promise<PlainObject> {
    const result = await this.request(method, params, options);
    const fault = resultFault(method, result);
    if (fault !== undefined) throw unusableAnswer(this.#connection.place, method, `${fault}.`);
    return result;
  }

  /** A server refuses a call without the required headers; the list of tools says which arguments they repeat. */
  async #callTool(params: PlainObject, options: EraRequestOptions): Promise<PlainObject> {
    const { name, arguments: args = {} } = params;
    const call = (): Promise<PlainObject> => {
      const schema = this.#schemas.get(String(name));
      const headers = schema === undefined ? {} : { headers: parameterHeaders(schema, args) };
      return this.#era.request('tools/call', params, { ...options, ...headers });
    };
    try {
      return await call();
    } catch (error) {
      if (!ProtocolError.is(error) || error.code !== jsonRpcCodes.headerMismatch) throw error;
      await this.listTools();
      return call();
    }
  }

  async #list(method: string, member: ListName, options: RequestOptions): Promise<readonly PlainObject[]> {
    const { place } = this.#connection;
    const { timeout = this.#timeout } = options;
    const longest = timeout * LIST_TIMEOUTS;
    const end = performance.now() + longest;
    const entries: PlainObject[] = [];
    let cursor: unknown;
    let size = 0;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const left = Math.ceil(end - performance.now());
      if (left <= 0) throw requestTimedOut(place, `all pages of ${method}`, longest);
      const limited = { ...options, timeout: Math.min(timeout, left) };
      const result = await this.request(method, cursor === undefined ? {} : { cursor }, limited);
      const list = result[member];
      if (!Array.isArray(list)) throw unusableAnswer(place, method, `it has no ${member}.`);
      size += JSON.stringify(result).length;
      if (size > this.#maxListBytes) throw tooLarge(place, `all pages of ${method}`, this.#maxListBytes);
      const meant = list.map((item: unknown) => (isPlainObject(item) ? withoutNothing(item) : item));
      const fault = listFault(member, meant);
      if (fault !== undefined) throw unusableAnswer(place, method, `${fault}.`);
      for (const item of meant) entries.push(item as PlainObject);
      const next = result['nextCursor'];
      if (next === undefined) return entries;
      if (next === cursor) break;
      cursor = next;
    }
    throw unusableAnswer(place, method, 'its pages have no end.');
  }
}

async function openEra(connection: ClientConnection, options: McpClientOptions): Promise<ClientEra> {
  const { name = CLIENT_NAME, version = '0.0.0', era = 'auto', logLevel } = options;
  const { probeTimeout = PROBE_TIMEOUT, timeout = TIMEOUT } = options;
  const identity = { info: { name, version }, capabilities: capabilitiesOf(options), logLevel };
  if (era === '2025') return openEra2025(connection, identity);
  const asked = { ...identity, questions: options };
  if (era === '2026') return openEra2026(connection, asked);
  try {
    return await openEra2026(connection, {
      ...asked,
      timeout: Math.min(probeTimeout, timeout),
    });
  } catch (error) {
    if (ToolwrightError.is(error) && error.code === 'TW_CLIENT_UNAUTHORIZED') throw error;
    return openEra2025(connection, identity);
  }
}
