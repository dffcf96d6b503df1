import { VERSIONS_META_KEY } from '../../call/action-options.ts';
import {
  ACTION_ARGUMENT,
  CALL_ACTION,
  CARRIED_ARGUMENT,
  FIND_ACTIONS,
  READ_ACTION,
} from '../../compile/surfaces/finding-tools.ts';
import type { ReachedAction } from '../../compile/surfaces/reached-action.ts';
import type { ActionDefinition, CompiledTool } from '../../compile/tools/compiled-tool.ts';
import { resultOf, type Outcome } from '../../kernel/call/outcome.ts';
import type { Handle, Route } from '../../kernel/call/call.ts';
import { hasMoreValues, isObject, type PlainObject } from '../../shared/json.ts';
import { compileRoute, type RouteSettings } from '../routes/route.ts';
import { ActionIndex } from './action-index.ts';
import { tooManyValues, type CarriedArguments } from './call-failures.ts';
import { actionRefused, carriedInvalid, keyMissing, onlyByTool, unknownKey } from './catalogue-failures.ts';
import { ActionFinder, type SeenAction } from './find-actions.ts';
import {
  routeAction,
  targetOf,
  type OpenedAction,
  type RoutedTool,
  type RoutedTools,
} from './routed-tools.ts';
import { chooseVersion, type ServedTools } from './tool-view.ts';

/** The values around the arguments of an action: its key, and the object that has them. */
const CARRYING_COUNT = 2;

/** Makes what answers the calls of an action. @param carried undefined where all that is sent are its arguments */
export type AnswerCarried = (
  tool: CompiledTool,
  action: ActionDefinition,
  carried?: CarriedArguments,
) => Handle;

/** What the callers of each view find, and call by keys. */
export class Catalogues {
  readonly #served: ServedTools;
  readonly #settings: RouteSettings;
  readonly #answer: AnswerCarried;
  #known: { readonly version: number; readonly index: ActionIndex } | undefined;

  constructor(served: ServedTools, settings: RouteSettings, answer: AnswerCarried) {
    this.#served = served;
    this.#settings = settings;
    this.#answer = answer;
  }

  /** The tools of a view, of which those that find and call actions know what the view reaches. */
  route(tools: RoutedTools, reached: readonly CompiledTool[]): RoutedTools {
    // Routes are made with the first call; what they require has to be known before a caller is checked
    const { authorization } = this.#settings;
    for (const { actions, versions } of reached)
      for (const { requirements } of new Set([...actions, ...[...(versions?.values() ?? [])].flat()]))
        authorization.learn(requirements);
    const catalogue = new Catalogue(reached, {
      ...{ served: this.#served, settings: this.#settings, answer: this.#answer },
      index: () => this.#index(),
    });
    return new Map(
      [...tools].map(([name, tool]) => {
        const open = catalogue.opening(tool);
        return [name, open === undefined ? tool : { ...tool, open }];
      }),
    );
  }

  /** Made when somebody first looks for an action, and again after a change of the tools. */
  #index(): ActionIndex {
    const { views } = this.#served;
    if (this.#known?.version !== views.version) {
      const entries = views.reached?.entries ?? [];
      this.#known = {
        version: views.version,
        index: new ActionIndex(entries.map(({ set }) => set.prepared)),
      };
    }
    return this.#known.index;
  }
}

interface CatalogueParts {
  readonly served: ServedTools;
  readonly settings: RouteSettings;
  readonly answer: AnswerCarried;
  readonly index: () => ActionIndex;
}

/** An action of a view, and the tool that is this action by itself. */
interface FoundAction {
  readonly tool: CompiledTool;
  readonly listed: ActionDefinition;
  readonly reached: ReachedAction;
}

interface FoundActions {
  readonly finder: ActionFinder;
  readonly byKey: ReadonlyMap<string, FoundAction>;
}

/** The actions that the callers of one view see. */
class Catalogue {
  readonly #reached: readonly CompiledTool[];
  readonly #parts: CatalogueParts;
  readonly #routes = new Map<string, WeakMap<ActionDefinition, Route>>();
  #made: FoundActions | undefined;

  constructor(reached: readonly CompiledTool[], parts: CatalogueParts) {
    this.#reached = reached;
    this.#parts = parts;
  }

