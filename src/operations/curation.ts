import type { Problem, ProblemList } from '../errors/problem-list.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import {
  aFunction,
  either,
  filledText,
  listOf,
  oneOf,
  rule,
  type OptionRules,
} from '../shared/option-rules.ts';
import { isPlainObject } from '../shared/json.ts';
import { isOfferedHeader } from './http/headers.ts';
import type { CompiledInput } from './inputs.ts';
import { isFinal } from './left-out.ts';
import { actionName, checkNames, groupFromPath, groupName } from './names.ts';
import type { Operation, OperationFacts, OperationHints } from './operation.ts';
import { exactness, isExact, isMatch, namesFor, type OperationPattern, type Views } from './patterns.ts';
import { reportSettings, type OperationSettings } from './settings.ts';

/** What callers have to be, by the metadata that an application has about its own operations. */
export type Requirements = (
  operation: OperationFacts,
  metadata: (key: string) => unknown,
) => Pick<OperationSettings, 'roles' | 'scopes' | 'policy'> | undefined;

/** Which operations become actions, and how. */
export interface CurationOptions {
  /** The operations that are offered. Default: all but those that are left out for a reason. */
  readonly include?: readonly OperationPattern[];
  /** The operations that are not offered. Default: none. */
  readonly exclude?: readonly OperationPattern[];
  /** How many actions there may be; `Infinity` lifts the limit. Default 40. */
  readonly maxActions?: number;
  /** What makes a group: the tag or the controller, the path, or what a function says. Default `tag`. */
  readonly group?: 'tag' | 'path' | ((operation: OperationFacts) => string);
  /** What is said about actions, by patterns; the most exact pattern wins, for each member alone. Default: nothing. */
  readonly actions?: Readonly<Record<string, OperationSettings>>;
  /** Requirements by the application's own metadata, such as `metadata('roles')`. Default: none. */
  readonly requirements?: Requirements;
  /**
   * The header in which each write carries a key of its call, such as `Idempotency-Key`: that of the caller where the
   * action takes one, else a new one. Default: none.
   */
  readonly idempotency?: string;
  /**
   * A file with a selection, which `toolwright import … --write` writes: `./toolwright.api.json`. It counts from the current
   * folder, and options count more than it. Default: none.
   */
  readonly curation?: string;
}

const aPattern = either(
  rule('a pattern', (value) => typeof value === 'string' && value !== ''),
  aFunction,
);

export const CURATION_RULES: OptionRules<CurationOptions> = {
  include: listOf(aPattern, 'a list of patterns'),
  exclude: listOf(aPattern, 'a list of patterns'),
  maxActions: rule(
    'a whole number above 0, or Infinity',
    (value) => value === Infinity || (Number.isSafeInteger(value) && (value as number) > 0),
  ),
  group: either(oneOf('tag', 'path'), aFunction),
  actions: rule(
    'an object of settings by patterns',
    (value) => isPlainObject(value) && Object.values(value).every(isPlainObject),
  ),
  requirements: aFunction,
  curation: filledText,
  idempotency: rule(
    'the name of a header, such as Idempotency-Key',
    (value) => typeof value === 'string' && /^[\w-]+$/.test(value) && isOfferedHeader(value),
  ),
};

/** An operation that is offered, with what is said about it. */
export interface OfferedOperation extends Operation {
  readonly settings: OperationSettings;
  /** Its input by these settings, where reading it has compiled it. */
  readonly input?: CompiledInput;
}

const MAX_ACTIONS = 40;

/** All operations under their final names: what is offered, and what is left out. */
export interface Curated {
  readonly offered: readonly OfferedOperation[];
  readonly leftOut: readonly Operation[];
  /** A list for `include` that stays within limits, and offers nothing that is not offered now. */
  readonly suggest: (limits: SelectionLimits) => readonly string[];
}

/** How much a selection may be. */
export interface SelectionLimits {
  readonly maxActions: number;
  readonly maxTokens?: number | undefined;
  /** The tokens of each group, where they were counted. */
  readonly tokens?: ReadonlyMap<string, number>;
}

