import type { CompiledTool, CompiledToolDefinition } from '../compile/tools/compiled-tool.ts';

/** The tools that one filter leaves: what is listed is exactly what can be called. */
export interface ToolView {
  readonly definitions: readonly CompiledToolDefinition[];
  readonly names: readonly string[];
  find(name: string): CompiledTool | undefined;
}

/** Makes a view of tools whose names differ. */
export function createToolView(tools: readonly CompiledTool[]): ToolView {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return Object.freeze({
    definitions: Object.freeze(tools.map((tool) => tool.definition)),
    names: Object.freeze([...byName.keys()]),
    find: (name: string) => byName.get(name),
  });
}
