import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { compileAction } from './compile-action.ts';
import type { CompiledTool } from './compiled-tool.ts';
import type { ListedTool, PreparedTool } from './prepared-tool.ts';

/** Binds a prepared tool to its instances: what is run behind what is listed. */
export function compileTool(
  { scanned, listed }: PreparedTool,
  resolver: InstanceResolver,
): readonly CompiledTool[] {
  return Object.freeze(listed.map((tool) => compileListed(scanned, tool, resolver)));
}

function compileListed(
  scanned: ScannedTool,
  { definition, discriminator, actions: prepared }: ListedTool,
  resolver: InstanceResolver,
): CompiledTool {
  const actions = prepared.map((action) => compileAction(scanned, action, discriminator, resolver));
  // A real map: `constructor` and `__proto__` are unknown like any other name
  const byKey = new Map(actions.map((action) => [action.key, action]));
  return Object.freeze({
    name: scanned.name,
    definition,
    tags: scanned.tags,
    discriminator,
    actions: Object.freeze(actions),
    find: (key: string) => byKey.get(key),
  });
}
