import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { Group } from '../model/group.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { compileTool } from './compile-tool.ts';
import type { CompiledTool } from './compiled-tool.ts';
import { throwProblem, type Report } from './strategies/report.ts';
import { selectActions, type ToolFilter } from './tool-filter.ts';

/** What one scanned tool became: one tool, or one per action; and what a filter leaves of it. */
export interface ToolSet {
  /** The groups and actions in the domain model. */
  readonly model: Group;
  readonly tools: readonly CompiledTool[];
  /** The tools without the actions that a filter hides or that are off; compiled anew where that changes them. */
  readonly select: (
    filter: ToolFilter | undefined,
    disabled?: ReadonlySet<string>,
  ) => readonly CompiledTool[];
}

/** Compiles one scanned tool. */
export function compileToolSet(
  source: ScannedTool,
  resolver: InstanceResolver,
  report: Report = throwProblem,
): ToolSet {
  const { tools, model } = compileTool(source, resolver, report);
  const select: ToolSet['select'] = (filter, disabled) => {
    const selected = selectActions(source, filter, disabled);
    if (selected === undefined) return [];
    return selected === source ? tools : compileTool(selected, resolver).tools;
  };
  return Object.freeze({ model, tools, select });
}
