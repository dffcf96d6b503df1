import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import {
  McpApplication,
  type ApplicationOptions,
  type CallToolResult,
  type Class,
  type DynamicModule,
  type LocalCallOptions,
  type Token,
  type ToolDefinition,
} from '../index.ts';
import { OnceMade } from '../shared/once-made.ts';
import { createTestClient, signedTransport, type TestClientOptions } from './test-client.ts';

/** An application for tests: called directly, or through a real client over an in-memory transport. */
export class TestApplication {
  readonly app: McpApplication;
  readonly #client = new OnceMade(() => this.connect());

  constructor(app: McpApplication) {
    this.app = app;
  }

  /** Calls a tool inside the process, through the whole pipeline. */
  call(tool: string, args?: unknown, options?: LocalCallOptions): Promise<CallToolResult> {
    return this.app.call(tool, args, options);
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

/**
 * Creates an application for a test; providers are replaced by `overrides`. Handlers run from their start after each
 * answer to a question, as they do for clients of 2026-07-28; `replay: false` lets them wait for it. Errors are not
 * masked, unless `maskErrors` says so.
 *
 * @example
 * const test = await createTestApplication(AppModule, { overrides: [{ provide: Clock, useValue: fixedClock }] });
 * const result = await test.call('tasks', { action: 'list' });
 * await test.close();
 */
export async function createTestApplication(
  rootModule: Class | DynamicModule,
  options: ApplicationOptions = {},
): Promise<TestApplication> {
  return new TestApplication(
    await McpApplication.create(rootModule, { replay: true, maskErrors: false, ...options }),
  );
}
