import { ApplicationServer } from './application/application-server.ts';
import {
  readOptions,
  registryOptions,
  type ApplicationOptions,
  type ApplicationSettings,
} from './application/application-options.ts';
import { explainChecks, type ExplainedInput } from './application/explain-checks.ts';
import { createExportSource } from './application/bridge/export-source.ts';
import type { ExportedTools } from './application/bridge/tool-bridge.ts';
import type { ExportOptions, ToolExports } from './application/bridge/tool-exports.ts';
import { createNotifier } from './application/create-notifier.ts';
import { createService } from './application/create-service.ts';
import { lazyExports } from './application/lazy-exports.ts';
import type { HttpListenOptions, StdioListenOptions } from './application/listen-options.ts';
import { logWarnings } from './application/log-warnings.ts';
import { surfaceHash } from './application/surface-hash.ts';
import type { CallToolResult } from './call/call-tool-result.ts';
import type { UserDecorator } from './call/user-decorator.ts';
import {
  compileApplication,
  prepareApplication,
  type CompiledApplication,
} from './compile/compile-application.ts';
import { createApplicationModel, type ApplicationModel } from './compile/model/application-model.ts';
import type { ToolDefinition } from './compile/tool-definition.ts';
import type { ApplicationContainer } from './container/application-container.ts';
import { createContainer } from './container/create-container.ts';
import { ProblemList } from './errors/problem-list.ts';
import type { CallFormat } from './formats/calls/call-forms.ts';
import type { DynamicModule } from './metadata/options.ts';
import type { LocalCallOptions } from './runtime/local-exchange.ts';
import type { McpService } from './runtime/mcp-service.ts';
import { Offers } from './runtime/offers.ts';
import { ToolRegistry } from './runtime/tool-registry.ts';
import type { DetachFunction } from './runtime/tool-service.ts';
import { collectApplication } from './scanner/scan-application.ts';
import type { ScannedApplication, ScannedUserRecord } from './scanner/scanned-application.ts';
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
  /** The prompts, which can be switched off and on. */
  readonly prompts: Offers;
  /** The resources and templates, which can be switched off and on. */
  readonly resources: Offers;
  /** Everything that was offered at the start, in the domain model; sealed. */
  readonly model: ApplicationModel;
  readonly #compiled: CompiledApplication;
  readonly #records: readonly ScannedUserRecord[];
  readonly #container: ApplicationContainer;
  readonly #server: ApplicationServer;
  readonly #service: McpService;
  readonly #exports: () => Promise<ToolExports>;
  #closing: Promise<void> | undefined;

  private constructor(
    settings: ApplicationSettings,
    scanned: ScannedApplication,
    container: ApplicationContainer,
    compiled: CompiledApplication,
  ) {
    const registry = new ToolRegistry(registryOptions(settings)).add(compiled.tools);
    const prompts = new Offers('prompt', compiled.prompts);
    const resources = new Offers('resource', compiled.resources);
    const service = createService({ registry, prompts, resources }, settings);
    this.registry = registry;
    this.prompts = prompts;
    this.resources = resources;
    this.model = createApplicationModel(compiled);
    this.#compiled = compiled;
    this.#records = scanned.records;
    this.#container = container;
    this.#service = service;
    this.#server = new ApplicationServer(settings, service, (signal) => this.close(signal));
    this.#exports = lazyExports(
      createExportSource(registry, scanned, container, settings, (tool, args, served) =>
        this.#server.call(tool, args, {}, served),
      ),
    );
    registry.onChange(() => this.#server.notify({ kind: 'tools' }));
    prompts.onChange(() => this.#server.notify({ kind: 'prompts' }));
    resources.onChange(() => this.#server.notify({ kind: 'resources' }));
  }

  /**
   * Makes an application of a module and everything it imports: scan, compile, construct, bind, start.
   * @throws ApplicationError with every problem of the application; ToolwrightError when a provider or hook fails.
   */
  static async create(
    rootModule: Class | DynamicModule,
    options: ApplicationOptions = {},
  ): Promise<McpApplication> {
    const settings = readOptions(rootModule, options);
    const changes = createNotifier();
    const problems = new ProblemList();
    const scanned = collectApplication(
      rootModule,
      { ...settings.scan, notifier: changes.notifier },
      problems,
    );
    const prepared = prepareApplication(scanned, problems);
    problems.throwIfAny(settings.name);
    const container = await createContainer(scanned);
    try {
      const compiled = compileApplication(prepared, container);
      logWarnings(compiled, settings.logger);
      const application = new McpApplication(settings, scanned, container, compiled);
      changes.onChange((change) => application.#server.notify(change));
      await container.start();
      return application;
    } catch (error) {
      throw await container.abandon(error);
    }
  }

  /** The tools that clients see: frozen, in order, without what the filter hides. */
  get definitions(): readonly ToolDefinition[] {
    return this.registry.getTools();
  }

  /** A hash of all that clients see in lists: the same for every start, and another when anything differs. */
  get surfaceHash(): string {
    return surfaceHash(this.#service);
  }

  /**
   * How the inputs of everything that was there at the start are checked: by code made for a DTO class, or by
   * class-validator, and why.
   *
   * @example
   * const slow = app.explain().filter(({ checks }) => checks.some(({ path }) => path === 'class-stack'));
   */
  explain(): readonly ExplainedInput[] {
    return explainChecks(this.#compiled);
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
   * The tools in the form of a model's API, what that form cannot say, and the way back for the model's calls.
   * It is written once, and again when the tools have changed.
   *
   * @throws ConversionError for a tool that the form cannot express at all.
   * @example
   * const { tools, warnings, dispatch } = await app.export('openai', { strict: true });
   */
  async export(format: CallFormat, options: ExportOptions = {}): Promise<ExportedTools> {
    const exports = await this.#exports();
    return exports.export(format, options);
  }

  /**
   * Runs a tool call of a model through validation, middleware and scope. Call and result have the provider's own
   * form; the options are those of the {@link export} that the model was given.
   *
   * @throws ConversionError for what is no call in this form.
   */
  async dispatch(format: CallFormat, call: unknown, options: ExportOptions = {}): Promise<unknown> {
    const exported = await this.export(format, options);
    return exported.dispatch(call);
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
    this.#closing ??= this.#close(signal);
    return this.#closing;
  }

  async #close(signal: string | undefined): Promise<void> {
    try {
      await this.#server.close().finally(() => this.#container.shutdown(signal));
    } finally {
      this.#server.release();
    }
  }
}
