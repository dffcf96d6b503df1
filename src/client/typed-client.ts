import { VERSIONS_META_KEY, type VersionConstraints } from '../call/action-options.ts';
import type { CallToolResult, Completion, GetPromptResult, ReadResourceResult } from '../call/results.ts';
import type { WirePrompt, WireResource, WireResourceTemplate, WireTool } from '../converters/wire.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { PlainObject } from '../shared/json.ts';
import { resultFault } from './answer-shapes.ts';
import type { RequestOptions } from './client-connection.ts';
import type { ChangeFilter, ServerDescription } from './client-era.ts';
import { unusableAnswer } from './client-errors.ts';
import { answerQuestion, type QuestionHandlers } from './era-2026.ts';
import type { McpClient } from './mcp-client.ts';
import type { AnyServer, ServerTypes, ToolArguments, TypedResult } from './server-types.ts';
import { callAsTask } from './task-call.ts';

/** Options of a call of a tool. */
export interface CallOptions extends RequestOptions {
  /** Which versions of actions the call takes. Default: the versions that are listed. */
  readonly version?: VersionConstraints;
  /**
   * Calls the tool as a task: the server answers at once, and the client asks for the status until there is a result.
   * For tools whose `execution.taskSupport` allows it. `ttl`: milliseconds for which the server keeps the task, by default
   * an hour; servers of 2026-07-28 decide it themselves. `onStatus` is called whenever the server was asked: `working`,
   * `input_required`, `completed`.
   */
  readonly task?: {
    readonly ttl?: number;
    readonly onStatus?: (status: string, message?: string) => void;
  };
}

/** What a client needs besides its connection. */
export interface ClientParts {
  readonly client: McpClient;
  /** Where the server is, for error messages. */
  readonly place: string;
  readonly questions: QuestionHandlers;
  /** Signs a person in, once a server has refused a request; false where that would change nothing. */
  readonly signIn?: () => Promise<boolean>;
}

/**
 * A client that is connected to one server; {@link connect} makes it. Its methods throw ToolwrightError for a server that
 * cannot be reached, takes too long or breaks the protocol (`TW_CLIENT_…`), and ProtocolError for errors that the server
 * answers. A tool that fails is a result with `isError`.
 */
export class TypedClient<Server extends ServerTypes = AnyServer> {
  readonly #parts: ClientParts;

  /** @internal */
  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** The era of the protocol that both sides speak. */
  get era(): '2025' | '2026' {
    return this.#parts.client.era;
  }

  /** The revision of the protocol, such as `2025-11-25`. */
  get revision(): string {
    return this.#parts.client.revision;
  }

  /** How the server introduces itself. */
  get server(): ServerDescription {
    return this.#parts.client.server;
  }

