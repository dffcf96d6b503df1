import { LRUCache } from 'lru-cache';
import type { CallToolResult } from '../../call/results.ts';
import type {
  ActionDefinition,
  CompiledTool,
  CompiledToolDefinition,
} from '../../compile/tools/compiled-tool.ts';
import {
  copyFilter,
  FILTER_RULES,
  filterKey,
  isOpenFilter,
  type ToolFilter,
} from '../../compile/tools/tool-filter.ts';
import { refuseOptions } from '../../errors/option-errors.ts';
import { isPlainObject } from '../../shared/json.ts';
import { check, parseConstraint, type Constraint } from '../../version/constraint.ts';
import { InvalidConstraintError } from '../../version/version.ts';
import { constraintInvalid, versionUnavailable } from './call-failures.ts';
import type { IsAdmitted, ToolSet } from '../../compile/tools/compile-tool-set.ts';
import type { ContextFactory } from './context-factory.ts';
import type { RouteOptions } from '../routes/route-options.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import { ACTION_ARGUMENT, createFindingTools } from '../../compile/surfaces/finding-tools.ts';
import { checkSurfaces, formTools } from '../../compile/surfaces/fit-surface.ts';
import type { Surface, SurfaceSettings } from '../../compile/surfaces/surface.ts';
import { ProblemList } from '../../errors/problem-list.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';

/** @throws ToolwrightError for a condition that does not exist or is not a list: it would hide nothing. */
function checkFilter(filter: ToolFilter): void {
  refuseOptions('TW_REGISTRY_OPTION', 'a filter', filter, FILTER_RULES);
}

/** The tools that one filter leaves: what is listed is exactly what can be called. */
export interface ToolView {
  readonly definitions: readonly CompiledToolDefinition[];
  readonly names: readonly string[];
  readonly tools: ReadonlyMap<string, CompiledTool>;
  /** The same in their order, also those whose names are equal. */
  readonly all: readonly CompiledTool[];
  /** The tools that are found first, and called by the keys of their actions; undefined where all are listed. */
  readonly reached: readonly CompiledTool[] | undefined;
}

/** The tools of a registry as the clients of one service see them. */
export interface ServedTools extends RouteOptions {
  readonly views: ToolViews;
  /** Hides from the list and from calls alike; undefined hides nothing more than the registry does. */
  readonly filter: ToolFilter | undefined;
  /** Makes the context of a call; undefined makes none. */
  readonly contextOf: ContextFactory | undefined;
  /** Whether calls are only checked: nothing of an action runs but its rules. */
  readonly checksOnly?: boolean;
}

/** What views of callers are kept by, so that those of all surfaces together are not too many. */
class ViewKeys {
  readonly #known: LRUCache<string, object>;

  constructor(max: number) {
    this.#known = new LRUCache({ max });
  }

