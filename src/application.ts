import { ApplicationServer } from './application/application-server.ts';
import {
  readOptions,
  type ApplicationOptions,
  type ApplicationSettings,
} from './application/application-options.ts';
import { logWarnings } from './application/log-warnings.ts';
import type { CallToolResult } from './call/call-tool-result.ts';
import type { UserDecorator } from './call/user-decorator.ts';
import { compileApplication } from './compile/compile-application.ts';
import type { ToolDefinition } from './compile/tool-definition.ts';
import type { ApplicationContainer } from './container/application-container.ts';
import { createContainer } from './container/create-container.ts';
import type { DynamicModule } from './metadata/options.ts';
import type { LocalCallOptions } from './runtime/local-exchange.ts';
import { ToolRegistry } from './runtime/tool-registry.ts';
import type { DetachFunction } from './runtime/tool-service.ts';
import { scanApplication } from './scanner/scan-application.ts';
import type { ScannedUserRecord } from './scanner/scanned-application.ts';
import type { HttpListenOptions, StdioListenOptions } from './application/listen-options.ts';
import type { HttpServing, Serving } from './server/serving.ts';
import type { Class } from './shared/class-type.ts';
import type { Token } from './shared/token.ts';

/** One use of a decorator made by `createDecorator`. */
export interface DecoratorRecord<T> extends ScannedUserRecord {
  readonly value: T;
}

/**
 * An application that is ready to serve: decorated classes, compiled once into frozen tools.
 *
 * @example
 * const app = await McpApplication.create(AppModule, { name: 'tasks', version: '1.0.0' });
 * const { url } = await app.listen(3000);
 */
export class McpApplication {
  /** The tools; what is registered here later is served as well. */
  readonly registry: ToolRegistry;
  readonly #settings: ApplicationSettings;
  readonly #records: readonly ScannedUserRecord[];
  readonly #container: ApplicationContainer;
  readonly #server: ApplicationServer;
  #closing: Promise<void> | undefined;

  private constructor(
    settings: ApplicationSettings,
    records: readonly ScannedUserRecord[],
    container: ApplicationContainer,
    registry: ToolRegistry,
  ) {
    this.registry = registry;
    this.#settings = settings;
    this.#records = records;
    this.#container = container;
    this.#server = new ApplicationServer(settings, registry, (signal) => this.close(signal));
  }

  /**
   * Makes an application of a module and everything it imports.
   * @throws ApplicationError with every problem of the application; ToolwrightError when a provider or hook fails.
   */
  static async create(
    rootModule: Class | DynamicModule,
    options: ApplicationOptions = {},
  ): Promise<McpApplication> {
    const settings = readOptions(rootModule, options);
    const scanned = scanApplication(rootModule, settings.scan);
    const container = await createContainer(scanned);
    const registry = new ToolRegistry(settings);
    try {
      const sets = compileApplication(settings.name, scanned.tools, container);
      logWarnings(sets, settings.logger);
      registry.add(sets);
    } catch (error) {
      throw await container.abandon(error);
    }
    await container.start();
    return new McpApplication(settings, scanned.records, container, registry);
  }

  /** What clients see: frozen, in order, without what the filter hides. */
  get definitions(): readonly ToolDefinition[] {
    return this.registry.getTools(this.#settings.filter);
  }

  /** Every use of a decorator made by `createDecorator`, in order of modules, classes and members. */
  records<T>(decorator: UserDecorator<T>): readonly DecoratorRecord<T>[] {
    return this.#records.filter((record) => record.decorator === decorator) as readonly DecoratorRecord<T>[];
  }

  /** The instance of a singleton. @throws ToolwrightError for an unknown token and for request-scoped ones. */
  get<T>(token: Token<T>): T {
    return this.#container.lookUp(token) as T;
  }

  /**
   * Calls a tool from inside the process, through validation, middleware and request scope.
   * It resolves to an error result where a client would get one.
   */
  call(tool: string, args?: unknown, options: LocalCallOptions = {}): Promise<CallToolResult> {
    return this.#server.call(tool, args, options);
  }

  /**
   * Serves the tools on your own MCP server, a `Server` or `McpServer` of the official SDK.
   * @returns a function that ends it
   * @throws ToolwrightError TW_ATTACH_TARGET when the target is no server.
   */
  attach(server: unknown): DetachFunction {
    return this.#server.attach(server);
  }

  /** Serves over Streamable HTTP at `/mcp`; a number is the port, 0 lets the system choose. */
  listen(options: number | HttpListenOptions): Promise<HttpServing> {
    return this.#server.listen(typeof options === 'number' ? { port: options } : options);
  }

  /**
   * Serves over stdin and stdout; everything else that is written to stdout goes to stderr.
   * When the client closes stdin and nothing else is served, the application closes.
   */
  stdio(options: StdioListenOptions = {}): Promise<Serving> {
    return this.#server.stdio(options);
  }

  /**
   * Answers one request of Streamable HTTP, without sessions; for runtimes that speak `fetch`.
   *
   * @example
   * export default { fetch: app.fetch };
   */
  readonly fetch = (request: Request): Promise<Response> => this.#server.fetch(request);

  /** Serves over a transport of the official SDK, such as one half of an in-memory pair. */
  connect(transport: object): Promise<Serving> {
    return this.#server.connect(transport);
  }

  /**
   * Refuses new calls, lets running ones finish, ends all connections, then runs the shutdown hooks.
   * Calling it again gives the same promise.
   */
  close(signal?: string): Promise<void> {
    this.#closing ??= this.#server.close().then(() => this.#container.shutdown(signal));
    return this.#closing;
  }
}
