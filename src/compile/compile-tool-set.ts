import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { compileTool } from './compile-tool.ts';
import type { CompiledTool } from './compiled-tool.ts';
import { throwProblem, type Report } from './strategies/report.ts';
import { selectActions, type ToolFilter } from './tool-filter.ts';

/** What one scanned tool became: one tool, or one per action; and what a filter leaves of it. */
export interface ToolSet {
  readonly tools: readonly CompiledTool[];
  /** The tools with only the actions that the filter lets pass; compiled anew where some are hidden. */
  readonly select: (filter: ToolFilter | undefined) => readonly CompiledTool[];
}

/** Compiles one scanned tool. */
export function compileToolSet(
  source: ScannedTool,
  resolver: InstanceResolver,
  report: Report = throwProblem,
): ToolSet {
  const tools = Object.freeze(compileTool(source, resolver, report));
  const select = (filter: ToolFilter | undefined): readonly CompiledTool[] => {
    const selected = selectActions(source, filter);
    if (selected === undefined) return [];
    return selected === source ? tools : compileTool(selected, resolver);
  };
  return Object.freeze({ tools, select });
}
