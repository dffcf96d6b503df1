import { LRUCache } from 'lru-cache';
import type { InstanceResolver } from '../../container/instance-resolver.ts';
import { ProblemList } from '../../errors/problem-list.ts';
import { versionsByKey } from '../../scanner/actions/action-versions.ts';
import type { ScannedTool } from '../../scanner/actions/scan-tools.ts';
import type { ScannedRequirements } from '../../scanner/requirements/scanned-requirements.ts';
import { allContracts, ContractCache } from '../contracts/input-contracts.ts';
import { compileCallable, type Binding, type CallableParts } from '../stages/compile-callable.ts';
import { classChain } from '../../metadata/records.ts';
import { propertyRecords } from '../../metadata/copied-properties.ts';
import { isClass } from '../../shared/class-type.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import { bindFeatures, callNeeds, featureWarnings, type Composition } from '../feature-parts.ts';
import { presentTool } from '../surfaces/present-tool.ts';
import type { Surface } from '../surfaces/surface.ts';
import type { ActionDefinition, CompiledTool } from './compiled-tool.ts';
import { commonSources, narrowTool, prepareTool } from './prepare-tool.ts';
import {
  checkToolNames,
  labelOf,
  type ListedTool,
  type PreparedAction,
  type PreparedTool,
} from './prepared-tool.ts';
import { besideReserved } from './reserved-arguments.ts';
import { visibleActions, type ToolFilter } from './tool-filter.ts';
import { wireForm } from '../../call/handler-value.ts';
import { compileOutput } from './compile-output.ts';

/** The tools made from one scanned tool: one, or one per action; filters select from them. */
export interface ToolSet {
  readonly name: string;
  readonly prepared: PreparedTool;
  readonly tools: readonly CompiledTool[];
  /**
   * The tools without the actions that a filter or a requirement hides, or that are off. The contracts stay those of the whole tool, and
   * filters that leave the same actions give the same tools.
   */
  readonly select: (
    filters: readonly ToolFilter[],
    disabled?: ReadonlySet<string>,
    isAdmitted?: IsAdmitted,
  ) => readonly CompiledTool[];
  /** The same actions on a surface, bound when they are first asked for. */
  readonly on: (surface: Surface) => ToolSet;
}

/** The forms that a prepared tool has on surfaces, as far as they are known. */
export type PresentedTools = Map<Surface, PreparedTool>;

/** Whether a caller may see what has the requirements. */
export type IsAdmitted = (requirements: ScannedRequirements | undefined) => boolean;

/** The number of different selections of one tool that are kept. */
const MOST_SELECTIONS = 256;
const NONE: ReadonlySet<string> = new Set();

/** Prepares and binds one scanned tool. @throws ToolwrightError for its first problem */
export function compileToolSet(
  source: ScannedTool,
  resolver: InstanceResolver,
  composition: Composition & Pick<Binding, 'argumentNodes'>,
): ToolSet {
  const problems = new ProblemList();
  const prepared = prepareTool(source, new ContractCache(problems), problems, {}, composition.features);
  problems.throwFirst();
  checkToolNames(prepared, problems);
  problems.throwFirst();
  return bindToolSet(prepared, { ...composition, resolver });
}

/** Binds a prepared tool to its instances. It creates no contracts and reports no problems. */
export function bindToolSet(
  prepared: PreparedTool,
  binding: Binding,
  presented: PresentedTools = new Map(),
): ToolSet {
  const tools = bindTool(prepared, binding);
  const sets = new Map<Surface, ToolSet>();
  const on: ToolSet['on'] = (surface) => {
    const known = sets.get(surface);
    if (known !== undefined) return known;
    const form = presented.get(surface) ?? presentTool(prepared, surface);
    const set = presentedSet(form, binding, on);
    sets.set(surface, set);
    return set;
  };
  return Object.freeze({
    name: prepared.scanned.name,
    prepared,
    tools,
    select: selector(prepared, tools, binding),
    on,
  });
}

function presentedSet(prepared: PreparedTool, binding: Binding, on: ToolSet['on']): ToolSet {
  let bound: Pick<ToolSet, 'tools' | 'select'> | undefined;
  const bind = (): Pick<ToolSet, 'tools' | 'select'> => {
    if (bound !== undefined) return bound;
    const tools = bindTool(prepared, binding);
    return (bound = { tools, select: selector(prepared, tools, binding) });
  };
  return Object.freeze({
    name: prepared.scanned.name,
    prepared,
    get tools() {
      return bind().tools;
    },
    select: (...given: Parameters<ToolSet['select']>) => bind().select(...given),
    on,
  });
}