/** Selects and names operations. It reports what cannot work. */
export function curate(
  operations: readonly Operation[],
  options: CurationOptions,
  prefix: string,
  problems: ProblemList,
): Curated {
  const all = operations.map((operation) => settleOperation(operation, options, prefix));
  checkPatterns(all, options, problems);
  for (const settled of all) reportUnofferable(settled, options, problems);
  const selected = all.filter((settled) => isOffered(settled, options)).map(({ operation }) => operation);
  const offered = withoutLoneVersions(selected);
  checkNames(offered, problems);
  for (const operation of offered) reportContradiction(operation, problems);
  const suggest = (limits: SelectionLimits): readonly string[] =>
    suggestInclude(all, offered, options, limits);
  const maxActions = limitFrom(options);
  if (offered.length > maxActions) {
    const { code, ...facts } = tooMany(offered, { maxActions }, suggest);
    problems.add(code, facts);
  }
  // Where a pattern fits nothing, that is the reason
  if (offered.length === 0 && problems.problems.length === 0) {
    problems.add('TW_OPERATIONS_NONE', {
      where: 'the application',
      what: `offers no operation: ${String(all.length)} are known, and all are left out.`,
      fix: "include: ['tasks.*'], with a group of the plan",
    });
  }
  const leftOut = all.map(({ operation }) => operation).filter((operation) => !selected.includes(operation));
  return { offered, leftOut, suggest };
}

function isOffered(
  { operation: { leftOut }, views }: SettledOperation,
  { include, exclude = [] }: CurationOptions,
): boolean {
  if (exclude.some((pattern) => isMatch(pattern, views))) return false;
  if (leftOut === undefined) {
    return include === undefined || include.some((pattern) => isMatch(pattern, views));
  }
  return !isFinal(leftOut) && include?.some((pattern) => isExact(pattern, views)) === true;
}

function reportUnofferable(
  { operation, views }: SettledOperation,
  { include = [] }: CurationOptions,
  problems: ProblemList,
): void {
  const { leftOut } = operation;
  if (leftOut === undefined || !isFinal(leftOut)) return;
  if (!include.some((pattern) => isExact(pattern, views))) return;
  problems.add('TW_OPERATIONS_UNOFFERABLE', {
    where: operation.origin,
    what: `is named, and cannot be an action: ${leftOut.note}.`,
    fix: `remove '${operation.key}' from include`,
  });
}

interface SettledOperation {
  readonly operation: OfferedOperation;
  readonly views: Views;
}

/** Groups in groups are those of tags, and another group is in none of them. */
const NO_PARENTS: readonly string[] = Object.freeze([]);

/** Names come first, so that all other settings may use the names that are shown. */
function settleOperation(operation: Operation, options: CurationOptions, prefix: string): SettledOperation {
  const derived = groupName(derivedGroup(operation, options, prefix));
  const before = [operation, { ...operation, group: derived }];
  const { declared = {} } = operation;
  const names = { ...declared, ...mergeSettings(before, options) };
  const group = names.group === undefined ? derived : groupName(names.group);
  const name = actionName(names.name ?? operation.name, group, operation.key);
  const views = [...before, { ...operation, group, name }];
  const required = options.requirements?.(operation, operation.metadata) ?? {};
  const settings = Object.freeze({ ...declared, ...required, ...mergeSettings(views, options) });
  const { title = operation.title, description = operation.description } = settings;
  const settled = Object.freeze({
    ...operation,
    parents: group === operation.group ? (operation.parents ?? []) : NO_PARENTS,
    settings,
    group,
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    hints: hintsFor(operation, settings),
  });
  return { operation: settled, views };
}

function derivedGroup(operation: Operation, { group = 'tag' }: CurationOptions, prefix: string): string {
  if (group === 'tag') return operation.group;
  return group === 'path' ? groupFromPath(operation.path, prefix) : group(operation);
}