  /**
   * Calls a tool. With the types of the server, its name, the action and all arguments are checked by the compiler.
   *
   * @example
   * const client = await connect('https://tasks.example/mcp');
   * const result = await client.callTool('tasks', { action: 'create', title: 'Milk' });
   * console.log(result.structuredContent?.['id']);
   */
  callTool<Name extends keyof Server['tools'] & string, Action extends keyof Server['tools'][Name] & string>(
    name: Name,
    args: ToolArguments<Server, Name, Action>,
    options?: CallOptions,
  ): Promise<TypedResult<Server['tools'][Name][Action]['output']>>;
  callTool<Name extends keyof Server['tools'] & string, Action extends keyof Server['tools'][Name]>(
    // oxlint-disable-next-line typescript/no-empty-object-type -- an input without required members takes it
    name: {} extends Server['tools'][Name][Action]['input'] ? Name : never,
  ): Promise<TypedResult<Server['tools'][Name][Action]['output']>>;
  async callTool(
    name: string,
    args: object = {},
    { task, ...options }: CallOptions = {},
  ): Promise<TypedResult<never>> {
    const given = args as PlainObject;
    const result = await this.#send((client) =>
      task === undefined
        ? client.callTool(name, given, options)
        : this.#callTask(client, { name, args: given, options, task }),
    );
    return result as TypedResult<never>;
  }

  /** Gets a prompt, filled in with its arguments. */
  getPrompt<Name extends keyof Server['prompts'] & string>(
    name: Name,
    args: Server['prompts'][Name],
    options?: RequestOptions,
  ): Promise<GetPromptResult>;
  getPrompt<Name extends keyof Server['prompts'] & string>(
    // oxlint-disable-next-line typescript/no-empty-object-type -- as above
    name: {} extends Server['prompts'][Name] ? Name : never,
  ): Promise<GetPromptResult>;
  getPrompt(name: string, args: object = {}, options: RequestOptions = {}): Promise<GetPromptResult> {
    return this.#send((client) => client.getPrompt(name, args as Readonly<Record<string, string>>, options));
  }

  /** Reads a resource by its URI. */
  readResource(uri: string, options: RequestOptions = {}): Promise<ReadResourceResult> {
    return this.#send((client) => client.readResource(uri, options));
  }

  /** The tools, of all pages. */
  listTools(options: RequestOptions = {}): Promise<readonly WireTool[]> {
    return this.#send((client) => client.listTools(options));
  }

  /** The prompts, of all pages. */
  listPrompts(options: RequestOptions = {}): Promise<readonly WirePrompt[]> {
    return this.#send((client) => client.listPrompts(options));
  }

  /** The resources, of all pages. */
  listResources(options: RequestOptions = {}): Promise<readonly WireResource[]> {
    return this.#send((client) => client.listResources(options));
  }

  /** The templates of resources, of all pages. */
  listResourceTemplates(options: RequestOptions = {}): Promise<readonly WireResourceTemplate[]> {
    return this.#send((client) => client.listResourceTemplates(options));
  }

  /**
   * Asks for values of an argument of a prompt or of a template.
   * @param reference `{ type: 'ref/prompt', name }` or `{ type: 'ref/resource', uri }`
   * @param resolved the arguments that are already known
   */
  complete(
    reference: PlainObject,
    argument: { readonly name: string; readonly value: string },
    resolved?: Readonly<Record<string, string>>,
  ): Promise<Completion> {
    return this.#send((client) => client.complete(reference, argument, resolved));
  }

  /** Sends any request, such as one of an extension, and gives the result as it comes. */
  request(method: string, params: PlainObject = {}, options: RequestOptions = {}): Promise<PlainObject> {
    return this.#send((client) => client.request(method, params, options));
  }

  /**
   * Subscribes to changes, which `onNotification` receives.
   * @returns a function that ends the subscription
   */
  subscribe(filter: ChangeFilter): Promise<() => Promise<void>> {
    return this.#send((client) => client.subscribe(filter));
  }

  /** Closes the connection, and ends a server that was started for it. */
  close(): Promise<void> {
    return this.#parts.client.close();
  }

  async #callTask(
    client: McpClient,
    { name, args, options: { version, ...options }, task: { ttl, onStatus } }: TaskRequest,
  ): Promise<CallToolResult> {
    const { questions, place } = this.#parts;
    const result = await callAsTask(client, {
      ...{ name, args, options },
      ...(ttl === undefined ? {} : { ttl }),
      ...(version === undefined ? {} : { meta: { [VERSIONS_META_KEY]: version } }),
      ask: (method, params) => answerQuestion(questions, method, params),
      show: (status, message) => onStatus?.(status, message),
    });
    const fault = resultFault('tools/call', result);
    if (fault !== undefined) throw unusableAnswer(place, 'tools/call', `${fault}.`);
    return result as unknown as CallToolResult;
  }

  /** A server that refuses a request has not done it, so it is sent again once a person has signed in. */
  async #send<Result>(request: (client: McpClient) => Promise<Result>): Promise<Result> {
    const { client, signIn } = this.#parts;
    try {
      return await request(client);
    } catch (error) {
      if (!isUnauthorized(error) || signIn === undefined || !(await signIn())) throw error;
      return request(client);
    }
  }
}

interface TaskRequest {
  readonly name: string;
  readonly args: PlainObject;
  readonly options: Omit<CallOptions, 'task'>;
  readonly task: NonNullable<CallOptions['task']>;
}

/** Whether a server refused a client that is not signed in, or that may not do what it asks. */
export function isUnauthorized(error: unknown): boolean {
  return ToolwrightError.is(error) && error.code === 'TW_CLIENT_UNAUTHORIZED';
}
