import type { CallToolResult } from '../../call/results.ts';
import { isObject } from '../../shared/json.ts';
import { declinedResult, type AgentTool } from './agent-tool.ts';
import { writeAiSdkOutput, writeInputSchema, type AiSdkTool } from './ai-sdk-tool.ts';

/** The options of a tool as `createTool()` of Mastra takes them. */
export interface MastraTool extends Pick<AiSdkTool, 'inputSchema'> {
  /** The name that the model calls it by. */
  readonly id: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** Runs a call. One that needs an approval suspends the run, as `requireApproval` of Mastra does. */
  execute(
    input: unknown,
    context?: {
      readonly abortSignal?: AbortSignal | undefined;
      readonly agent?:
        | { readonly resumeData?: unknown; suspend?(payload: unknown, options?: object): Promise<unknown> }
        | undefined;
    },
  ): Promise<unknown>;
  /** What the model reads of a result. */
  toModelOutput(output: unknown): unknown;
}

export function writeMastraTool(tool: AgentTool): MastraTool {
  const { name, description = '', parameters } = tool;
  return Object.freeze({
    id: name,
    description,
    inputSchema: writeInputSchema(parameters),
    execute: async (input, { abortSignal: signal, agent } = {}) => {
      const run = (isApproved: boolean) => tool.run(input, { signal, isApproved });
      if (agent?.suspend === undefined || !tool.needsApproval(input)) return run(false);
      const answer = isObject(agent.resumeData) ? agent.resumeData['approved'] : undefined;
      if (answer === undefined)
        return agent.suspend({ toolName: name, args: input }, { requireToolApproval: true });
      return answer === true ? run(true) : declinedResult(name);
    },
    toModelOutput: (output) => writeAiSdkOutput(output as CallToolResult),
  } satisfies MastraTool);
}
