import type { Deprecation } from '../../call/action-options.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { compare, mustParse } from '../../version/version.ts';

/** An action in one version; undefined where its key has no versions. */
interface Versioned {
  readonly key: string;
  readonly version: string | undefined;
}

/** The actions of each key that has versions, the newest first. */
export function versionsByKey<Action extends Versioned>(
  actions: readonly Action[],
): ReadonlyMap<string, readonly Action[]> {
  const byKey = new Map<string, Action[]>();
  for (const action of actions) {
    if (action.version === undefined) continue;
    const known = byKey.get(action.key);
    if (known === undefined) byKey.set(action.key, [action]);
    else known.push(action);
  }
  for (const versions of byKey.values()) versions.sort(newestFirst);
  return byKey;
}

/** One action for each key, in the given order: the newest release, or the newest prerelease where there is none. */
export function publishedActions<Action extends Versioned>(actions: readonly Action[]): readonly Action[] {
  if (actions.every(({ version }) => version === undefined)) return actions;
  const published = new Set([...versionsByKey(actions).values()].map(publishedOf));
  return actions.filter((action) => action.version === undefined || published.has(action));
}

function publishedOf<Action extends Versioned>(newest: readonly Action[]): Action {
  return newest.find(({ version }) => !isPrerelease(version)) ?? (newest[0] as Action);
}

function newestFirst(left: Versioned, right: Versioned): number {
  return compare(right.version ?? '', left.version ?? '');
}

function isPrerelease(version: string | undefined): boolean {
  return mustParse(version ?? '').prerelease.length > 0;
}

/** An action, and the suffix of the name that its version has as a separate tool. */
interface Suffixed extends Versioned {
  readonly suffix: string;
}

/**
 * Gives the suffix by which each version of an action is named: `_v1`; `_v1_2` where two have the same major version;
 * `_v1_2_0` and `_v1_2_0_beta_1` where that is not enough. The version listed under the plain name has no suffix and is
 * not counted. Computed once for the whole tool: filters remove versions, and must not rename the others.
 */
export function addSuffixes<Action extends Suffixed>(actions: readonly Action[]): readonly Action[] {
  const published = new Set(publishedActions(actions));
  const byKey = versionsByKey(actions.filter((action) => !published.has(action)));
  if (byKey.size === 0) return actions;
  return actions.map((action) => {
    if (published.has(action)) return action;
    const others = (byKey.get(action.key) ?? []).filter((other) => other !== action);
    const taken = new Set(others.flatMap(suffixesOf));
    const suffixes = suffixesOf(action);
    const suffix = suffixes.find((candidate) => !taken.has(candidate)) ?? suffixes.at(-1);
    return Object.freeze({ ...action, suffix });
  });
}

/** The shortest first. */
function suffixesOf({ version }: Versioned): readonly string[] {
  const { major, minor, patch, prerelease } = mustParse(version ?? '');
  const numbers = [major, minor, patch].map(String);
  const suffixes = numbers.map((_, index) => `_v${numbers.slice(0, index + 1).join('_')}`);
  return prerelease.length === 0
    ? suffixes
    : [...suffixes, `_v${[...numbers, ...prerelease.map(String)].join('_')}`];
}

/** An action as far as its versions are checked. */
interface Action extends Versioned {
  readonly deprecated: Deprecation | undefined;
  readonly where: string;
}

/** Reports problems with a tool's actions as a whole: calls cannot distinguish them, or are sent to the wrong one. */
export function checkActionVersions(where: string, actions: readonly Action[], problems: ProblemList): void {
  // A version that could not be read is missing here, and has been reported.
  const isDoubtful = problems.problems.some(({ code }) => code === 'TW_SCAN_VERSION_INVALID');
  const byKey = new Map<string, Action[]>();
  for (const action of actions) {
    const others = byKey.get(action.key) ?? [];
    if (!isDoubtful) for (const other of others) checkPair(where, other, action, problems);
    byKey.set(action.key, [...others, action]);
  }
  for (const action of actions) checkReplacement(action, byKey, problems);
}

function checkPair(where: string, other: Action, action: Action, problems: ProblemList): void {
  const { key, version } = action;
  const both = `${other.where} and ${action.where}`;
  if (version === undefined && other.version === undefined) {
    problems.at(where).add('TW_SCAN_ACTION_DUPLICATE', {
      what: `has two actions with the key "${key}": ${both}.`,
      fix: `@Action({ name: '…' }) on one of them`,
    });
  } else if (version === undefined || other.version === undefined) {
    const plain = version === undefined ? action : other;
    problems.at(where).add('TW_SCAN_VERSION_MIXED', {
      what: `has two actions with the key "${key}", of which only one has a version: ${both}.`,
      why: 'the versions of an action differ by version only.',
      fix: `@Action({ version: '…' }) on ${plain.where}, or another name`,
    });
  } else if (compare(version, other.version) === 0) {
    problems.at(where).add('TW_SCAN_ACTION_DUPLICATE', {
      what: `has two actions with the key "${key}" and the version ${version}: ${both}.`,
      fix: `@Action({ version: '…' }) with another version on one of them, or another name`,
    });
  }
}

function checkReplacement(
  { key, version, deprecated, where }: Action,
  byKey: ReadonlyMap<string, readonly Action[]>,
  problems: ProblemList,
): void {
  const use = deprecated?.use;
  if (use === undefined) return;
  const found = byKey.get(use);
  if (found === undefined) {
    const keys = [...byKey.keys()];
    problems.at(where).add('TW_SCAN_REPLACEMENT_UNKNOWN', {
      what: `is deprecated in favour of "${use}", which is not an action of the tool.`,
      fix: didYouMean(use, keys) ?? `use one of ${keys.join(', ')}`,
    });
  } else if (use === key && !hasNewer(found, version)) {
    problems.at(where).add('TW_SCAN_REPLACEMENT_UNKNOWN', {
      what: `is deprecated in favour of "${use}", which is itself, in no newer version.`,
      fix: `another action, or leave use out: deprecated: { since: '${deprecated?.since ?? ''}' }`,
    });
  }
}

/** True when one of the versions of an action comes after the given one. */
export function hasNewer(versions: readonly Pick<Action, 'version'>[], version: string | undefined): boolean {
  if (version === undefined) return false;
  return versions.some((other) => other.version !== undefined && compare(other.version, version) > 0);
}
