import { compare, mustParse } from '../version/version.ts';

/** An action in one version; undefined where its key has no versions. */
export interface Versioned {
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
