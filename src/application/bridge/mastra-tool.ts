import type { CallToolResult } from '../../call/results.ts';
import { isObject } from '../../shared/json.ts';
import type { AgentTool } from './agent-tool.ts';
import { writeAiSdkOutput, writeInputSchema, type AiSdkTool } from './ai-sdk-tool.ts';

/** The options of a tool as `createTool()` of Mastra takes them. */
export interface MastraTool extends Pick<AiSdkTool, 'inputSchema'> {
  /** The name that the model calls it by. */
  readonly id: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** Whether a person has to agree to a call with this input before it runs. */
  requireApproval(input: unknown): boolean;
  /**
   * Runs a call. A mistake of the model becomes an error result, so that it can repair the call.
   * @param context as Mastra gives it. Only its agents hold a call until a person has agreed
   */
  execute(input: unknown, context?: unknown): Promise<CallToolResult>;
  /** What the model reads of a result. */
  toModelOutput(output: unknown): unknown;
}

export function writeMastraTool(tool: AgentTool): MastraTool {
  const { name, description = '', parameters } = tool;
  return Object.freeze({
    id: name,
    description,
    inputSchema: writeInputSchema(parameters),
    requireApproval: (input) => tool.needsApproval(input),
    execute: (input, context) => {
      const { abortSignal, agent } = isObject(context) ? context : {};
      const signal = abortSignal instanceof AbortSignal ? abortSignal : undefined;
      // Only the loop that can suspend a run asks first; a workflow or a program does not
      return tool.run(input, { signal, isApproved: isObject(agent) && agent['suspend'] !== undefined });
    },
    toModelOutput: (output) => writeAiSdkOutput(output as CallToolResult),
  } satisfies MastraTool);
}
