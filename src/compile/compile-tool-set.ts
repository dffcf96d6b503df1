import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { Group } from '../model/group.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { compileTool } from './compile-tool.ts';
import type { CompiledTool } from './compiled-tool.ts';
import { prepareTool } from './prepare-tool.ts';
import type { PreparedTool } from './prepared-tool.ts';
import { checkToolNames } from './strategies/tool-names.ts';
import { throwProblem } from './strategies/report.ts';
import { selectActions, type ToolFilter } from './tool-filter.ts';

/** What one scanned tool became: one tool, or one per action; and what a filter leaves of it. */
export interface ToolSet {
  /** The groups and actions in the domain model. */
  readonly model: Group;
  readonly tools: readonly CompiledTool[];
  /** The tools without the actions that a filter hides or that are off; compiled anew where that changes them. */
  readonly select: (
    filters: readonly ToolFilter[],
    disabled?: ReadonlySet<string>,
  ) => readonly CompiledTool[];
}

/** Prepares and compiles one scanned tool. @throws ToolwrightError for its first problem */
export function compileToolSet(source: ScannedTool, resolver: InstanceResolver): ToolSet {
  const prepared = prepareTool(source, throwProblem);
  checkToolNames(prepared, throwProblem);
  return bindToolSet(prepared, resolver);
}

/** Compiles a prepared tool. */
export function bindToolSet(prepared: PreparedTool, resolver: InstanceResolver): ToolSet {
  const { scanned, model } = prepared;
  const tools = compileTool(prepared, resolver);
  const select: ToolSet['select'] = (filters, disabled) => {
    const selected = selectActions(scanned, filters, disabled);
    if (selected === undefined) return [];
    return selected === scanned ? tools : compileTool(prepareTool(selected, acceptProblem), resolver);
  };
  return Object.freeze({ model, tools, select });
}

/**
 * The whole tool is in order, but the declaration that made two others agree may be hidden.
 * The field then takes the types of both, and each action goes on judging its own.
 */
function acceptProblem(): void {
  return undefined;
}
