import type { AuthInfo } from '../../call/request-context.ts';
import type { ToolSet } from '../../compile/tools/compile-tool-set.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import type { ListedTool } from '../../compile/tools/prepared-tool.ts';
import { createFindingTools, FINDING_NAMES } from '../../compile/surfaces/finding-tools.ts';
import {
  SURFACE_NAMES,
  settleSurface,
  type ApplicationSize,
  type ClientClaim,
  type Surface,
  type SurfaceName,
  type SurfaceSettings,
  type SurfaceWish,
} from '../../compile/surfaces/surface.ts';
import type { Call, Handle } from '../../kernel/call/call.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { estimateTokens } from '../../shared/token-estimate.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import { compileMethod, type RouteSettings } from '../route.ts';
import type { ToolService } from '../service-parts.ts';
import type { RoutedTool } from './routed-tools.ts';
import type { ServedTools } from './tool-view.ts';
import { ToolRouter } from './tools.ts';

/** The tools of an application that offers them on several surfaces. */
export function createSurfacedService(served: ServedTools, surfaces: SurfaceSettings): ToolService {
  const { views, filter } = served;
  let tools: SurfacedTools | undefined;
  return Object.freeze({
    list: (verdicts?: Verdicts) => tools?.routerFor('own').listedTo(verdicts) ?? views.of(filter).definitions,
    listTo: (who: AuthInfo | undefined, isLocal?: boolean, wish?: SurfaceWish) =>
      tools?.listTo(who, isLocal, wish) ?? views.of(filter).definitions,
    everyTool: () => tools?.everyTool() ?? views.of(filter).definitions,
    toolNamed: (name: unknown, who: AuthInfo | undefined, wish?: SurfaceWish) =>
      tools?.toolNamed(name, who, wish),
    methods: (settings: RouteSettings) => {
      const { list, call } = (tools = new SurfacedTools(served, surfaces, settings));
      return { 'tools/list': compileMethod('tools/list', settings, list), 'tools/call': call };
    },
  });
}

/** Which surface a name belongs to, and what it means there. */
interface NameOwner {
  readonly surface: SurfaceName;
  readonly meaning: string;
}

/** A router for each surface, made when a client first gets it. */
class SurfacedTools {
  readonly #served: ServedTools;
  readonly #surfaces: SurfaceSettings;
  readonly #settings: RouteSettings;
  readonly #routers = new Map<SurfaceName, ToolRouter>();
  #names:
    { readonly version: number; readonly owners: ReadonlyMap<unknown, NameOwner | undefined> } | undefined;
  #size: { readonly version: number; readonly size: ApplicationSize } | undefined;
  #every: { readonly version: number; readonly list: readonly ToolDefinition[] } | undefined;

  constructor(served: ServedTools, surfaces: SurfaceSettings, settings: RouteSettings) {
    this.#served = served;
    this.#surfaces = surfaces;
    this.#settings = settings;
    // The requirements of all actions have to be known before a caller is checked
    this.routerFor('own');
  }

  readonly call: Handle = (call) => this.#enter(call).call(call);
  readonly list: Handle = (call) => this.#enter(call).list(call);

  /**
   * The surface that a request chose, else the one that fits its client, else that of the application. Code of this
   * process calls what it declares.
   */
  #surfaceFor({ chosen, client }: SurfaceWish, isLocal: boolean): SurfaceName {
    if (chosen === 'own' || (chosen !== undefined && this.#surfaces.all.has(chosen)))
      return chosen as SurfaceName;
    if (isLocal) return 'own';
    const { fitting, use } = this.#surfaces;
    return fitting === undefined ? use : settleSurface(fitting(client?.() ?? {}), this.#measure());
  }

  #measure(): ApplicationSize {
    const { version, entries } = this.#served.views;
    if (this.#size?.version !== version) {
      const sets = entries.map(({ set }) => set);
      this.#size = { version, size: measureTools(sets, this.#surfaces) };
    }
    return this.#size.size;
  }

  #enter(call: Call): ToolRouter {
    const wish = { chosen: call.context.surface, client: () => claimOfCall(call) };
    const name = this.#surfaceFor(wish, call.origin.served.isLocal);
    call.surface = name;
    return this.routerFor(name);
  }

