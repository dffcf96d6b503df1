import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { compileAction } from './compile-action.ts';
import type { CompiledTool } from './compiled-tool.ts';
import { compileVersions } from './compile-versions.ts';
import type { ListedTool, PreparedAction, PreparedTool } from './prepared-tool.ts';

/** Binds a prepared tool to its instances: what is run behind what is listed. */
export function compileTool(
  { scanned, listed }: PreparedTool,
  resolver: InstanceResolver,
): readonly CompiledTool[] {
  return Object.freeze(listed.map((tool) => compileListed(scanned, tool, resolver)));
}

function compileListed(
  scanned: ScannedTool,
  { definition, discriminator, actions: listed, offered: prepared }: ListedTool,
  resolver: InstanceResolver,
): CompiledTool {
  const toolFields = new Set(prepared.flatMap(({ contracts }) => [...contracts.owners.keys()]));
  const place = { discriminator, toolFields };
  const offered = prepared.map((action) => compileAction(scanned, action, place, resolver));
  const actions = offered.filter((_, index) => listed.includes(prepared[index] as PreparedAction));
  // A real map: `constructor` and `__proto__` are unknown like any other name
  const byKey = new Map(actions.map((action) => [action.key, action]));
  return Object.freeze({
    name: scanned.name,
    definition,
    tags: scanned.tags,
    discriminator,
    actions: Object.freeze(actions),
    find: (key: string) => byKey.get(key),
    versions: compileVersions(offered),
  });
}