function selector(
  prepared: PreparedTool,
  tools: readonly CompiledTool[],
  binding: Binding,
): ToolSet['select'] {
  const { actions, filtered } = prepared;
  const selections = new LRUCache<string, readonly CompiledTool[]>({ max: MOST_SELECTIONS });
  if (filtered !== undefined) selections.set(labelsOf(filtered.actions), bindTool(filtered, binding));
  return (filters, disabled = NONE, isAdmitted) => {
    const visible = visibleActions(actions, filters, disabled);
    const kept =
      isAdmitted === undefined ? visible : visible.filter(({ scanned }) => isAdmitted(scanned.requirements));
    if (kept.length === actions.length) return tools;
    if (kept.length === 0) return [];
    const key = labelsOf(kept);
    const known = selections.get(key);
    if (known !== undefined) return known;
    // If the filter hides a declaration that made two others agree, the field takes the types of both; each action
    // still checks its own
    const selection = bindTool(narrowTool(prepared, kept, new ProblemList()), binding);
    selections.set(key, selection);
    return selection;
  };
}

function labelsOf(actions: readonly PreparedAction[]): string {
  return JSON.stringify(actions.map(({ scanned }) => labelOf(scanned)));
}

function bindTool({ scanned, listed }: PreparedTool, binding: Binding): readonly CompiledTool[] {
  // Also of a group that is listed as several tools: a model may call the wrong one of them
  const hasSensitive = listed.some(({ offered }) => offered.some(isSensitive));
  return Object.freeze(listed.map((tool) => bindListed(scanned, { ...tool, hasSensitive }, binding)));
}

function isSensitive({ contracts }: PreparedAction): boolean {
  return allContracts(contracts).some(({ redaction }) => redaction !== undefined);
}

function bindListed(
  scanned: ScannedTool,
  listedTool: ListedTool & { readonly hasSensitive: boolean },
  binding: Binding,
): CompiledTool {
  const { definition, discriminator, actions: listed, offered: prepared, hasSensitive } = listedTool;
  const toolFields = new Set(
    prepared.flatMap(({ contracts, reserved }) => [
      ...contracts.owners.keys(),
      ...reserved.map(({ name }) => name),
    ]),
  );
  const place = { discriminator, toolFields, hasSensitive };
  const offered = new Map(
    prepared.map((action) => [action, bindAction(scanned, action, place, binding)] as const),
  );
  const actions = listed.map((action) => offered.get(action) as ActionDefinition);
  return Object.freeze({
    name: scanned.name,
    definition,
    tags: scanned.tags,
    discriminator,
    actions: Object.freeze(actions),
    // A real map: `constructor` and `__proto__` are unknown like any other name
    byKey: new Map(actions.map((action) => [action.key, action])),
    versions: versionsOf([...offered.values()]),
  });
}

/** The versions that a call can choose from; undefined for a tool without versions and deprecations. */
function versionsOf(offered: readonly ActionDefinition[]): CompiledTool['versions'] {
  const isPlain = offered.every(
    ({ version, deprecated }) => version === undefined && deprecated === undefined,
  );
  return isPlain ? undefined : versionsByKey(offered);
}

/** Binds one action: input, chain and conversion. */
function bindAction(
  tool: ScannedTool,
  prepared: PreparedAction,
  place: Pick<CallableParts, 'discriminator' | 'toolFields' | 'hasSensitive'>,
  binding: Binding,
): ActionDefinition {
  const { scanned, contracts, output, reserved, facts, requiredFields } = prepared;
  const { key, version, name, group, title, description, tags, hasMiddleware, task, queue } = scanned;
  const { isDestructive, isReadOnly, isIdempotent } = scanned;
  const { features } = binding;
  const common = commonSources(tool, scanned);
  const needs = callNeeds(scanned, features);
  const read = reserved.length === 0 ? {} : { read: besideReserved(reserved) };
  return Object.freeze({
    key,
    version,
    deprecated: facts.deprecated,
    name,
    group,
    title,
    description,
    isDestructive,
    isReadOnly,
    isIdempotent,
    tags,
    hasMiddleware,
    hasOutput: output !== undefined,
    isPaged: output !== undefined && isPaged(scanned.output),
    task,
    queue,
    requiredFields,
    countsCalls: needs.countsCalls === true,
    convert: compileOutput(scanned.result, output),
    convertForWire: compileOutput(wireForm(scanned.result), output),
    shownOutput: output?.redaction?.shown,
    // Last, because V8 gives every object that begins with a spread a hidden class of its own
    ...compileCallable(
      scanned,
      {
        contracts,
        common,
        warnings: featureWarnings(prepared, features),
        bound: bindFeatures(prepared, features),
        needs,
        ...place,
        ...read,
      },
      binding,
    ),
  });
}

/** Whether an output has a list that may be cut. */
function isPaged(output: SchemaSource | undefined): boolean {
  return isClass(output) && classChain(output).some((type) => propertyRecords(type, 'page').length > 0);
}