  /** One object for equal verdicts on a surface; another one after it was pushed out by others. */
  keyFor(surface: string, { bits }: Verdicts): object {
    const name = `${surface} ${bits}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const made = {};
    this.#known.set(name, made);
    return made;
  }
}

/** As many filters are kept with what they leave of all tools. */
const MOST_VIEWS = 256;

/** The tools of a registry, as filters leave them. */
export class ToolViews {
  readonly #filter: ToolFilter;
  /** By size, because `max` would take the memory for all of them at once. */
  readonly #known = new LRUCache<string, ToolView>({ maxSize: MOST_VIEWS, sizeCalculation: () => 1 });
  /** By the view of all callers, which is another one after each change. */
  readonly #pruned = new WeakMap<ToolView, WeakMap<object, ToolView>>();
  /** Copies of filters, which cannot change any more. */
  readonly #checked = new WeakSet<ToolFilter>();
  #entries: readonly ToolEntry[] = [];
  /** The one that most calls need, which is looked up without its key. */
  #whole: ToolView | undefined;
  /** Goes up with each change of the tools. */
  version = 0;

  readonly #surfaces: SurfaceSettings | undefined;
  /** Those that were asked for, by surface. */
  readonly #presented = new Map<Surface, ToolViews>();
  /** Undefined where the verdicts alone are the key. */
  readonly #keys: ViewKeys | undefined;
  readonly #surface: string;
  /** The views of all that is found first; undefined where everything is listed. */
  readonly reached: ToolViews | undefined;

  /** @param filter of the registry itself @param whole the views of the surface `own`, for those of another one */
  constructor(
    filter: ToolFilter,
    surfaces?: SurfaceSettings,
    whole?: { readonly of: ToolViews; readonly surface: Surface },
  ) {
    this.#filter = filter;
    this.#surfaces = surfaces;
    this.#surface = whole?.surface.key ?? 'own';
    this.reached = whole?.surface.reaches && whole.of.on(whole.surface.reaches);
    this.#keys = whole === undefined ? surfaces && new ViewKeys(surfaces.maxViews) : whole.of.#keys;
  }

  /** The same tools on a surface, also after changes. */
  on(surface: Surface): ToolViews {
    const known = this.#presented.get(surface);
    if (known !== undefined) return known;
    const views = new ToolViews(this.#filter, undefined, { of: this, surface });
    views.#take(this.#entries.map((entry) => entry.on(surface)));
    this.#presented.set(surface, views);
    return views;
  }

  get entries(): readonly ToolEntry[] {
    return this.#entries;
  }

  /** All or nothing: a name that is taken leaves everything as it was. */
  set entries(entries: readonly ToolEntry[]) {
    const names = new Set<string>();
    for (const name of entries.flatMap((entry) => entry.listedNames)) {
      if (names.has(name)) throw nameTaken(name);
      names.add(name);
    }
    if (this.#surfaces !== undefined) checkEntries(entries, this.#surfaces);
    this.#take(entries);
    for (const [surface, views] of this.#presented) views.#take(entries.map((entry) => entry.on(surface)));
  }

  #take(entries: readonly ToolEntry[]): void {
    this.#entries = Object.freeze(entries);
    this.#known.clear();
    this.#whole = undefined;
    this.version += 1;
    if (!isOpenFilter(this.#filter)) this.of(undefined);
  }

  /** A copy of a filter that is looked at now, and not with the first request. */
  check(filter: ToolFilter): ToolFilter {
    const copy = copyFilter(filter);
    this.#checked.add(copy);
    this.of(copy);
    return copy;
  }

  of(filter: ToolFilter | undefined): ToolView {
    if (filter === undefined && this.#whole !== undefined) return this.#whole;
    // Before the look-up: of a filter that is misspelt the same would remain as of none
    if (filter !== undefined && !this.#checked.has(filter)) checkFilter(filter);
    const key = filter === undefined ? '' : filterKey(filter);
    let view = this.#known.get(key);
    if (view === undefined) {
      view = this.#select(filter, undefined, this.reached?.of(filter));
      this.#known.set(key, view);
    }
    if (filter === undefined) this.#whole = view;
    return view;
  }

  /** What callers with these verdicts see. It is kept as long as the verdicts are. */
  seenBy(verdicts: Verdicts, filter: ToolFilter | undefined): ToolView {
    const whole = this.of(filter);
    const pruned = this.#pruned.get(whole) ?? new WeakMap<object, ToolView>();
    this.#pruned.set(whole, pruned);
    const key = this.#keys?.keyFor(this.#surface, verdicts) ?? verdicts;
    let view = pruned.get(key);
    if (view === undefined) {
      const reached = this.reached?.seenBy(verdicts, filter);
      view = this.#select(filter, (requirements) => verdicts.admits(requirements), reached);
      pruned.set(key, view);
    }
    return view;
  }

  #select(filter: ToolFilter | undefined, isAdmitted?: IsAdmitted, reached?: ToolView): ToolView {
    const filters = filter === undefined ? [this.#filter] : [this.#filter, filter];
    const selected = this.#entries.flatMap((entry) => entry.select(filters, isAdmitted));
    if (reached === undefined) return createToolView(selected);
    const definitions = reached.all.map(({ definition }) => definition);
    const finding = createFindingTools(definitions).map(toFindingTool);
    return createToolView([...finding, ...selected], reached.all);
  }
}

/** It has no actions: what it does is looked up in the view. */
function toFindingTool(definition: CompiledToolDefinition): CompiledTool {
  const { name } = definition;
  const nothing = { tags: [], actions: [], byKey: new Map<string, never>(), versions: undefined };
  return Object.freeze({ name, definition, discriminator: ACTION_ARGUMENT, ...nothing });
}

/** @throws ToolwrightError for names that clients of a surface could not call */
function checkEntries(entries: readonly ToolEntry[], surfaces: SurfaceSettings): void {
  const problems = new ProblemList();
  checkSurfaces(formTools(entries.map(({ set }) => set)), surfaces, problems);
  problems.throwFirst();
}

function createToolView(tools: readonly CompiledTool[], reached?: readonly CompiledTool[]): ToolView {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return Object.freeze({
    definitions: Object.freeze(tools.map((tool) => tool.definition)),
    names: Object.freeze([...byName.keys()]),
    tools: byName,
    all: Object.freeze(tools),
    reached,
  });
}

/** Longer texts are no range that anybody wrote. */
const LONGEST_CONSTRAINT = 256;

/**
 * The version of an action that a call runs: the listed one unless the call asks for others, else the newest of the
 * action's versions in the range it asks for. A prerelease is only in a range that names one.
 * @param asked what the call says of versions, unchecked
 */
export function chooseVersion(
  tool: CompiledTool,
  listed: ActionDefinition,
  asked: unknown,
): ActionDefinition | CallToolResult {
  if (asked === undefined) return listed;
  if (typeof asked !== 'string' && !isPlainObject(asked)) {
    return constraintInvalid(
      tool,
      listed,
      'The versions of the call are neither a range nor an object',
      asked,
    );
  }
  const text = typeof asked === 'string' ? asked : rangeFor(listed.key, asked);
  if (text === undefined) return listed;
  const constraint = readConstraint(text);
  if (typeof constraint === 'string') return constraintInvalid(tool, listed, constraint, text);
  const versions = tool.versions?.get(listed.key) ?? [];
  const chosen = versions.find(({ version }) => version !== undefined && check(constraint, version));
  return chosen ?? versionUnavailable(tool, listed, constraint, versions);
}

function rangeFor(key: string, asked: Readonly<Record<string, unknown>>): unknown {
  return Object.hasOwn(asked, key) ? asked[key] : undefined;
}

/** The range, or what is wrong with it. */
function readConstraint(given: unknown): Constraint | string {
  if (typeof given === 'string' && given.length > LONGEST_CONSTRAINT) {
    return `A range of versions has at most ${String(LONGEST_CONSTRAINT)} characters`;
  }
  try {
    return parseConstraint(given as string);
  } catch (error) {
    if (error instanceof InvalidConstraintError) return `${error.where} is not a range of versions`;
    throw error;
  }
}

/** A registered tool, and what of it is switched off. Immutable; a change makes a new entry. */
export class ToolEntry {
  readonly set: ToolSet;
  readonly #disabled: ReadonlySet<string>;

  constructor(set: ToolSet, disabled: ReadonlySet<string> = new Set()) {
    this.set = set;
    this.#disabled = disabled;
  }

  get name(): string {
    return this.set.name;
  }

  /** The names under which it is listed when nothing is filtered or switched off. */
  get listedNames(): readonly string[] {
    return this.set.prepared.listed.map(({ definition }) => definition.name);
  }

  /** The same on a surface. */
  on(surface: Surface): ToolEntry {
    return this.as(this.set.on(surface));
  }

  /** Puts another form in its place, with the same actions off. */
  as(set: ToolSet): ToolEntry {
    return new ToolEntry(set, this.#disabled);
  }

  /** What filters, and perhaps the requirements, leave of what is on. */
  select(filters: readonly ToolFilter[], isAdmitted?: IsAdmitted): readonly CompiledTool[] {
    return this.set.select(filters, this.#disabled, isAdmitted);
  }

  /** The entry with actions switched off; without actions, with all of them off. */
  disable(actions: readonly string[]): ToolEntry {
    return new ToolEntry(this.set, new Set([...this.#disabled, ...this.#known(actions)]));
  }

  enable(actions: readonly string[]): ToolEntry {
    const enabled = new Set(this.#known(actions));
    return new ToolEntry(this.set, new Set([...this.#disabled].filter((key) => !enabled.has(key))));
  }

  #known(actions: readonly string[]): readonly string[] {
    // With flat exposition the versions of an action are tools of one key
    const keys = [...new Set(this.set.tools.flatMap((tool) => tool.actions.map((action) => action.key)))];
    if (actions.length === 0) return keys;
    const unknown = actions.find((key) => !keys.includes(key));
    if (unknown !== undefined) throw unknownAction(this.name, unknown, keys);
    return actions;
  }
}

function unknownAction(tool: string, key: string, keys: readonly string[]): ToolwrightError {
  return new ToolwrightError('TW_REGISTRY_ACTION_UNKNOWN', {
    where: `tool "${tool}"`,
    what: `has no action "${key}".`,
    fix: didYouMean(key, keys) ?? `use one of ${keys.join(', ')}`,
  });
}

function nameTaken(name: string): ToolwrightError {
  return new ToolwrightError('TW_REGISTRY_NAME_TAKEN', {
    where: `tool "${name}"`,
    what: 'is registered already.',
    why: 'a call is routed by the name of its tool, so every name has to be unique.',
    fix: 'give one of the two another name',
  });
}

export function nameUnknown(name: string, known: readonly string[]): ToolwrightError {
  return new ToolwrightError('TW_REGISTRY_NAME_UNKNOWN', {
    where: `tool "${name}"`,
    what: 'is not registered.',
    fix: didYouMean(name, known) ?? 'register() it first',
  });
}

export function notRegistrable(): ToolwrightError {
  return new ToolwrightError('TW_REGISTRY_NOT_A_TOOL', {
    where: 'register()',
    what: 'got something that is not a tool builder.',
    fix: 'register(createTool("name").action({ name, handler }))',
  });
}
