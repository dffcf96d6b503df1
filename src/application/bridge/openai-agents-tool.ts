import type { ContentBlock } from '../../call/results.ts';
import { hasPictures, type AgentTool } from './agent-tool.ts';
import { blockText, parseArguments, readPicture, resultText } from './model-call.ts';

/** A tool as `tool()` of the OpenAI Agents SDK makes them. It has all that the package needs, without an import of it. */
export interface OpenAiAgentsTool {
  /** It runs in your program. */
  readonly type: 'function';
  /** The name that the model calls it by. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: {
    type: 'object';
    properties: Record<string, unknown>;
    required: string[];
    additionalProperties: boolean;
  };
  /** Whether the model is held to the schema. */
  readonly strict: boolean;
  /** True where the model sees it only after a search. */
  readonly deferLoading?: boolean;
  /** Always true: what the caller may not see is not in the list. */
  isEnabled(): Promise<boolean>;
  /** Whether a person has to agree to a call with this input before it runs. */
  needsApproval(context: unknown, input: unknown): Promise<boolean>;
  /**
   * Runs a call: a text, or texts and images. A mistake of the model becomes a text that says how to repair the call.
   * @param input the arguments as JSON
   */
  invoke(
    context: {
      isToolApproved(approval: { readonly toolName: string; readonly callId: string }): boolean | undefined;
    },
    input: string,
    details?: {
      readonly toolCall?: { readonly callId: string; readonly namespace?: string | undefined } | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<unknown>;
}

export function writeOpenAiAgentsTool(tool: AgentTool): OpenAiAgentsTool {
  const { name, description = '', parameters, strict, isDeferred } = tool;
  return Object.freeze({
    type: 'function',
    name,
    description,
    parameters,
    strict,
    ...(isDeferred ? { deferLoading: true } : {}),
    isEnabled: async () => true,
    needsApproval: async (_context, input) => tool.needsApproval(input),
    invoke: async (context, input, details) => {
      const { callId, namespace } = details?.toolCall ?? {};
      // The library keeps approvals of tools in a namespace by this key
      const toolName = namespace === undefined ? name : JSON.stringify(['namespaced', namespace, name]);
      const isApproved = callId !== undefined && context.isToolApproved({ toolName, callId }) === true;
      const { args, ...fault } = parseArguments(input);
      const result = await tool.run(args, { ...fault, signal: details?.signal, isApproved });
      return hasPictures(result) ? result.content.map(writeOpenAiPart) : resultText(result);
    },
  } satisfies OpenAiAgentsTool);
}

function writeOpenAiPart(block: ContentBlock): object {
  const picture = readPicture(block);
  if (picture === undefined) return { type: 'text', text: blockText(block) };
  return { type: 'image', image: { data: picture.data, mediaType: picture.mimeType } };
}
