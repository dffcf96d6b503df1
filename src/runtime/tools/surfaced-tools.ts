import type { AuthInfo } from '../../call/request-context.ts';
import type { ToolSet } from '../../compile/tools/compile-tool-set.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import type { ListedTool } from '../../compile/tools/prepared-tool.ts';
import { FINDING_NAMES } from '../../compile/surfaces/finding-tools.ts';
import { findForms, fitSurface, formTools, type FormedTools } from '../../compile/surfaces/fit-surface.ts';
import type {
  FittingSurface,
  Surface,
  SurfaceSettings,
  SurfaceWish,
} from '../../compile/surfaces/surface.ts';
import type { Call, Handle } from '../../kernel/call/call.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import { compileMethod, type RouteSettings } from '../routes/route.ts';
import type { ToolService } from '../routes/service-parts.ts';
import type { RoutedTool } from './routed-tools.ts';
import type { ServedTools } from './tool-view.ts';
import { claimOfCall, SurfaceMarks } from './surface-marks.ts';
import { ToolRouter } from './tools.ts';

/** The tools of an application that offers them on several surfaces. */
export function createSurfacedService(served: ServedTools, surfaces: SurfaceSettings): ToolService {
  const { views, filter } = served;
  let tools: SurfacedTools | undefined;
  return Object.freeze({
    list: (verdicts?: Verdicts) =>
      tools?.routerFor(undefined).listedTo(verdicts) ?? views.of(filter).definitions,
    listTo: (who: AuthInfo | undefined, isLocal?: boolean, wish?: SurfaceWish) =>
      tools?.listTo(who, isLocal, wish) ?? views.of(filter).definitions,
    everyTool: () => tools?.everyTool() ?? views.of(filter).definitions,
    enter: (call: Call) => void tools?.enter(call),
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
  readonly surface: Surface | undefined;
  readonly meaning: string;
}

/** A router for each surface, made when a client first gets it. */
class SurfacedTools {
  readonly #served: ServedTools;
  readonly #surfaces: SurfaceSettings;
  readonly #settings: RouteSettings;
  /** By surface; `own` is undefined. */
  readonly #routers = new Map<Surface | undefined, ToolRouter>();
  #names:
    | { readonly version: number; readonly owners: ReadonlyMap<unknown, NameOwner | undefined> }
    | undefined;
  #fitted:
    | { readonly version: number; readonly surfaces: Map<FittingSurface, Surface | undefined> }
    | undefined;
  #every: { readonly version: number; readonly list: readonly ToolDefinition[] } | undefined;

  readonly #marks = new SurfaceMarks();

  constructor(served: ServedTools, surfaces: SurfaceSettings, settings: RouteSettings) {
    this.#served = served;
    this.#surfaces = surfaces;
    this.#settings = settings;
    // The requirements of all actions have to be known before a caller is checked
    this.routerFor(undefined);
  }

  readonly call: Handle = (call) => this.enter(call).call(call);
  readonly list: Handle = (call) => this.enter(call).list(call);

  /**
   * The surface that a request chose, else the one that fits its client, else that of the application. Code of this
   * process calls what it declares.
   */
  #surfaceFor({ chosen, client }: SurfaceWish, isLocal: boolean): Surface | undefined {
    const { fitting, use, all } = this.#surfaces;
    if (chosen === 'own' || (chosen !== undefined && all.has(chosen))) return all.get(chosen);
    if (isLocal) return undefined;
    return fitting === undefined ? all.get(use) : this.#fit(fitting.find(client?.() ?? {}));
  }

  /** It is looked for once for each kind of client, until the tools change. */
  #fit(fit: FittingSurface): Surface | undefined {
    const { version } = this.#served.views;
    if (this.#fitted?.version !== version) this.#fitted = { version, surfaces: new Map() };
    const { surfaces } = this.#fitted;
    if (surfaces.has(fit)) return surfaces.get(fit);
    const surface = fitSurface(fit, this.#tools, this.#surfaces);
    surfaces.set(fit, surface);
    return surface;
  }

  /** The surface of a client in the form that it was listed elsewhere; undefined where it would get another one here. */
  #fitAgain({ chosen, client }: Required<SurfaceWish>): Surface | undefined {
    const { fitting } = this.#surfaces;
    const surface = fitting && this.#fit(fitting.find(client()));
    return surface?.name === chosen ? surface : undefined;
  }

  get #tools(): FormedTools {
    return formTools(this.#served.views.entries.map(({ set }) => set));
  }

  /** Notes on a call where its client gets its tools. @returns what finds them there */
  enter(call: Call): ToolRouter {
    const { surface: chosen, isFitted } = call.context;
    const wish = { chosen, client: () => claimOfCall(call) };
    const { isLocal } = call.origin.served;
    const surface = (isFitted === true && this.#fitAgain(wish)) || this.#surfaceFor(wish, isLocal);
    call.surface = surface?.name ?? 'own';
    const { fitting } = this.#surfaces;
    call.isFitted = isFitted ?? (fitting !== undefined && surface !== undefined && chosen === undefined);
    call.beside = this.#settings.featureTools;
    return this.routerFor(surface);
  }

  routerFor(surface: Surface | undefined): ToolRouter {
    const known = this.#routers.get(surface);
    if (known !== undefined) return known;
    const { views } = this.#served;
    const served = surface === undefined ? this.#served : { ...this.#served, views: views.on(surface) };
    const foreign = this.#surfaces.foreignNames
      ? (called: unknown, verdicts: Verdicts | undefined) => this.#foreign(surface, called, verdicts)
      : undefined;
    const router = new ToolRouter(served, this.#settings, foreign, (own, call) => {
      const fit = this.#surfaces.fitting?.find(claimOfCall(call));
      const list = this.#settings.featureTools?.listFor(own, call, fit) ?? own;
      return { list, isWhole: fit?.readsOnePage === true, meta: this.#marks.mark(surface, list) };
    });
    this.#routers.set(surface, router);
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
    const { version } = this.#served.views;
    if (this.#every?.version === version) return this.#every.list;
    const { use, all, served, foreignNames } = this.#surfaces;
    const forms = findForms(this.#tools, this.#surfaces);
    const surfaces = [all.get(use), undefined, ...(foreignNames ? all.values() : served), ...forms];
    const lists = surfaces.map((surface) => this.#tools.definitions(surface));
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
  #foreign(own: Surface | undefined, name: unknown, verdicts: Verdicts | undefined): RoutedTool | undefined {
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
    const add = (name: string, surface: Surface | undefined, meaning: string): void => {
      const isOpen = !owners.has(name) || owners.get(name)?.meaning === meaning;
      if (!owners.has(name)) owners.set(name, { surface, meaning });
      else if (!isOpen) owners.set(name, undefined);
    };
    const { all } = this.#surfaces;
    for (const surface of [undefined, ...all.values(), ...findForms(this.#tools, this.#surfaces)]) {
      if (surface?.reaches !== undefined) for (const name of FINDING_NAMES) add(name, surface, name);
      for (const { set } of this.#served.views.entries) {
        for (const listed of (surface === undefined ? set : set.on(surface)).prepared.listed) {
          add(listed.definition.name, surface, describeMeaning(set, listed));
        }
      }
    }
    return owners;
  }
}

/** What a call of a tool reaches: equal for tools that take the same arguments for the same actions. */
function describeMeaning(set: ToolSet, { discriminator, actions }: ListedTool): string {
  return JSON.stringify([
    set.name,
    discriminator ?? null,
    actions.map(({ scanned: { key, version } }) => [key, version]),
  ]);
}
