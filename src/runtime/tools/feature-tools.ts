import type { FittingSurface, SurfaceSettings } from '../../compile/surfaces/surface.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import { Call, NO_ARGUMENTS, type Handle, type Route, type ToolsBeside } from '../../kernel/call/call.ts';
import type { Outcome } from '../../kernel/call/outcome.ts';
import { isObject } from '../../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { answerFault } from '../failures/protocol-failures.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import { compileRoute, type RouteSettings, type ServiceSettings } from '../routes/route.ts';
import type { AskService, FeatureTool, RuntimeFacet, ToolReader } from '../runtime-facet.ts';
import type { Methods, ServiceParts } from '../routes/service-parts.ts';
import { claimOfCall } from './surface-marks.ts';

/** A list with the tools of features that stand in it. */
interface ListWith {
  readonly added: readonly ToolDefinition[];
  readonly list: readonly ToolDefinition[];
}

/** The tools of features, beside those of an application. */
export class FeatureTools implements ToolsBeside {
  readonly #parts: ServiceParts;
  readonly #fitting: SurfaceSettings['fitting'];
  readonly #features: readonly RuntimeFacet[];
  readonly #tools: ReadonlyMap<unknown, FeatureTool>;
  /** By the list of a surface and view, and then by the names that are added: as many as there are choices of these tools. */
  readonly #lists = new WeakMap<readonly object[], Map<string, ListWith>>();
  #taken: { readonly every: readonly object[]; readonly names: ReadonlySet<string> } | undefined;
  #methods: Methods = {};

  constructor(
    parts: ServiceParts,
    { features, states }: Pick<ServiceSettings, 'features' | 'states'>,
    { fitting }: Pick<SurfaceSettings, 'fitting'>,
  ) {
    this.#parts = parts;
    this.#fitting = fitting;
    this.#features = features;
    const tools = features.flatMap((feature) => feature.tools?.(states[feature.name] as never, states) ?? []);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** Adds these tools to those that `tools/call` calls. */
  around(methods: Methods, settings: RouteSettings): Methods {
    const callTool = methods['tools/call'];
    if (callTool === undefined || this.#tools.size === 0) return methods;
    this.#methods = methods;
    const routes = new Map([...this.#tools].map(([name, tool]) => [name, this.#route(tool, settings)]));
    const call: Handle = (called) => {
      const { name, arguments: given } = called.params;
      const route = routes.get(name);
      if (route === undefined || this.#isTaken(name)) return callTool(called);
      this.#parts.tools?.enter?.(called);
      called.args = isObject(given) ? given : NO_ARGUMENTS;
      return called.follow(route);
    };
    return { ...methods, 'tools/call': call };
  }

  /**
   * A list with those of these tools that its client needs; the same array for the same ones.
   * @param client what is known of the client
   */
  listFor(
    list: readonly ToolDefinition[],
    call: Call,
    client: FittingSurface | undefined,
  ): readonly ToolDefinition[] {
    const added = this.listed(client, call.isFitted === true, call.authority?.verdicts);
    if (added.length === 0) return list;
    const known = this.#lists.get(list) ?? new Map<string, ListWith>();
    this.#lists.set(list, known);
    const key = added.map(({ name }) => name).join(' ');
    const last = known.get(key);
    // What a caller sees of resources may change while the tools stay
    if (last?.added.every((tool, index) => tool === added[index]) === true) return last.list;
    const whole = Object.freeze([...list, ...added]);
    known.set(key, { added, list: whole });
    return whole;
  }

  /** Lists what a client is offered. @param verdicts undefined for a caller who may see everything */
  listed(
    client: FittingSurface | undefined,
    isFitted: boolean,
    verdicts?: Verdicts,
  ): readonly ToolDefinition[] {
    if (this.#tools.size === 0) return NO_TOOLS;
    const reader = this.#reader(client, isFitted, verdicts);
    return [...this.#tools.values()].flatMap((tool) => this.#describe(tool, reader) ?? []);
  }

  isListed(name: string, call: Call): boolean {
    const tool = this.#tools.get(name);
    if (tool === undefined) return false;
    const client = this.#fitting?.find(claimOfCall(call));
    const reader = this.#reader(client, call.isFitted === true, call.authority?.verdicts);
    return this.#describe(tool, reader) !== undefined;
  }

  #describe(tool: FeatureTool, reader: ToolReader): ToolDefinition | undefined {
    return this.#isTaken(tool.name) ? undefined : tool.describe(reader);
  }

  /** Whether the application has a tool of this name, on any surface and for any caller. */
  #isTaken(name: unknown): boolean {
    const every = this.#parts.tools?.everyTool?.() ?? NO_TOOLS;
    if (this.#taken?.every !== every) this.#taken = { every, names: new Set(every.map((tool) => tool.name)) };
    return this.#taken.names.has(name as string);
  }

  #reader(client: FittingSurface | undefined, isFitted: boolean, verdicts: Verdicts | undefined): ToolReader {
    const { prompts, resources } = this.#parts;
    return {
      client,
      isFitted,
      prompts: prompts?.fixed(verdicts).list ?? NO_TOOLS,
      resources: resources?.fixed(verdicts).list ?? NO_TOOLS,
      templates: resources?.templates(verdicts) ?? NO_TOOLS,
    };
  }

  #route({ name, answer }: FeatureTool, settings: RouteSettings): Route {
    const target = { kind: 'method', method: 'tools/call', name, handler: undefined } as const;
    return compileRoute(target, settings, (call) => {
      const ask: AskService = (method, params) => this.#ask(call, { method, params }, settings);
      return thenMaybe(answer(call.args, call, ask), (outcome) => this.#fit(outcome, call, name));
    });
  }

  #fit(outcome: Outcome, call: Call, name: string): MaybePromise<Outcome> {
    return this.#features.reduce<MaybePromise<Outcome>>(
      (made, feature) =>
        feature.fitResult === undefined
          ? made
          : thenMaybe(made, (given) =>
              given.kind === 'result' ? (feature.fitResult?.(given, call, name) ?? given) : given,
            ),
      outcome,
    );
  }

  #ask(
    call: Call,
    { method, params }: Pick<Call['origin'], 'method' | 'params'>,
    settings: RouteSettings,
  ): MaybePromise<Outcome> {
    const { context, cancellation, served } = call.origin;
    const inner = new Call({ method, params, context, cancellation, served });
    inner.states = call.states;
    inner.localCaller = call.localCaller;
    const failed = (thrown: unknown): Outcome => answerFault(inner, thrown, settings);
    let work: MaybePromise<Outcome>;
    try {
      work = this.#methods[method]?.(inner) ?? failed(undefined);
    } catch (thrown) {
      work = failed(thrown);
    }
    return inner.replyWith(work, failed);
  }
}

const NO_TOOLS: readonly never[] = Object.freeze([]);
