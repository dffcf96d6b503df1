import { type CallExchange, plainExchange } from '../call/call-exchange.ts';
import type { CallToolResult } from '../call/results.ts';
import type { TaskMode } from '../call/action-options.ts';
import type { ToolSet } from '../compile/tools/compile-tool-set.ts';
import {
  type CompiledToolDefinition,
  actionsOf,
  type ActionMetadata,
} from '../compile/tools/compiled-tool.ts';
import { copyFilter, filterKey, isOpenFilter, type ToolFilter } from '../compile/tools/tool-filter.ts';
import { BoundedCache } from '../shared/bounded-cache.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import { createToolService, type ContextFactory } from './create-tool-service.ts';
import { callTool } from './call-tool.ts';
import { toolResultOf, type Outcome } from './outcome.ts';
import { nameTaken, nameUnknown, notRegistrable } from './registry-errors.ts';
import {
  checkAttachOptions,
  checkFilter,
  checkRegistryOptions,
  loggerOf,
  type AttachOptions,
  type ToolDefaults,
  type ToolRegistryOptions,
} from './registry-options.ts';
import { MOST_ARGUMENT_NODES, type CallOptions, type RouteOptions } from './route-options.ts';
import { actionOf } from './route-call.ts';
import { createService, type McpService } from './service.ts';
import type { ServiceSettings } from './service-settings.ts';
import { ToolEntry } from './tool-entry.ts';
import { createToolView, type ToolView } from './tool-view.ts';

/** The key of the method by which a registry builds a tool; not for users' code. */
export const TOOL_SET: unique symbol = Symbol.for('toolwright:tool-set') as never;

/** As many filters are kept with what they leave of all tools. */
const MOST_VIEWS = 256;

/** Anything that a registry can register: a builder. */
export interface RegistrableTool {
  [TOOL_SET](defaults: ToolDefaults): ToolSet;
}

/** Tools by name, in the order they were registered; what a registry is without the servers that it is attached to. */
export class RegisteredTools {
  readonly #defaults: ToolDefaults;
  readonly #route: RouteOptions;
  readonly #filter: ToolFilter;
  readonly #contextFactory: ContextFactory | undefined;
  readonly #defaultContext: (() => unknown) | undefined;
  readonly #views = new BoundedCache<ToolView>({ entries: MOST_VIEWS });
  readonly #listeners = new Set<() => void>();
  /** Filters of attached servers, which cannot change any more. */
  readonly #checked = new WeakSet<ToolFilter>();
  /** The one that most calls need, which is looked up without its key. */
  #whole: ToolView | undefined;
  #entries: readonly ToolEntry[] = [];

