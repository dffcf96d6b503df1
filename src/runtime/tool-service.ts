import type { CallExchange } from '../call/call-exchange.ts';
import type { CallToolResult } from '../call/call-tool-result.ts';
import type { TaskMode } from '../call/task-mode.ts';
import type { ToolDefinition } from '../compile/tool-definition.ts';

/** What a connection serves: the list, and calls that always resolve to a result. */
export interface ToolService {
  list(): readonly ToolDefinition[];
  call(name: string, args: unknown, exchange: CallExchange): Promise<CallToolResult>;
  /** How the action that a call names becomes a task; undefined where it does not, or there is no such action. */
  taskModeOf?(name: string, args: unknown, exchange: CallExchange): TaskMode | undefined;
}

/** Stops serving on one connection; calling it again does nothing. */
export type DetachFunction = () => void;
