import type { ProblemList } from '../errors/problem-list.ts';
import type { PolicyFunction, PolicyObject } from '../index.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { aFunction, either, listOf, oneOf, rule, type OptionRules } from '../shared/option-rules.ts';
import { isPlainObject } from '../shared/json.ts';
import { isFinal } from './left-out.ts';
import { actionName, checkNames, groupFromPath, groupName } from './names.ts';
import type { Operation, OperationFacts, OperationHints } from './operation.ts';

/** Selects operations: `GET /tasks/*`, `tasks.*`, `#tag`, `Controller.member`, or a function. */
export type OperationPattern = string | ((operation: OperationFacts) => boolean);

/** What is said about the actions that a pattern selects. */
export interface OperationSettings {
  /** The name of the group. */
  readonly group?: string;
  /** The name of the action. */
  readonly name?: string;
  /** The name for people. */
  readonly title?: string;
  /** What it does, for models. */
  readonly description?: string;
  /** It changes nothing: for a POST that searches. */
  readonly readOnly?: boolean;
  /** It may destroy something. */
  readonly destructive?: boolean;
  /** Running it twice has the effect of running it once. */
  readonly idempotent?: boolean;
  /** Whether it reaches systems outside of the application. */
  readonly openWorld?: boolean;
  /** Asks a person before each call, as `@Destructive({ confirm })` does: so the action is destructive. */
  readonly confirm?: boolean | 'twice' | 'url';
  /** Scopes that a token needs. */
  readonly scopes?: readonly string[];
  /** Roles, of which a caller needs one. */
  readonly roles?: readonly string[];
  /** A policy that callers pass. */
  readonly policy?: PolicyFunction | PolicyObject;
  /** What stays of an answer: `['id', 'owner.name']`, through lists. */
  readonly fields?: readonly string[];
  /** Fields that models do not see; those of `defaults` are sent all the same. */
  readonly hide?: readonly string[];
  /** Values of fields that a call leaves out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** How the answer becomes text. Default `json`. */
  readonly result?: 'json' | 'toon' | 'text';
  /** Milliseconds that a call may take. */
  readonly timeout?: number;
}

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
};

const ACTION_SETTINGS = [
  ...[
    'group',
    'name',
    'title',
    'description',
    'readOnly',
    'destructive',
    'idempotent',
    'openWorld',
    'confirm',
  ],
  ...['scopes', 'roles', 'policy', 'fields', 'hide', 'defaults', 'result', 'timeout'],
];

/** An operation that is offered, with what is said about it. */
export interface OfferedOperation extends Operation {
  readonly settings: OperationSettings;
}

const MAX_ACTIONS = 40;

/** All operations under their final names: what is offered, and what is left out. */
export interface Curated {
  readonly offered: readonly OfferedOperation[];
  readonly leftOut: readonly Operation[];
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
  if (offered.length > (options.maxActions ?? MAX_ACTIONS)) reportTooMany(offered, options, problems);
  // Where a pattern fits nothing, that is the reason
  if (offered.length === 0 && problems.problems.length === 0) {
    problems.add('TW_OPERATIONS_NONE', {
      where: 'the application',
      what: `offers no operation: ${String(all.length)} are known, and all are left out.`,
      fix: "include: ['tasks.*'], with a group of the plan",
    });
  }
  const leftOut = all.map(({ operation }) => operation).filter((operation) => !selected.includes(operation));
  return { offered, leftOut };
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

/** Named by the word itself. What selects many, as a tag or a function may, does not lift a reason by accident. */
function isExact(pattern: OperationPattern, views: Views): boolean {
  return typeof pattern === 'string' && views.some((view) => namesFor(view).includes(pattern));
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

/** An operation as patterns may know it: as it came, in its derived group, and as it is shown. */
type Views = readonly OperationFacts[];

interface SettledOperation {
  readonly operation: OfferedOperation;
  readonly views: Views;
}

/** Names come first, so that all other settings may use the names that are shown. */
function settleOperation(operation: Operation, options: CurationOptions, prefix: string): SettledOperation {
  const derived = groupName(derivedGroup(operation, options, prefix));
  const before = [operation, { ...operation, group: derived }];
  const names = mergeSettings(before, options);
  const group = names.group === undefined ? derived : groupName(names.group);
  const name = actionName(names.name ?? operation.name, group, operation.key);
  const views = [...before, { ...operation, group, name }];
  const own = options.requirements?.(operation, operation.metadata) ?? {};
  const settings = Object.freeze({ ...own, ...mergeSettings(views, options) });
  const { title = operation.title, description = operation.description } = settings;
  const settled = Object.freeze({
    ...operation,
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
  const { destructive = hints.destructive || asks, idempotent = hints.idempotent } = settings;
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

/** The longer its literal parts, the more exact is a pattern. */
function exactness(pattern: string): number {
  return pattern.includes('*') ? pattern.replaceAll('*', '').length : 1_000 + pattern.length;
}

/** Whether a pattern selects an operation by any of its names. */
function isMatch(pattern: OperationPattern, views: Views): boolean {
  if (typeof pattern === 'function') return views.some(pattern);
  if (pattern.startsWith('#')) return views.some(({ tags }) => tags.includes(pattern.slice(1)));
  const fits = matcherFor(pattern);
  return views.some((view) => namesFor(view).some(fits));
}

function namesFor({ key, origin, group, name }: OperationFacts): readonly string[] {
  return [key, origin, `${group}.${name}`];
}

function matcherFor(pattern: string): (text: string) => boolean {
  const [first = '', ...further] = pattern.split('*');
  if (further.length === 0) return (text) => text === pattern;
  const last = further.pop() ?? '';
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
      return false;
    let rest = text.slice(first.length, text.length - last.length);
    return further.every((part) => {
      const found = rest.indexOf(part);
      if (found < 0) return false;
      rest = rest.slice(found + part.length);
      return true;
    });
  };
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
    for (const name of Object.keys(settings).filter((each) => !ACTION_SETTINGS.includes(each))) {
      problems.add('TW_OPERATIONS_PATTERN', {
        where: `actions['${pattern}']`,
        what: `has the setting ${name}, which does not exist.`,
        fix: didYouMean(name, ACTION_SETTINGS) ?? `write one of ${ACTION_SETTINGS.join(', ')}`,
      });
    }
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

function reportTooMany(
  offered: readonly OfferedOperation[],
  { maxActions = MAX_ACTIONS }: CurationOptions,
  problems: ProblemList,
): void {
  const counts = new Map<string, number>();
  for (const { group } of offered) counts.set(group, (counts.get(group) ?? 0) + 1);
  const groups = [...counts].sort((left, right) => right[1] - left[1]);
  const chosen: string[] = [];
  let room = maxActions;
  for (const [group, count] of groups.toReversed()) {
    if (count > room) continue;
    room -= count;
    chosen.push(`'${group}.*'`);
  }
  problems.add('TW_OPERATIONS_TOO_MANY', {
    where: 'the application',
    what: `would offer ${String(offered.length)} actions, and at most ${String(maxActions)} are allowed: ${groups.map(([group, count]) => `${group} ${String(count)}`).join(', ')}.`,
    why: 'models choose badly among many actions, and each of them costs tokens in every conversation.',
    fix: `include: [${chosen.length === 0 ? `'${groups[0]?.[0] ?? ''}.*'` : chosen.join(', ')}], or maxActions: ${String(offered.length)}`,
  });
}
