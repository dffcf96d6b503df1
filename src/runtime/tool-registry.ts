import type { CallToolResult } from '../call/call-tool-result.ts';
import type { Logger } from '../call/logger.ts';
import type { ToolSet } from '../compile/compile-tool-set.ts';
import type { ToolDefinition } from '../compile/tool-definition.ts';
import type { ToolFilter } from '../compile/tool-filter.ts';
import { nearestName } from '../shared/did-you-mean.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Expose, UnknownFields } from '../metadata/options.ts';
import { attachTools } from './attach/attach-tools.ts';
import { createToolService, type ContextFactory } from './create-tool-service.ts';
import { unknownTool } from './call-failures.ts';
import type { RouteOptions } from './route-options.ts';
import { routeCall } from './route-call.ts';
import type { DetachFunction } from './tool-service.ts';
import { ToolEntry } from './tool-entry.ts';
import { createToolView, type ToolView } from './tool-view.ts';

/** The key of the method by which a registry builds a tool; not for users' code. */
export const TOOL_SET: unique symbol = Symbol.for('toolwright:tool-set') as never;

/** Anything that a registry can register: a builder. */
export interface RegistrableTool {
  [TOOL_SET](defaults: ToolDefaults): ToolSet;
}

/** What a registry decides for tools that do not say. */
export interface ToolDefaults {
  readonly unknownFields?: UnknownFields | undefined;
  readonly expose?: Expose | undefined;
}

export interface ToolRegistryOptions extends ToolDefaults {
  /** Replaces the text of errors that were not declared for clients by a reference id. Default false. */
  readonly maskErrors?: boolean;
  /** Gets every error that a handler threw. Default: nothing is logged. */
  readonly logger?: Logger;
}

export interface AttachOptions {
  /** Hides tools and actions from the list and from calls alike. */
  readonly filter?: ToolFilter;
  /** Makes the context of each call from what the SDK hands to its handlers. Default: no context. */
  readonly contextFactory?: ContextFactory;
}

/**
 * Tools by name, in the order they were registered.
 *
 * @example
 * const registry = new ToolRegistry();
 * registry.register(createTool('books').action({ name: 'find', handler: () => [] }));
 * const detach = registry.attachToServer(server);
 */
export class ToolRegistry {
  readonly #defaults: ToolDefaults;
  readonly #route: RouteOptions;
  readonly #views = new Map<string, ToolView>();
  readonly #listeners = new Set<() => void>();
  #entries: readonly ToolEntry[] = [];

  constructor({ maskErrors = false, logger, ...defaults }: ToolRegistryOptions = {}) {
    this.#defaults = defaults;
    this.#route = Object.freeze({ maskErrors, logger });
  }

  /** Builds a tool and adds it. @throws ToolwrightError when the name is taken or the build fails. */
  register(tool: RegistrableTool): this {
    return this.registerAll(tool);
  }

  /** Builds and adds all of the tools, or none of them. */
  registerAll(...tools: readonly RegistrableTool[]): this {
    return this.add(tools.map((tool) => tool[TOOL_SET](this.#defaults)));
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
    const set = tool[TOOL_SET](this.#defaults);
    return this.#exchange(set.model.name, () => new ToolEntry(set));
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

  getAllTools(): readonly ToolDefinition[] {
    return this.getTools();
  }

  /** The definitions that a filter leaves; of a tool with hidden actions, what is left of it. */
  getTools(filter?: ToolFilter): readonly ToolDefinition[] {
    return this.#view(filter).definitions;
  }

  /** Routes a call by the tool's name. It never rejects: every failure is a result. */
  async routeCall(
    name: string,
    args?: unknown,
    context?: unknown,
    options: { readonly filter?: ToolFilter } = {},
  ): Promise<CallToolResult> {
    const view = this.#view(options.filter);
    const tool = view.find(name);
    return tool === undefined ? unknownTool(name, view.names) : routeCall(tool, args, context, this.#route);
  }

  /**
   * Serves the tools on an MCP server of the official SDK: a `Server` or an `McpServer`.
   * Tools that are registered later are served as well.
   * @throws ToolwrightError TW_ATTACH_TARGET when the target is no server.
   */
  attachToServer(server: unknown, { filter, contextFactory }: AttachOptions = {}): DetachFunction {
    const service = createToolService(this, filter, contextFactory);
    const { logger } = this.#route;
    const attachment = attachTools(server, service, logger === undefined ? {} : { logger });
    const unsubscribe = this.onChange(attachment.notifyToolsChanged);
    return () => {
      unsubscribe();
      attachment();
    };
  }

  /** Calls the listener after every change of the tools; the returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #view(filter: ToolFilter | undefined): ToolView {
    const key = JSON.stringify([filter?.tags ?? [], filter?.anyTag ?? [], filter?.exclude ?? []]);
    let view = this.#views.get(key);
    if (view === undefined) {
      view = createToolView(this.#entries.flatMap((entry) => entry.select(filter, key)));
      this.#views.set(key, view);
    }
    return view;
  }

  #exchange(name: string, change: (entry: ToolEntry) => ToolEntry): this {
    if (!this.#entries.some((entry) => entry.name === name)) throw nameUnknown(name, this.#entries);
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
    for (const listener of this.#listeners) listener();
  }
}

function nameTaken(name: string): ToolwrightError {
  return new ToolwrightError('TW_REGISTRY_NAME_TAKEN', {
    where: `tool "${name}"`,
    what: 'is registered already.',
    why: 'a call is routed by the name of its tool, so every name has to be unique.',
    fix: 'give one of the two another name',
  });
}

function nameUnknown(name: string, entries: readonly ToolEntry[]): ToolwrightError {
  const known = entries.map((entry) => entry.name);
  const nearest = nearestName(name, known);
  return new ToolwrightError('TW_REGISTRY_NAME_UNKNOWN', {
    where: `tool "${name}"`,
    what: 'is not registered.',
    fix: nearest === undefined ? 'register() it first' : `did you mean "${nearest}"?`,
  });
}
