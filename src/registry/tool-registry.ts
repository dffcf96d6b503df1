import { currentSecrets } from '../runtime/replay/replay-engine.ts';
import { registeredSecrets } from '../runtime/logging/call-secrets.ts';
import { subjectHasher } from '../runtime/logging/log-records.ts';
import { MAX_ARGUMENT_NODES } from '../kernel/call/request-params.ts';
import type { CallOptions, RouteOptions } from '../runtime/routes/route-options.ts';
import { plainRequestContext, type RequestContext } from '../call/request-context.ts';
import type { Logger } from '../call/logger.ts';
import type { CallToolResult } from '../call/results.ts';
import {
  actionsOf,
  type ActionMetadata,
  type CompiledToolDefinition,
} from '../compile/tools/compiled-tool.ts';
import { listSurface, type SurfaceTool } from '../compile/surfaces/list-surface.ts';
import { createSurfacedService } from '../runtime/tools/surfaced-tools.ts';
import { fitSurface, formTools, offerSurfaces } from '../compile/surfaces/fit-surface.ts';
import {
  createSurface,
  type FittingSurface,
  type Surface,
  type SurfaceName,
} from '../compile/surfaces/surface.ts';
import type { ToolSet } from '../compile/tools/compile-tool-set.ts';
import { copyFilter, type ToolFilter } from '../compile/tools/tool-filter.ts';
import type { ContextFactory } from '../runtime/tools/context-factory.ts';
import { createService, type McpService } from '../runtime/service.ts';
import { callLocally } from '../runtime/local-calls.ts';
import { brokenCall } from '../runtime/tools/call-failures.ts';
import type { ToolService } from '../runtime/routes/service-parts.ts';
import {
  nameUnknown,
  notRegistrable,
  ToolEntry,
  ToolViews,
  type ToolView,
} from '../runtime/tools/tool-view.ts';
import {
  checkAttachOptions,
  checkRegistryOptions,
  loggerOf,
  registrySettings,
  type AttachOptions,
  type ToolDefaults,
  type ToolRegistryOptions,
} from './registry-options.ts';
import type { ServiceSettings } from '../runtime/routes/route.ts';
import { createToolService } from '../runtime/tools/tools.ts';

/** The key of the method by which a registry builds a tool; not for users' code. */
export const TOOL_SET: unique symbol = Symbol.for('toolwright:tool-set') as never;

/** A built tool, as a registry stores it. The registry reads the rest of it. */
export interface BuiltTool {
  /** The name of the tool. */
  readonly name: string;
}

/** Anything that a registry can register: a `GroupedToolBuilder`. */
export interface RegistrableTool {
  /** Builds the tool with the defaults of the registry. Only registries call it. */
  [TOOL_SET](defaults: ToolDefaults): BuiltTool;
}

/** Tools by name, in the order they were registered: a `ToolRegistry` without the servers it is attached to. */
export class RegisteredTools {
  readonly #defaults: ToolDefaults;
  readonly #route: RouteOptions;
  readonly #contextFactory: ContextFactory | undefined;
  readonly #defaultContext: (() => unknown) | undefined;
  readonly #views: ToolViews;
  /** By what a filter leaves, and by what makes the contexts. */
  readonly #services = new WeakMap<ToolView, WeakMap<ContextFactory, McpService>>();
  readonly #listeners = new Set<() => void>();
  /** @internal What its services have in common. */
  readonly settings: ServiceSettings;

