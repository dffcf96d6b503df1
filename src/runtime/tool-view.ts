import type { ToolSet } from '../compile/compile-tool-set.ts';
import type { CompiledTool } from '../compile/compiled-tool.ts';
import type { ToolDefinition } from '../compile/tool-definition.ts';
import type { ToolFilter } from '../compile/tool-filter.ts';

/** The tools that one filter leaves: what is listed is exactly what can be called. */
export interface ToolView {
  readonly definitions: readonly ToolDefinition[];
  readonly names: readonly string[];
  find(name: string): CompiledTool | undefined;
}

/** Makes the view of a filter over the sets of a registry. */
export function createToolView(sets: readonly ToolSet[], filter: ToolFilter | undefined): ToolView {
  const tools = sets.flatMap((set) => set.select(filter));
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return Object.freeze({
    definitions: Object.freeze(tools.map((tool) => tool.definition)),
    names: Object.freeze([...byName.keys()]),
    find: (name: string) => byName.get(name),
  });
}