  /** What opens the calls of a tool; undefined for one that is an action by itself. */
  opening({ tool }: RoutedTool): RoutedTool['open'] {
    const { name } = tool.definition;
    if (tool.actions.length > 0) return undefined;
    if (name === FIND_ACTIONS) {
      const target = { kind: 'method', method: 'tools/call', name, handler: undefined } as const;
      const route = compileRoute(target, this.#parts.settings, ({ args }) =>
        resultOf(this.#actions().finder.find(args)),
      );
      return (args) => ({ route, args });
    }
    if (name !== READ_ACTION && name !== CALL_ACTION) return undefined;
    return (given, { context }) => this.#open(tool, given, context.meta[VERSIONS_META_KEY]);
  }

  #open(tool: CompiledTool, given: PlainObject, asked: unknown): OpenedAction {
    const { name } = tool.definition;
    const key = readMember(given, ACTION_ARGUMENT);
    if (typeof key !== 'string' || key === '') return missed(() => keyMissing(name, key));
    const { finder, byKey } = this.#actions();
    const found = byKey.get(key);
    if (found === undefined) return missed(() => unknownKey(name, key, finder.nearest(key)), true);
    return this.#take(tool, given, found, asked);
  }

  #take(tool: CompiledTool, given: PlainObject, found: FoundAction, asked: unknown): OpenedAction {
    const { name } = tool.definition;
    const { reached, listed } = found;
    if (reached.onlyTool !== undefined) return missed(() => onlyByTool(name, reached));
    const isRead = found.tool.definition.annotations.readOnlyHint === true;
    if (name === READ_ACTION && !isRead) return missed(() => actionRefused(name, reached));
    const { argumentNodes } = this.#parts.served;
    const tooMany = (): Outcome => tooManyValues(found.tool, listed, argumentNodes);
    if (hasMoreValues(given, argumentNodes + CARRYING_COUNT)) return missed(tooMany);
    const args = readCarried(given);
    if (args === undefined) return missed(() => carriedInvalid(found.tool, listed, given, reached.signature));
    // As a text it was one value
    if (hasMoreValues(args, argumentNodes)) return missed(tooMany);
    const isListed = asked === undefined && found.tool.versions === undefined;
    const chosen = isListed ? listed : chooseVersion(found.tool, listed, asked);
    if ('content' in chosen) return missed(() => resultOf(chosen));
    return { route: this.#route(tool, found, chosen), args };
  }

  /** Compiled with the first call. */
  #route(tool: CompiledTool, found: FoundAction, action: ActionDefinition): Route {
    const { name } = tool.definition;
    const routes = this.#routes.get(name) ?? new WeakMap<ActionDefinition, Route>();
    this.#routes.set(name, routes);
    const known = routes.get(action);
    if (known !== undefined) return known;
    const { settings, answer } = this.#parts;
    const { signature } = found.reached;
    const handle = answer(found.tool, action, { field: CARRIED_ARGUMENT, signature });
    const route = routeAction(targetOf(name, tool, action), action, settings, handle);
    routes.set(action, route);
    return route;
  }

  #actions(): FoundActions {
    if (this.#made !== undefined) return this.#made;
    const index = this.#parts.index();
    const byKey = new Map<string, FoundAction>();
    const seen = new Map<string, SeenAction>();
    for (const tool of this.#reached) {
      const [listed] = tool.actions;
      const place = index.findPlace(tool);
      const reached = index.actions[place ?? -1];
      if (listed === undefined || place === undefined || reached?.isForModels !== true) continue;
      const { key } = reached;
      // Older versions are tools as well: the one that calls can choose all versions of is the action
      if (countVersions(byKey.get(key)?.tool, listed) >= countVersions(tool, listed)) continue;
      byKey.set(key, { tool, listed, reached });
      const { readOnlyHint, destructiveHint } = tool.definition.annotations;
      const marks = { isReadOnly: readOnlyHint === true, isDestructive: destructiveHint === true };
      seen.set(key, { place, reached, ...marks, deprecated: listed.deprecated });
    }
    return (this.#made = { byKey, finder: new ActionFinder(index, [...seen.values()]) });
  }
}

function countVersions(tool: CompiledTool | undefined, { key }: ActionDefinition): number {
  return tool === undefined ? 0 : (tool.versions?.get(key)?.length ?? 1);
}

function missed(answer: () => Outcome, namesNothing = false): OpenedAction {
  return { answer, namesNothing };
}

function readMember(given: PlainObject, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

/** The arguments of the action; undefined for what is none. Models send an object as its JSON text. */
function readCarried(given: PlainObject): PlainObject | undefined {
  const isKnown = (name: string): boolean => name === ACTION_ARGUMENT || name === CARRIED_ARGUMENT;
  for (const name in given) if (!isKnown(name)) return undefined;
  const sent = readMember(given, CARRIED_ARGUMENT) ?? {};
  const read = typeof sent === 'string' ? parsed(sent) : sent;
  return isObject(read) ? read : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