  /** @throws ToolwrightError TW_REGISTRY_OPTION */
  constructor(options: ToolRegistryOptions = {}) {
    checkRegistryOptions(options);
    const { maskErrors = false, logger, filter = {} } = options;
    const { unknownFields, expose, separator, limits } = options;
    this.#defaults = Object.freeze({ unknownFields, expose, separator, limits });
    this.#filter = copyFilter(filter);
    this.#contextFactory = options.contextFactory;
    this.#defaultContext = options.defaultContext;
    this.#route = Object.freeze({
      maskErrors,
      logger: loggerOf(logger),
      argumentNodes: limits?.argumentNodes ?? MOST_ARGUMENT_NODES,
    });
  }

  /** Builds a tool and adds it. @throws ToolwrightError when the name is taken or the build fails. */
  register(tool: RegistrableTool): this {
    return this.registerAll(tool);
  }

  /** Builds and adds all of the tools, or none of them. */
  registerAll(...tools: readonly RegistrableTool[]): this {
    return this.add(tools.map((tool) => this.#setOf(tool)));
  }

  /** Adds tools that are compiled already: all of them, or none. */
  add(sets: readonly ToolSet[]): this {
    this.#change([...this.#entries, ...sets.map((set) => new ToolEntry(set))]);
    return this;
  }

  /**
   * Puts a tool in the place of the one with the same name, and tells connected clients.
   * @throws ToolwrightError TW_REGISTRY_NAME_UNKNOWN when there is none.
   */
  replace(tool: RegistrableTool): this {
    const set = this.#setOf(tool);
    return this.#exchange(set.name, () => new ToolEntry(set));
  }

  /** Takes a tool away; false when there is none of that name. */
  unregister(name: string): boolean {
    const rest = this.#entries.filter((entry) => entry.name !== name);
    if (rest.length === this.#entries.length) return false;
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

  has(name: string): boolean {
    return this.#view(undefined).find(name) !== undefined;
  }

  get size(): number {
    return this.#view(undefined).names.length;
  }

  clear(): void {
    this.#change([]);
  }

  getAllTools(): readonly CompiledToolDefinition[] {
    return this.getTools();
  }

  /** The definitions that a filter leaves; of a tool with hidden actions, what is left of it. */
  getTools(filter?: ToolFilter): readonly CompiledToolDefinition[] {
    return this.#view(filter).definitions;
  }

  /**
   * What there is to know of each action of a listed tool: key, group, marks, required fields.
   * @throws ToolwrightError TW_REGISTRY_NAME_UNKNOWN for a tool that is not listed.
   * @example
   * const risky = app.registry.getActionMetadata('tasks').filter(({ destructive }) => destructive);
   */
  getActionMetadata(name: string, filter?: ToolFilter): readonly ActionMetadata[] {
    const view = this.#view(filter);
    const tool = view.find(name);
    if (tool === undefined) throw nameUnknown(name, view.names);
    return actionsOf(tool);
  }

  /** How the action that a call names becomes a task; undefined where it does not. */
  taskModeOf(name: string, args?: unknown, { filter, version }: CallOptions = {}): TaskMode | undefined {
    const tool = this.#view(filter).find(name);
    // A tool that is listed without tasks has none, whichever of its actions is called.
    if (tool?.definition.execution === undefined) return undefined;
    return actionOf(tool, args, version)?.task;
  }

  /** Routes a call by the tool's name. It never rejects: every failure is a result. */
  async routeCall(
    name: string,
    args?: unknown,
    context?: unknown,
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    return toolResultOf(await this.route(name, args, context, options));
  }

  /** As {@link routeCall}, with the JSON-RPC error that a client gets; not for users' code. */
  route(
    name: string,
    args: unknown,
    context: unknown,
    { filter, version }: CallOptions,
  ): MaybePromise<Outcome> {
    const contextOf = (): unknown => context ?? this.#defaultContext?.();
    return callTool(() => this.#view(filter), { name, args, contextOf, version }, this.#route);
  }

  /** The service that an attached server is given; not for users' code. */
  serviceOf(options: AttachOptions, settings: ServiceSettings): McpService {
    checkAttachOptions(options);
    const { contextFactory = this.#contextFactory } = options;
    const filter = options.filter === undefined ? undefined : copyFilter(options.filter);
    if (filter !== undefined) {
      this.#checked.add(filter);
      // What is left is compiled now, and not with the first request
      this.#view(filter);
    }
    const contextOf =
      contextFactory && ((exchange: CallExchange) => contextFactory(exchange.raw, plainExchange(exchange)));
    const tools = createToolService(this, filter, contextOf, this.#route);
    const parts = { tools, prompts: undefined, resources: undefined, completions: undefined };
    return createService(parts, settings, this.#route.logger);
  }

  /** Calls the listener after every change of the tools; the returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #view(filter: ToolFilter | undefined): ToolView {
    if (filter === undefined && this.#whole !== undefined) return this.#whole;
    // Before the look-up: of a filter that is misspelt the same would remain as of none
    if (filter !== undefined && !this.#checked.has(filter)) checkFilter(filter);
    const key = filter === undefined ? '' : filterKey(filter);
    let view = this.#views.get(key);
    if (view === undefined) {
      const filters = filter === undefined ? [this.#filter] : [this.#filter, filter];
      view = createToolView(this.#entries.flatMap((entry) => entry.select(filters)));
      this.#views.set(key, view);
    }
    if (filter === undefined) this.#whole = view;
    return view;
  }

  #setOf(tool: Partial<RegistrableTool> | undefined): ToolSet {
    const build = tool?.[TOOL_SET];
    if (tool === undefined || build === undefined) throw notRegistrable();
    return build.call(tool, this.#defaults);
  }

  #exchange(name: string, change: (entry: ToolEntry) => ToolEntry): this {
    if (!this.#entries.some((entry) => entry.name === name))
      throw nameUnknown(
        name,
        this.#entries.map((entry) => entry.name),
      );
    this.#change(this.#entries.map((entry) => (entry.name === name ? change(entry) : entry)));
    return this;
  }

  /** All or nothing: a name that is taken leaves everything as it was. */
  #change(entries: readonly ToolEntry[]): void {
    const names = new Set<string>();
    for (const name of entries.flatMap((entry) => entry.listedNames)) {
      if (names.has(name)) throw nameTaken(name);
      names.add(name);
    }
    this.#entries = Object.freeze(entries);
    this.#views.clear();
    this.#whole = undefined;
    if (!isOpenFilter(this.#filter)) this.#view(undefined);
    for (const listener of this.#listeners) listener();
  }
}
