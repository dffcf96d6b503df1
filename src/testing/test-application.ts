import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type CreateMessageRequest,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import {
  McpApplication,
  type ApplicationOptions,
  type CallToolResult,
  type Class,
  type CompiledToolDefinition,
  type DynamicModule,
  type JsonSchema,
  type LocalCallOptions,
  type Token,
  type ToolDefinition,
  type AuthInfo,
  type Root,
} from '../index.ts';
import { OnceMade } from '../shared/once-made.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { aFunction, type OptionRules, authRule, headersRule, rootsRule } from '../shared/option-rules.ts';

/** An application for tests: called directly, or through a real client over an in-memory transport. */
export class TestApplication {
  /** The application that is tested. */
  readonly app: McpApplication;
  readonly #client = new OnceMade(() => this.connect());

  /** `createTestApplication` creates it. */
  constructor(app: McpApplication) {
    this.app = app;
  }

  /**
   * Calls a tool, or an action by its tool and its key, inside the process and through the whole pipeline.
   *
   * @example
   * const test = await createTestApplication(AppModule);
   * const result = await test.call('tasks.create', { title: 'write' });
   */
  call(name: string, args?: unknown, options?: LocalCallOptions): Promise<CallToolResult> {
    const { tool, fields } = findTool(this.app.definitions, name);
    const given = fields === undefined ? args : { ...(args as object | undefined), ...fields };
    return this.app.call(tool, given, options);
  }

  /** The tools as a client lists them, asked for through {@link client}. */
  async listTools(): Promise<readonly ToolDefinition[]> {
    const { tools } = await (await this.client()).listTools();
    return tools as readonly ToolDefinition[];
  }

  /** The official client, connected; the same one each time. */
  client(): Promise<Client> {
    return this.#client.get();
  }

  /**
   * A further client with a connection of its own: signed in, with headers, and with answers to what handlers ask it.
   *
   * @throws ToolwrightError TW_TESTING_OPTION
   * @example
   * const test = await createTestApplication(AppModule);
   * const client = await test.connect({
   *   authInfo: { token: 'test', clientId: 'editor', scopes: ['tasks:write'], extra: { roles: ['admin'] } },
   *   headers: { 'x-tenant': 'acme' },
   *   onElicitation: () => ({ action: 'decline' }),
   * });
   */
  async connect(options: TestClientOptions = {}): Promise<Client> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = createTestClient(options);
    await this.app.connect(signedTransport(far, options));
    await client.connect(near);
    return client;
  }

  /** The instance that the application has for a token. */
  get<T>(token: Token<T>): T {
    return this.app.get(token);
  }

  /** Closes the client and the application. */
  async close(): Promise<void> {
    try {
      await (await this.#client.current)?.close();
    } finally {
      await this.app.close();
    }
  }
}

/** The tool of a name, and for `tasks.create` the argument that says which action runs. */
function findTool(
  definitions: readonly CompiledToolDefinition[],
  name: string,
): { readonly tool: string; readonly fields?: Readonly<Record<string, string>> } {
  if (definitions.some((each) => each.name === name)) return { tool: name };
  const found = definitions.find((each) => name.startsWith(`${each.name}.`));
  if (found === undefined) return { tool: name };
  const discriminator = discriminatorIn(found);
  if (discriminator === undefined) return { tool: name };
  return { tool: found.name, fields: { [discriminator]: name.slice(found.name.length + 1) } };
}

/** The argument that takes the keys of the actions, and nothing else. */
function discriminatorIn({ inputSchema, actions }: CompiledToolDefinition): string | undefined {
  const keys = new Set(actions().map(({ key }) => key));
  const takesKeys = ({ enum: several, const: only }: JsonSchema): boolean => {
    const values = new Set<unknown>(several ?? [only]);
    return values.size === keys.size && [...keys].every((key) => values.has(key));
  };
  return Object.entries(inputSchema.properties ?? {}).find(([, schema]) => takesKeys(schema))?.[0];
}

/** Options of `createTestApplication`: those of `McpApplication.create`, with other defaults. */
export interface TestApplicationOptions extends ApplicationOptions {
  /**
   * Runs a handler again after each answer to a question, as clients of 2026-07-28 make it run. With `false` it waits
   * for the answer. Default true.
   */
  readonly replay?: boolean;
  /** Replaces the text of errors that are not meant for clients with a reference id. Default false. */
  readonly maskErrors?: boolean;
}

/**
 * Creates an application for a test; `overrides` replaces providers.
 *
 * @example
 * const test = await createTestApplication(AppModule, { overrides: [{ provide: Clock, useValue: fixedClock }] });
 * const result = await test.call('tasks', { action: 'list' });
 * await test.close();
 */
export async function createTestApplication(
  rootModule: Class | DynamicModule,
  options: TestApplicationOptions = {},
): Promise<TestApplication> {
  return new TestApplication(
    await McpApplication.create(rootModule, { replay: true, maskErrors: false, ...options }),
  );
}

/**
 * The identity of a test client, and its handlers for questions; it declares exactly the capabilities of the
 * handlers given here.
 */
export interface TestClientOptions {
  /** The caller of every request, as the `authenticate` option of `listen` would determine it. */
  readonly authInfo?: AuthInfo;
  /** The headers that handlers and middleware read; those of the protocol are not among them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers forms and URLs. */
  readonly onElicitation?: (question: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;
  /** Answers for the client's model. Without it the client cannot sample. */
  readonly onSampling?: (request: CreateMessageRequest['params']) => SamplingAnswer | Promise<SamplingAnswer>;
  /** The roots of the client. Without them the client has none to offer. */
  readonly roots?: readonly Root[];
}

/** The output of the client's model. */
export type SamplingAnswer = CreateMessageResult | CreateMessageResultWithTools;

export const TEST_CLIENT_RULES: OptionRules<TestClientOptions> = {
  authInfo: authRule,
  headers: headersRule,
  onElicitation: aFunction,
  onSampling: aFunction,
  roots: rootsRule,
};

/** The official client, with capabilities and handlers for what it can be asked for. */
function createTestClient(options: TestClientOptions): Client {
  refuseOptions('TW_TESTING_OPTION', 'connect()', options, TEST_CLIENT_RULES);
  const { onElicitation, onSampling, roots } = options;
  const capabilities = {
    ...(onElicitation === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(onSampling === undefined ? {} : { sampling: { tools: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
  const client = new Client({ name: 'toolwright-test-client', version: '1.0.0' }, { capabilities });
  if (onElicitation !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => onElicitation(params));
  }
  if (onSampling !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => onSampling(params));
  }
  if (roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((root) => ({ ...root })) }));
  }
  return client;
}

/** The server's half of a pair; adds the identity of the sender to every message. */
function signedTransport(
  inner: Transport,
  { authInfo, headers = {} }: Pick<TestClientOptions, 'authInfo' | 'headers'>,
): Transport {
  const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const extra = {
    ...(authInfo === undefined ? {} : { authInfo: authInfo as never }),
    ...(names.length === 0 ? {} : { requestInfo: { headers: Object.fromEntries(names) } }),
  };
  const signed: Transport = {
    start: () => {
      inner.onmessage = (message) => signed.onmessage?.(message, extra);
      inner.onclose = () => signed.onclose?.();
      inner.onerror = (error) => signed.onerror?.(error);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  };
  return signed;
}
