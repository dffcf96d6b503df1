import { adviceOn } from './application/advice.ts';
import type { ListeningOptions } from './application/advice-rule.ts';
import type { ApplicationOptions } from './application/application-options.ts';
import type { ApplicationParts } from './application/assemble-application.ts';
import type { AgentForms, AgentTools, DeferredAgentTools } from './application/bridge/agent-tools.ts';
import type { CodeExport, CodeExportOptions } from './application/bridge/code-export.ts';
import type { ExportedTools } from './application/bridge/tool-bridge.ts';
import type { AgentExportOptions, ExportFormat, ExportOptions } from './application/bridge/tool-exports.ts';
import {
  createSurfaceHash,
  describeInstructions,
  describeSurfaces,
  explainChecks,
  explainViews,
  type DecoratorRecord,
  type ExplainedView,
  type ServedSurface,
} from './application/describe-application.ts';
import { currentHost } from './application/host.ts';
import { describeVariables, type ConfigVariable } from './application/config-module.ts';
import type { HttpListenOptions, StdioListenOptions } from './application/listen-options.ts';
import { consentPages, type ConsentPages } from './app/consent-pages.ts';
import { signIns, signInSetup, type SignIns, type SignInSetup } from './app/sign-ins.ts';
import type { LocalCallOptions } from './runtime/local-calls.ts';
import type { DetachFunction } from './attach/attach-service.ts';
import type { ToolRegistry } from './attach/tool-registry.ts';
import type { UserDecorator } from './call/middleware.ts';
import type { CallToolResult } from './call/results.ts';
import { createApplicationModel, type ApplicationModel } from './compile/application-model.ts';
import type { FittingSurface, SurfaceName } from './compile/surfaces/surface.ts';
import type {
  CompiledToolDefinition,
  ExplainedInput,
  ToolDefinition,
} from './compile/tools/compiled-tool.ts';
import type { ForgetReport, ForgottenPerson } from './application/forget.ts';
import { replaceApplication, type Replacement } from './application/replace-application.ts';
import type { Problem } from './errors/problem-list.ts';
import { rememberCaller } from './errors/toolwright-error.ts';
import type { CallFormat } from './application/bridge/call-forms.ts';
import type { DynamicModule } from './metadata/module-options.ts';
import type { Subject } from './call/request-context.ts';
import type { PrimitiveRegistry } from './runtime/primitives/primitive-registry.ts';
import type { Class, Token } from './shared/class-type.ts';
import { isPlainObject } from './shared/json.ts';
import type { NodeRequest, NodeResponse } from './transports/http/mounted-request.ts';
import type { Working, WorkingOptions } from './application/working.ts';
import type { HttpServing, Serving } from './transports/serving.ts';

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
  readonly prompts: PrimitiveRegistry;
  /** The resources and templates, which can be switched off and on. */
  readonly resources: PrimitiveRegistry;
  readonly #parts: ApplicationParts;
  readonly #surfaceHash: () => string;
  #model: ApplicationModel | undefined;
  #closing: Promise<void> | undefined;

  private constructor(parts: ApplicationParts) {
    this.registry = parts.registry;
    this.prompts = parts.prompts;
    this.resources = parts.resources;
    this.#parts = parts;
    this.#surfaceHash = createSurfaceHash(parts.service);
  }

  /**
   * Makes an application of a module and everything it imports.
   * @throws ApplicationError with every problem of the application; ToolwrightError when a provider or hook fails.
   */
  static async create(
    rootModule: Class | DynamicModule,
    options: ApplicationOptions = {},
  ): Promise<McpApplication> {
    const given = isPlainObject(options) ? { ...options } : options;
    // oxlint-disable-next-line typescript/unbound-method -- it is compared with frames, never called
    const pointAtCaller = rememberCaller(McpApplication.create);
    const { assembleApplication } = await import('./application/assemble-application.ts');
    try {
      const close = (signal?: string): Promise<void> => application.close(signal);
      const parts = await assembleApplication(rootModule, given, close, McpApplication.#predecessor());
      const application = new McpApplication(parts);
      currentHost()?.created(application, rootModule, given);
      return application;
    } catch (error) {
      throw pointAtCaller(error);
    }
  }

  /** The tools that clients see: frozen, in order, without what the filter hides. */
  get definitions(): readonly CompiledToolDefinition[] {
    return this.registry.getTools();
  }

  /** Everything that was offered at the start, in the domain model; sealed. */
  get model(): ApplicationModel {
    return (this.#model ??= createApplicationModel(this.#parts.compiled));
  }

  /** A hash of all that clients see in lists: the same for every start, and another when anything differs. */
  get surfaceHash(): string {
    return this.#surfaceHash();
  }

  /**
   * The surfaces that clients get who choose none, by their names: `own`, or `grouped-by-risk/signatures`.
   *
   * @example
   * const forCodex = Object.values(app.surfaces).find(({ clients }) => clients.includes('codex'));
   */
  get surfaces(): Readonly<Record<string, ServedSurface>> {
    return describeSurfaces(this.#parts);
  }

  /**
   * The tools beside those of groups that a client is listed.
   * @internal
   * @param client what is known of it; undefined where the application does not look at clients
   * @param isFitted whether it is listed what fits it, and not what groups say or what it chose
   */
  toolsBeside(client: FittingSurface | undefined, isFitted: boolean): readonly ToolDefinition[] {
    return this.#parts.service.settings.featureTools?.listed(client, isFitted) ?? [];
  }

  /** The instructions that a client of a surface is given which may see everything. @internal */
  instructionsOn(surface: SurfaceName): string | undefined {
    return describeInstructions(this.#parts, surface);
  }

  /**
   * How the inputs of what was there at the start are checked: by code made for a DTO class, or by class-validator.
   *
   * @example
   * const slow = app.explain().filter(({ checks }) => checks.some(({ path }) => path === 'class-stack'));
   */
  explain(): readonly ExplainedInput[] {
    return explainChecks(this.#parts.compiled);
  }

  /** The environment variables that its ConfigModules read. @internal */
  get variables(): readonly ConfigVariable[] {
    return describeVariables(this.#parts.scanned);
  }

  /** Every use of a decorator made by `createDecorator`, in order of modules, classes and members. */
  records<T>(decorator: UserDecorator<T>): readonly DecoratorRecord<T>[] {
    return this.#parts.scanned.records.filter(
      (record) => record.decorator === decorator,
    ) as readonly DecoratorRecord<T>[];
  }

  /** The instance of a singleton. @throws ToolwrightError for an unknown token and for request-scoped ones. */
  get<T>(token: Token<T>): T {
    return this.#parts.container.lookUp(token) as T;
  }

  /**
   * Calls a tool from inside the process, through validation, middleware and request scope.
   * It resolves to an error result where a client would get one.
   *
   * @throws ToolwrightError TW_APPLICATION_OPTION
   */
  call(tool: string, args?: unknown, options?: LocalCallOptions): Promise<CallToolResult> {
    return this.#parts.server.localCalls.call(tool, args, options);
  }

  /**
   * The tools in the form of a model's API, what that form cannot say, and the way back for the model's calls.
   *
   * @throws ConversionError for a tool that the form cannot express at all.
   * @example
   * const { tools, warnings, dispatch } = await app.export('openai', { strict: true });
   */
  export(format: CallFormat, options?: ExportOptions): Promise<ExportedTools>;
  /**
   * The tools as a library for agents takes them, without an import of it. `authInfo` is the caller: what is hidden from a
   * person is hidden from their agent, and calls run for this caller. Actions with `@Destructive({ confirm })` need an
   * approval there.
   *
   * @throws ToolwrightError TW_APPLICATION_OPTION
   * @throws ConversionError for a tool that the form cannot express at all.
   * @example
   * const { tools } = await app.export('ai-sdk', { surface: 'flat' });
   * // generateText({ model, tools, prompt })
   */
  export<Format extends keyof AgentForms>(
    format: Format,
    options?: AgentExportOptions,
  ): Promise<AgentTools<AgentForms[Format]>>;
  /**
   * The tools for an agent of the OpenAI Agents SDK that searches for them, by groups.
   *
   * @throws ToolwrightError TW_APPLICATION_OPTION
   * @example
   * const { tools, namespaces } = await app.export('openai-agents', { deferred: true });
   * // new Agent({ tools: [toolSearchTool(), ...tools, ...namespaces.flatMap((each) => toolNamespace(each))] })
   */
  export(
    format: 'openai-agents',
    options: AgentExportOptions & { readonly deferred: true },
  ): Promise<DeferredAgentTools>;
  /**
   * Typed declarations of the actions that the caller may see, for a model that writes code, and what runs the calls of that
   * code. To run the code itself is up to you.
   *
   * @throws ToolwrightError TW_APPLICATION_OPTION
   * @example
   * const { declarations, call } = await app.export('code');
   */
  export(format: 'code', options?: CodeExportOptions): Promise<CodeExport>;
  async export(format: ExportFormat, options?: ExportOptions & CodeExportOptions): Promise<unknown> {
    return (await this.#parts.exports()).export(format, options);
  }

  /**
   * Runs a tool call of a model, in the provider's own form; the options are those of the {@link export} it was given.
   *
   * @throws ConversionError for what is not a call in this form.
   */
  async dispatch(format: CallFormat, call: unknown, options: ExportOptions = {}): Promise<unknown> {
    return (await (await this.#parts.exports()).exportTools(format, options)).dispatch(call);
  }

  /**
   * Serves the tools on your own MCP server, a `Server` or `McpServer` of the official SDK.
   * @returns a function that ends it
   * @throws ToolwrightError TW_ATTACH_TARGET when the target is not a server.
   */
  attach(server: unknown): DetachFunction {
    return this.#parts.server.attach(server);
  }

  /** Serves over Streamable HTTP at `/mcp`; a number is the port, 0 lets the system choose. */
  listen(options: number | HttpListenOptions): Promise<HttpServing> {
    const given = typeof options === 'number' ? { port: options } : options;
    const open = (chosen: HttpListenOptions): Promise<HttpServing> => this.#parts.server.listen(chosen);
    return currentHost()?.listen(this, given, open) ?? open(given);
  }

  /**
   * Serves over stdin and stdout; what else is written to stdout goes to stderr. It closes when the client closes stdin.
   */
  stdio(options: StdioListenOptions = {}): Promise<Serving> {
    const open = (chosen: StdioListenOptions): Promise<Serving> => this.#parts.server.stdio(chosen);
    return currentHost()?.stdio(this, options, open) ?? open(options);
  }

  /**
   * Answers one request of Streamable HTTP, without sessions; for runtimes that speak `fetch`.
   *
   * @example
   * export default { fetch: app.fetch };
   */
  readonly fetch = (request: Request): Promise<Response> => this.#parts.server.mounted.fetch(request);

  /**
   * Answers one request of `node:http` that a server of yours accepted: in Express, Fastify, NestJS and others. A body
   * that was parsed already is found at `request.body`, or handed over. It serves as {@link fetch} does.
   *
   * @throws ToolwrightError TW_SERVER_MOUNT for what is not a request and response of `node:http`.
   * @example
   * import { createServer } from 'node:http';
   * createServer((request, response) => void app.node(request, response)).listen(3000);
   */
  readonly node = (request: NodeRequest, response: NodeResponse, parsedBody?: unknown): Promise<void> =>
    this.#parts.server.mounted.node(request, response, parsedBody);

  /**
   * Runs the tasks of queues here, those of `@Action({ task: { queue } })`, with or without serving clients.
   * @throws ToolwrightError TW_APPLICATION_OPTION for a queue that no action has.
   * @example
   * const worker = await app.work({ queues: ['reports'], concurrency: 2 });
   */
  work(options: WorkingOptions = {}): Promise<Working> {
    const open = (chosen: WorkingOptions): Promise<Working> => this.#parts.server.work(chosen, this.registry);
    return currentHost()?.work?.(this, options, open) ?? open(options);
  }

  /** Serves over a transport of the official SDK. */
  connect(transport: object): Promise<Serving> {
    return this.#parts.server.connect(transport);
  }

  /** Whether all calls ended by themselves when it closed: false after the `drainTimeout`, undefined before. */
  get isDrained(): boolean | undefined {
    return this.#parts.server.isDrained;
  }

  /**
   * The calls that wait until a person agrees on a page of the application.
   *
   * @example
   * const isGranted = await app.consent.grant('an-id', { issuer: 'https://issuer.example', sub: 'ada' });
   */
  get consent(): ConsentPages {
    return consentPages(this.#parts.service.settings.states);
  }

  /**
   * What people have signed in to with `auth.signIn`, and how it ends.
   * @throws ToolwrightError TW_APPLICATION_OPTION without the option
   * @example
   * const ended = await app.signIn.end({ sub: 'ada' });
   */
  get signIn(): SignIns {
    return signIns(this.#parts.service.settings.states);
  }

  /**
   * What has to be entered at the provider: `toolwright doctor` says it, and lets everybody in while it looks.
   * @internal
   */
  get signInSetup(): SignInSetup | undefined {
    return signInSetup(this.#parts.settings.auth);
  }

  /**
   * Notifies clients, of one subject or all, that what they may see has changed. Policies are asked again from now on.
   *
   * @example
   * app.notifyViews({ issuer: 'https://issuer.example', clientId: 'desk', sub: 'ada', tenant: undefined });
   */
  notifyViews(subject?: Subject): void {
    this.#parts.server.notify({ kind: 'views', subject });
  }

  /**
   * Removes what is kept of a person in all stores but that of the audit, and ends their calls and connections.
   * @throws ToolwrightError TW_FORGET_INCOMPLETE where a store fails: call it again then.
   * @example
   * const { removed } = await app.forget({ issuer: 'https://issuer.example', subject: 'ada' });
   */
  forget(person: ForgottenPerson): Promise<ForgetReport> {
    return this.#parts.forgetting.forget(person);
  }

  /**
   * What callers see, once for each set of requirements that some of them met lately. Views are made when they are
   * needed first, and a limited number is kept.
   *
   * @example
   * const names = app.explainViews().map(({ met, tools }) => `${met.join(', ')}: ${tools.join(', ')}`);
   */
  explainViews(): readonly ExplainedView[] {
    return explainViews(this.#parts.service);
  }

  /**
   * What works and could be better, or looks unsafe, or is refused by known clients: `toolwright check` shows it. The application
   * serves all the same. The codes of what is only good to know begin with `TW_NOTE_`.
   * @param listening how it is served over HTTP; unless given, there is no advice about it
   * @example
   * const advice = app.advice({ host: '0.0.0.0' }).map(({ code, where }) => `${code} ${where}`);
   */
  advice(listening?: ListeningOptions): readonly Problem[] {
    return adviceOn(this.#parts, listening);
  }

  /**
   * Lets another application answer on all connections of this one: listening sockets, sessions, stdio and subscriptions
   * stay, and clients are notified of the lists that differ. What runs finishes here; close this application after that.
   *
   * @throws ToolwrightError TW_APPLICATION_CLOSED, or TW_APPLICATION_OPTION if the other one serves already.
   * @example
   * const { finished } = app.replaceWith(await McpApplication.create(AppModule));
   * await finished;
   * await app.close();
   */
  replaceWith(next: McpApplication): Replacement {
    return replaceApplication(this.#parts, next.#parts);
  }

  /** Refuses new calls, lets running ones finish, ends all connections, then runs the shutdown hooks; once. */
  close(signal?: string): Promise<void> {
    return (this.#closing ??= this.#close(signal));
  }

  /** Undefined also for an application of another copy of the package, whose instances are of other classes. */
  static #predecessor(): ApplicationParts | undefined {
    const { predecessor } = currentHost() ?? {};
    return predecessor !== undefined && #parts in predecessor ? predecessor.#parts : undefined;
  }

  async #close(signal: string | undefined): Promise<void> {
    const { server, container } = this.#parts;
    try {
      await server.close(signal);
    } finally {
      try {
        await container.shutdown(signal);
      } finally {
        await server.release();
      }
    }
  }
}