  /** @throws ToolwrightError TW_REGISTRY_OPTION */
  constructor(options?: ToolRegistryOptions);
  /** @internal @param settings of the application that the registry belongs to */
  // The declarations for users leave this one out
  // oxlint-disable-next-line typescript/unified-signatures
  constructor(options?: ToolRegistryOptions, settings?: ServiceSettings);
  /** Creates a registry without servers. */
  constructor(options: ToolRegistryOptions = {}, settings?: ServiceSettings) {
    // Those of an application are checked with all of its options
    if (settings === undefined) checkRegistryOptions(options);
    const { maskErrors = false, logger, filter = {} } = options;
    const { unknownFields, expose, separator, limits } = options;
    // Those of an application grow
    const own = registeredSecrets(options);
    const hidden = settings?.hidden ?? own;
    const safe = loggerOf(logger, hidden);
    const sealing = settings === undefined ? withSecrets(options, safe, own) : options;
    this.#defaults = Object.freeze({ unknownFields, expose, separator, limits });
    this.#views = new ToolViews(copyFilter(filter), settings?.surfaces);
    this.#contextFactory = options.contextFactory;
    this.#defaultContext = options.defaultContext;
    this.#route = Object.freeze({
      maskErrors,
      logger: safe,
      hidden,
      hashSubject: subjectHasher(sealing),
      argumentNodes: limits?.argumentNodes ?? MAX_ARGUMENT_NODES,
    });
    this.settings = settings ?? registrySettings(sealing, this.#route);
  }

  /** Builds a tool and adds it. @throws ToolwrightError when the name is taken or the build fails. */
  register(tool: RegistrableTool): this {
    return this.registerAll(tool);
  }

  /** Builds and adds all of the tools, or none of them. */
  registerAll(...tools: readonly RegistrableTool[]): this {
    return this.add(tools.map((tool) => this.#setOf(tool)));
  }

  /** @internal Adds tools that are compiled already: all of them, or none. */
  add(sets: readonly ToolSet[]): this {
    this.#change([...this.#views.entries, ...sets.map((set) => new ToolEntry(set))]);
    return this;
  }

  /**
   * @internal Has the tools of another registry in other forms: what is off there, or not there any more, is so here.
   * @param forms by the tools of the other registry. Tools without one are left out
   */
  follow(other: RegisteredTools, forms: ReadonlyMap<ToolSet, ToolSet>): this {
    const copy = (): void => {
      this.#change(
        other.#views.entries.flatMap((entry) => {
          const form = forms.get(entry.set);
          return form === undefined ? [] : [entry.as(form)];
        }),
      );
    };
    copy();
    other.onChange(copy);
    return this;
  }

  /**
   * Replaces the tool of the same name, and notifies connected clients.
   * @throws ToolwrightError TW_REGISTRY_NAME_UNKNOWN when there is none.
   */
  replace(tool: RegistrableTool): this {
    const set = this.#setOf(tool);
    return this.#exchange(set.name, () => new ToolEntry(set));
  }

  /** Takes a tool away; false when there is none of that name. */
  unregister(name: string): boolean {
    const rest = this.#views.entries.filter((entry) => entry.name !== name);
    if (rest.length === this.#views.entries.length) return false;
    this.#change(rest);
    return true;
  }

  /** Hides a tool, or only the given actions of it, from the list and from calls, until they are enabled. */
  disable(name: string, ...actions: readonly string[]): this {
    return this.#exchange(name, (entry) => entry.disable(actions));
  }

  /** Ends what {@link disable} began, for the whole tool or only the given actions. */
  enable(name: string, ...actions: readonly string[]): this {
    return this.#exchange(name, (entry) => entry.enable(actions));
  }

  /** Whether a tool of this name is listed. */
  has(name: string): boolean {
    return this.#views.of(undefined).tools.has(name);
  }

  /** How many tools are listed. */
  get size(): number {
    return this.#views.of(undefined).names.length;
  }

  /** Takes all tools away. */
  clear(): void {
    this.#change([]);
  }

  /** The definitions of all listed tools. */
  getAllTools(): readonly CompiledToolDefinition[] {
    return this.getTools();
  }

  /** The definitions that a filter leaves; of a tool with hidden actions, what is left of it. */
  getTools(filter?: ToolFilter): readonly CompiledToolDefinition[] {
    return this.#views.of(filter).definitions;
  }

  /**
   * What there is to know of each action of a listed tool: key, group, marks, required fields.
   * @throws ToolwrightError TW_REGISTRY_NAME_UNKNOWN for a tool that is not listed.
   * @example
   * const risky = app.registry.getActionMetadata('tasks').filter(({ destructive }) => destructive);
   */
  getActionMetadata(name: string, filter?: ToolFilter): readonly ActionMetadata[] {
    const view = this.#views.of(filter);
    const tool = view.tools.get(name);
    if (tool === undefined) throw nameUnknown(name, view.names);
    return actionsOf(tool);
  }

  /** Routes a call by the tool's name. It never rejects: every failure is a result. */
  async routeCall(
    name: string,
    args?: unknown,
    context?: unknown,
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    const { filter, version } = options;
    const contextOf = (): unknown => context ?? this.#defaultContext?.();
    try {
      const service = this.#serviceOf(filter, givenContext, givenContext);
      return await callLocally(
        service,
        name,
        args,
        version === undefined ? {} : { version },
        'local',
        contextOf,
      );
    } catch (thrown) {
      return brokenCall(name, thrown, undefined, this.#route);
    }
  }

  /** @internal What serves the tools to the clients of an application. @param checksOnly see {@link ServedTools} */
  toolsWith(contextOf: ContextFactory, checksOnly = false): ToolService {
    const served = { ...this.#route, views: this.#views, filter: undefined, contextOf, checksOnly };
    const { surfaces } = this.settings;
    return surfaces === undefined ? createToolService(served) : createSurfacedService(served, surfaces);
  }

  /** @internal All that is registered, whether it is listed or not. */
  get sets(): readonly ToolSet[] {
    return this.#views.entries.map(({ set }) => set);
  }

  /**
   * @internal The surface of a client that chooses none; undefined for `own`.
   * @param fit what fits it, where the application looks at clients. Default: it is not known
   */
  surfaceFor(fit?: FittingSurface): Surface | undefined {
    const { surfaces } = this.settings;
    if (surfaces === undefined) return undefined;
    const known = surfaces.fitting && (fit ?? surfaces.fitting.find({}));
    if (known === undefined) return surfaces.all.get(surfaces.use);
    return fitSurface(known, formTools(this.sets), surfaces);
  }

  /** @internal The surfaces that clients get who choose none, with the ids of the known clients that get them. */
  get offered(): ReadonlyMap<Surface | undefined, readonly string[]> {
    return offerSurfaces(formTools(this.sets), this.settings.surfaces);
  }

  /** @internal A surface by its name, also where no client can get it; undefined for `own`. */
  surfaceNamed(name: SurfaceName): Surface | undefined {
    return this.settings.surfaces?.all.get(name) ?? createSurface(name);
  }

  /** @internal What is listed on a surface to callers who may see everything. */
  listed(surface: Surface | undefined): readonly SurfaceTool[] {
    return listSurface(this.sets, surface);
  }

  /** @internal The service that an attached server is given. */
  serviceOf(options: AttachOptions): McpService {
    checkAttachOptions(options);
    const { contextFactory = this.#contextFactory } = options;
    // What is left is compiled now, and not with the first request
    const filter = options.filter && this.#views.check(options.filter);
    const contextOf: ContextFactory | undefined =
      contextFactory && ((_extra, request) => contextFactory(request.raw, plainRequestContext(request)));
    return this.#serviceOf(filter, contextFactory ?? withoutContext, contextOf);
  }

  /** Calls the listener after every change of the tools; the returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The routes are compiled once, however many servers and calls they serve. */
  #serviceOf(
    filter: ToolFilter | undefined,
    key: ContextFactory,
    contextOf: ContextFactory | undefined,
  ): McpService {
    const view = this.#views.of(filter);
    const services = this.#services.get(view) ?? new WeakMap<ContextFactory, McpService>();
    this.#services.set(view, services);
    const known = services.get(key);
    if (known !== undefined) return known;
    const tools = createToolService({ ...this.#route, views: this.#views, filter, contextOf });
    const parts = { tools, prompts: undefined, resources: undefined, completions: undefined };
    const service = createService(parts, this.settings, this.#route.logger);
    services.set(key, service);
    return service;
  }

  #setOf(tool: Partial<RegistrableTool> | undefined): ToolSet {
    const build = tool?.[TOOL_SET];
    if (tool === undefined || build === undefined) throw notRegistrable();
    // Only the builders of this package can build a tool
    return build.call(tool, this.#defaults) as ToolSet;
  }

  #exchange(name: string, change: (entry: ToolEntry) => ToolEntry): this {
    if (!this.#views.entries.some((entry) => entry.name === name))
      throw nameUnknown(
        name,
        this.#views.entries.map((entry) => entry.name),
      );
    this.#change(this.#views.entries.map((entry) => (entry.name === name ? change(entry) : entry)));
    return this;
  }

  #change(entries: readonly ToolEntry[]): void {
    this.#views.entries = entries;
    for (const listener of this.#listeners) listener();
  }
}

function givenContext(_extra: unknown, { raw }: RequestContext): unknown {
  return (raw as () => unknown)();
}

function withoutContext(): undefined {
  return undefined;
}

function withSecrets(options: ToolRegistryOptions, logger: Logger, hidden: string[]): ToolRegistryOptions {
  const secrets = currentSecrets(options.secrets, { logger, hidden });
  return secrets === undefined ? options : { ...options, secrets };
}
