import type { CallToolResult } from '../../call/results.ts';
import { readPicture, type ToolUse } from './model-call.ts';

/** A tool that an agent calls, before it has the form of a library. */
export interface AgentTool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description?: string;
  readonly parameters: AgentToolSchema;
  readonly strict: boolean;
  /** Whether the model sees it only after a search. */
  readonly isDeferred: boolean;
  /** Whether a person has to agree to a call with these arguments before it runs. */
  needsApproval(args: unknown): boolean;
  run(args: unknown, running: AgentRunning): Promise<CallToolResult>;
}

/** The JSON Schema of the arguments. */
export type AgentToolSchema = {
  type: 'object';
  properties: Record<string, unknown>;
  required: string[];
  additionalProperties: boolean;
};

/** How a library runs one call. */
interface AgentRunning extends Pick<ToolUse, 'fault'> {
  readonly signal: AbortSignal | undefined;
  /** Whether a person agreed to this very call. */
  readonly isApproved: boolean;
}

export function hasPictures({ content }: CallToolResult): boolean {
  return content.some((block) => readPicture(block) !== undefined);
}
