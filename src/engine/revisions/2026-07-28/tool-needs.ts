import type { ToolDefinition } from '../../../compile/tools/compiled-tool.ts';
import { headerParametersOf, type HeaderParameter } from '../../../schema/header-parameters.ts';
import type { Members } from '../../json-rpc/message.ts';

/** What the tools of a list need beside the tools. */
export interface ToolNeeds {
  /** The arguments that are repeated as headers, by tool; most have none. */
  readonly headers: ReadonlyMap<unknown, readonly HeaderParameter[]>;
  /** Calls of some become tasks. */
  readonly hasTasks: boolean;
}

export function needsOf(list: readonly ToolDefinition[]): ToolNeeds {
  const headers = new Map<unknown, readonly HeaderParameter[]>();
  for (const { name, inputSchema } of list) {
    const { parameters, faults } = headerParametersOf(inputSchema);
    // Clients leave out a tool with a wrong declaration.
    if (faults.length === 0 && parameters.length > 0) headers.set(name, parameters);
  }
  return { headers, hasTasks: list.some(({ execution }) => execution !== undefined) };
}

/** A list of tools: how they become tasks is agreed on in another way since this revision. */
export function withoutTasks(result: Members): Members {
  const tools = result['tools'] as readonly Members[];
  if (tools.every((tool) => !('execution' in tool))) return result;
  const told = tools.map(({ execution: _execution, ...tool }) => tool);
  return { ...result, tools: told };
}
