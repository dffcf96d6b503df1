import { VERSIONS_META_KEY } from '../call/version-meta.ts';
import { publishedActions, versionsByKey } from '../scanner/action-versions.ts';
import type { PreparedAction } from './prepared-tool.ts';

/** {@link publishedActions} of what is prepared. */
export function publishedVersions(actions: readonly PreparedAction[]): readonly PreparedAction[] {
  const published = new Set(publishedActions(actions.map(({ scanned }) => scanned)));
  return actions.filter(({ scanned }) => published.has(scanned));
}

/** How messages name an action: by its key, and its version where it has one. */
export function labelOf({ facts, scanned }: PreparedAction): string {
  return scanned.version === undefined ? facts.key : `${facts.key} ${scanned.version}`;
}

/** The `_meta` of a listed tool: its own, and which versions there are to ask for, the newest first. */
export function versionsMeta(
  meta: Readonly<Record<string, unknown>> | undefined,
  offered: readonly PreparedAction[],
): Readonly<Record<string, unknown>> | undefined {
  const byKey = versionsByKey(offered.map(({ scanned }) => scanned));
  if (byKey.size === 0) return meta;
  const versions = [...byKey].map(([key, list]) => [key, list.map(({ version }) => version)] as const);
  return { ...meta, [VERSIONS_META_KEY]: Object.fromEntries(versions) };
}
