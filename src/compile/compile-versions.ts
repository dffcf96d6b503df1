import { versionsByKey } from '../scanner/action-versions.ts';
import type { ActionDefinition, CompiledTool } from './compiled-tool.ts';

/** What a call chooses among; undefined for a tool in which nothing has a version or is deprecated. */
export function compileVersions(offered: readonly ActionDefinition[]): CompiledTool['versions'] {
  const isPlain = offered.every(
    ({ version, deprecated }) => version === undefined && deprecated === undefined,
  );
  return isPlain ? undefined : versionsByKey(offered);
}
