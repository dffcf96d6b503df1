import { mustParse } from '../version/version.ts';
import { publishedActions, versionsByKey, type Versioned } from './action-versions.ts';

/** An action of which the name is known that its version has as a tool of its own. */
export interface Suffixed extends Versioned {
  readonly suffix: string;
}

/**
 * Says how the versions of an action are told apart by name: `_v1`; `_v1_2` where two of them are of the same major
 * version; `_v1_2_0` and `_v1_2_0_beta_1` where that is still not enough. The version that is listed under the plain
 * name has nothing, and counts for nothing. Told once for the whole tool: filters take versions away, and must not
 * rename the others.
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