function hintsFor({ hints }: Operation, settings: OperationSettings): OperationHints {
  const asks = asksPerson(settings);
  const { destructive = hints.destructive || asks } = settings;
  const idempotent = settings.idempotent === undefined ? hints.idempotent : settings.idempotent !== false;
  const readOnly = settings.readOnly ?? (settings.destructive === true || asks ? false : hints.readOnly);
  return Object.freeze({ readOnly, destructive: !readOnly && destructive, idempotent });
}

function asksPerson({ confirm = false }: OperationSettings): boolean {
  return confirm !== false;
}

function reportContradiction({ origin, key, settings }: OfferedOperation, problems: ProblemList): void {
  const { readOnly, destructive } = settings;
  if (!asksPerson(settings) || (readOnly !== true && destructive !== false)) return;
  const other = readOnly === true ? 'readOnly: true' : 'destructive: false';
  problems.add('TW_OPERATIONS_SETTINGS', {
    where: origin,
    what: `has the settings confirm: ${confirmText(settings)} and ${other}.`,
    why: 'a person is asked before what may destroy something, so one of the two would be ignored.',
    fix: `remove ${other}, or write actions: { '${key}': { confirm: false } }`,
  });
}

function confirmText({ confirm }: OperationSettings): string {
  return typeof confirm === 'string' ? `'${confirm}'` : String(confirm);
}

/** Where an action has one version alone, it needs none. */
function withoutLoneVersions(operations: readonly OfferedOperation[]): readonly OfferedOperation[] {
  const counts = new Map<string, number>();
  const nameFor = ({ group, name }: Operation): string => `${group}.${name}`;
  for (const operation of operations)
    counts.set(nameFor(operation), (counts.get(nameFor(operation)) ?? 0) + 1);
  return operations.map((operation) => {
    if (operation.version === undefined || (counts.get(nameFor(operation)) ?? 0) > 1) return operation;
    const { version: _version, ...rest } = operation;
    return Object.freeze(rest);
  });
}

/** The settings of all patterns that fit, the most exact one last. */
function mergeSettings(views: Views, { actions = {} }: CurationOptions): OperationSettings {
  const fitting = Object.entries(actions)
    .filter(([pattern]) => isMatch(pattern, views))
    .sort(([left], [right]) => exactness(left) - exactness(right));
  return Object.assign({}, ...fitting.map(([, settings]) => settings)) as OperationSettings;
}

function checkPatterns(
  settled: readonly SettledOperation[],
  { include = [], exclude = [], actions = {} }: CurationOptions,
  problems: ProblemList,
): void {
  const all = settled.flatMap(({ views }) => views);
  const patterns = [...include, ...exclude, ...Object.keys(actions)];
  for (const pattern of patterns) {
    if (typeof pattern === 'function' || isMatch(pattern, all)) continue;
    const known = new Set(
      all.flatMap((each) => [...namesFor(each), `${each.group}.*`, ...each.tags.map((tag) => `#${tag}`)]),
    );
    problems.add('TW_OPERATIONS_PATTERN', {
      where: `the pattern '${pattern}'`,
      what: 'fits no operation.',
      fix:
        didYouMean(pattern, known) ??
        `write one of ${[...new Set(all.map(({ group }) => `'${group}.*'`))].slice(0, 10).join(', ')}`,
    });
  }
  for (const [pattern, settings] of Object.entries(actions)) {
    reportLateNames(pattern, settings, settled, problems);
    reportSettings(`actions['${pattern}']`, settings, problems);
  }
  for (const { operation } of settled) {
    if (operation.declared !== undefined)
      reportSettings(`${operation.origin}, x-mcp`, operation.declared, problems);
  }
}

/** A name that is shown cannot decide what is shown. */
function reportLateNames(
  pattern: string,
  { group, name }: OperationSettings,
  settled: readonly SettledOperation[],
  problems: ProblemList,
): void {
  const setting = group !== undefined ? 'group' : name !== undefined ? 'name' : undefined;
  const fitting = settled.filter(({ views }) => isMatch(pattern, views));
  const [first] = fitting;
  if (setting === undefined || first === undefined) return;
  if (fitting.some(({ views }) => isMatch(pattern, views.slice(0, -1)))) return;
  problems.add('TW_OPERATIONS_PATTERN', {
    where: `actions['${pattern}']`,
    what: `has the setting ${setting}, and fits only names that other settings give.`,
    fix: `write '${first.operation.key}', or another name that it had before`,
  });
}