  routerFor(name: SurfaceName): ToolRouter {
    const known = this.#routers.get(name);
    if (known !== undefined) return known;
    const surface = this.#surfaces.all.get(name);
    const { views } = this.#served;
    const served = surface === undefined ? this.#served : { ...this.#served, views: views.on(surface) };
    const foreign = this.#surfaces.foreignNames
      ? (called: unknown, verdicts: Verdicts | undefined) => this.#foreign(name, called, verdicts)
      : undefined;
    const router = new ToolRouter(served, this.#settings, foreign);
    this.#routers.set(name, router);
    return router;
  }

  /** @param isLocal whether the caller is on this machine; without a choice it is then a client all the same */
  listTo(
    who: AuthInfo | undefined,
    isLocal = false,
    wish: SurfaceWish = {},
  ): MaybePromise<readonly ToolDefinition[]> {
    return this.routerFor(this.#surfaceFor(wish, false)).listTo(who, isLocal);
  }

  /** The tools of all surfaces that calls can name, that of the application first. No route is made for it. */
  everyTool(): readonly ToolDefinition[] {
    const { version, entries } = this.#served.views;
    if (this.#every?.version === version) return this.#every.list;
    const { use, all, served, foreignNames } = this.#surfaces;
    const surfaces = [all.get(use), undefined, ...(foreignNames ? all.values() : served)];
    const sets = entries.map(({ set }) => set);
    const lists = surfaces.map((surface) => definitionsOn(sets, surface));
    this.#every = { version, list: Object.freeze(lists.flat()) };
    return this.#every.list;
  }

  /** The tool that a call of a caller would find. */
  toolNamed(
    name: unknown,
    who: AuthInfo | undefined,
    wish: SurfaceWish = {},
  ): MaybePromise<ToolDefinition | undefined> {
    const own = this.#surfaceFor(wish, false);
    const { authorization } = this.#settings;
    const find = (verdicts: Verdicts | undefined): ToolDefinition | undefined => {
      const found =
        this.routerFor(own)
          .toolsFor(verdicts)
          .get(name as string) ??
        (this.#surfaces.foreignNames ? this.#foreign(own, name, verdicts) : undefined);
      return found?.tool.definition;
    };
    if (!authorization.isNeeded) return find(undefined);
    return thenMaybe(authorization.check({ authInfo: who, isLocal: false }), ({ verdicts }) =>
      find(verdicts),
    );
  }

  /** Looks a name up on the other surfaces. Which of them owns it does not depend on the caller. */
  #foreign(own: SurfaceName, name: unknown, verdicts: Verdicts | undefined): RoutedTool | undefined {
    const { version } = this.#served.views;
    if (this.#names?.version !== version) this.#names = { version, owners: this.#findOwners() };
    const owner = this.#names.owners.get(name);
    if (owner === undefined || owner.surface === own) return undefined;
    return this.routerFor(owner.surface)
      .toolsFor(verdicts)
      .get(name as string);
  }

  /** Undefined for a name that two surfaces understand differently: each of them keeps it for itself. */
  #findOwners(): ReadonlyMap<unknown, NameOwner | undefined> {
    const owners = new Map<unknown, NameOwner | undefined>();
    const add = (name: string, surface: SurfaceName, meaning: string): void => {
      const isOpen = !owners.has(name) || owners.get(name)?.meaning === meaning;
      if (!owners.has(name)) owners.set(name, { surface, meaning });
      else if (!isOpen) owners.set(name, undefined);
    };
    for (const surface of SURFACE_NAMES) {
      if (this.#surfaces.all.get(surface)?.reaches !== undefined)
        for (const name of FINDING_NAMES) add(name, surface, name);
      for (const { set } of this.#served.views.entries) {
        const on = this.#surfaces.all.get(surface);
        for (const listed of (on === undefined ? set : set.on(on)).prepared.listed) {
          add(listed.definition.name, surface, describeMeaning(set, listed));
        }
      }
    }
    return owners;
  }
}

/** How large an application is, whatever of it is hidden. Tokens are estimated once for each surface. */
export function measureTools(
  sets: readonly ToolSet[],
  { all }: Pick<SurfaceSettings, 'all'>,
): ApplicationSize {
  const known = new Map<SurfaceName, number>();
  return {
    actions: sets.reduce((sum, { prepared }) => sum + prepared.actions.length, 0),
    countTokens: (name) => {
      const surface = all.get(name);
      const count = known.get(name) ?? estimateTokens(JSON.stringify(definitionsOn(sets, surface)));
      known.set(name, count);
      return count;
    },
  };
}

/** All that a surface lists, also what is hidden from some callers. */
function definitionsOn(sets: readonly ToolSet[], surface: Surface | undefined): readonly ToolDefinition[] {
  const list = (on: Surface | undefined): readonly ToolDefinition[] =>
    sets.flatMap((set) =>
      (on === undefined ? set : set.on(on)).prepared.listed.map(({ definition }) => definition),
    );
  if (surface?.reaches === undefined) return list(surface);
  return [...createFindingTools(list(surface.reaches)), ...list(surface)];
}

/** Requests of 2025 without a session say nothing of their client but a header. */
function claimOfCall(call: Call): ClientClaim {
  const { name, version } = call.client();
  return name === undefined ? { userAgent: call.header('user-agent') } : { name, version };
}

/** What a call of a tool reaches: equal for tools that take the same arguments for the same actions. */
function describeMeaning(set: ToolSet, { discriminator, actions }: ListedTool): string {
  return JSON.stringify([
    set.name,
    discriminator ?? null,
    actions.map(({ scanned: { key, version } }) => [key, version]),
  ]);
}