/** How many actions may be offered. */
export function limitFrom({ maxActions = MAX_ACTIONS }: CurationOptions): number {
  return maxActions;
}

/** What to say where a selection is over its limits, with a line that works. */
export function tooMany(
  offered: readonly Operation[],
  limits: SelectionLimits,
  suggest: Curated['suggest'],
): Problem {
  const { maxActions, maxTokens = Infinity, tokens } = limits;
  const counts = countGroups(offered).toReversed();
  const all = [...(tokens?.values() ?? [])].reduce((sum, each) => sum + each, 0);
  const isOver = offered.length > maxActions;
  const [have, most] = isOver
    ? [`${String(offered.length)} actions`, String(maxActions)]
    : [`actions of ${all.toLocaleString('en')} tokens`, maxTokens.toLocaleString('en')];
  const lift = isOver ? `maxActions: ${String(offered.length)}` : `maxTokens: ${String(all)}`;
  const groups = counts.map(([group, count]) => {
    const cost = tokens?.get(group);
    return `${group} ${String(count)}${cost === undefined ? '' : ` (${cost.toLocaleString('en')} tokens)`}`;
  });
  const include = suggest(limits);
  return {
    code: 'TW_OPERATIONS_TOO_MANY',
    where: 'the application',
    what: `would offer ${have}, and at most ${most} are allowed: ${groups.join(', ')}.`,
    why: 'models choose badly among many actions, and each of them costs tokens in every conversation.',
    fix: `${include.length === 0 ? '' : `include: [${include.map(quoted).join(', ')}], or `}${lift}`,
  };
}

function quoted(pattern: string): string {
  return `'${pattern}'`;
}

/** The number of operations in each group, the smallest first. */
function countGroups(operations: readonly Operation[]): readonly (readonly [group: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { group } of operations) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].sort((left, right) => left[1] - right[1]);
}

/** Whole groups, the smallest first; where none fits, operations of the smallest, reads first. */
function suggestInclude(
  all: readonly SettledOperation[],
  offered: readonly OfferedOperation[],
  options: CurationOptions,
  { maxActions, maxTokens = Infinity, tokens }: SelectionLimits,
): readonly string[] {
  const chosen: string[] = [];
  let [actions, cost] = [0, 0];
  for (const [group, count] of countGroups(offered)) {
    const own = tokens?.get(group) ?? 0;
    if (actions + count > maxActions || cost + own > maxTokens) continue;
    [actions, cost] = [actions + count, cost + own];
    const keys = offered.filter((operation) => operation.group === group).map(({ key }) => key);
    const pattern = `${group}.*`;
    // A group may have members that another pattern keeps away
    const found = all.filter((each) => isOffered(each, { ...options, include: [pattern] }));
    chosen.push(...(found.every(({ operation }) => keys.includes(operation.key)) ? [pattern] : keys));
  }
  return chosen.length > 0
    ? chosen
    : suggestMembers(offered, { maxActions, maxTokens, tokens: tokens ?? new Map() });
}

function suggestMembers(
  offered: readonly OfferedOperation[],
  { maxActions, maxTokens, tokens }: Required<SelectionLimits>,
): readonly string[] {
  const [[smallest] = ['']] = countGroups(offered);
  const members = offered.filter(({ group }) => group === smallest);
  const reads = members.filter(({ hints }) => hints.readOnly);
  const sorted = [...reads, ...members.filter(({ hints }) => !hints.readOnly)];
  const share = (maxTokens ?? Infinity) / Math.max(1, tokens.get(smallest) ?? 0);
  return sorted.slice(0, Math.min(maxActions, Math.floor(members.length * share))).map(({ key }) => key);
}
