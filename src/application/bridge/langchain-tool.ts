import { LRUCache } from 'lru-cache';
import { failureResult } from '../../call/result-helpers.ts';
import type { CallToolResult } from '../../call/results.ts';
import { isObject } from '../../shared/json.ts';
import { hasPictures, type AgentTool } from './agent-tool.ts';
import { blockText, readPicture, resultText } from './model-call.ts';

/**
 * The fields of a tool as `new DynamicStructuredTool()` of LangChain takes them. LangChain holds the arguments against the
 * schema before it runs a call, and says to the model what is wrong.
 */
export interface LangChainTool {
  /** The name that the model calls it by. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly schema: {
    type: 'object';
    properties: Record<string, unknown>;
    required: string[];
    additionalProperties: boolean;
  };
  /** Always true: what LangChain refuses is said with its place, so that the model can repair it. */
  readonly verboseParsingErrors: boolean;
  /**
   * Runs a call: a text, or texts and images. A call that needs an approval interrupts the graph, with the question and the
   * answers of `humanInTheLoopMiddleware`.
   */
  func(
    input: unknown,
    runManager?: unknown,
    config?: {
      readonly signal?: AbortSignal;
      readonly toolCall?: { readonly id?: string | undefined };
      readonly configurable?: { readonly thread_id?: unknown };
      readonly interrupt?: (question: object) => unknown;
    },
  ): Promise<string | object[]>;
}

/** How many approved calls of a tool are remembered. */
const MAX_APPROVED_COUNT = 100;

export function writeLangChainTool(tool: AgentTool): LangChainTool {
  const { name, description = '', parameters } = tool;
  const approved = new LRUCache<string, Promise<CallToolResult>>({ max: MAX_APPROVED_COUNT });
  /** A graph that is resumed for another call of the same turn runs this one again: it gets the result it had. */
  const runOnce = (call: string, run: () => Promise<CallToolResult>): Promise<CallToolResult> => {
    const result = approved.get(call) ?? run();
    approved.set(call, result);
    return result;
  };
  return Object.freeze({
    name,
    description,
    schema: parameters,
    verboseParsingErrors: true,
    func: async (input, _runManager, config = {}) => {
      const { signal, toolCall, configurable, interrupt } = config;
      const run = (isApproved: boolean) => tool.run(input, { signal, isApproved });
      if (interrupt === undefined || !tool.needsApproval(input)) return writeOutput(await run(false));
      // Throws, unless the graph was resumed with an answer
      if (!isApproval(interrupt(writeQuestion(tool, input)))) return resultText(declinedResult(name));
      const call = JSON.stringify([configurable?.thread_id, toolCall?.id, input]);
      return writeOutput(await runOnce(call, () => run(true)));
    },
  } satisfies LangChainTool);
}

function writeQuestion({ name, description = '' }: AgentTool, args: unknown): object {
  return {
    actionRequests: [{ name, args, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
  };
}

function isApproval(answer: unknown): boolean {
  const decisions = isObject(answer) ? answer['decisions'] : undefined;
  const [decision, ...others] = Array.isArray(decisions) ? (decisions as readonly unknown[]) : [];
  return others.length === 0 && isObject(decision) && decision['type'] === 'approve';
}

function writeOutput(result: CallToolResult): string | object[] {
  if (!hasPictures(result)) return resultText(result);
  return result.content.map((block) => {
    const picture = readPicture(block);
    if (picture === undefined) return { type: 'text', text: blockText(block) };
    return { type: 'image_url', image_url: { url: `data:${picture.mimeType};base64,${picture.data}` } };
  });
}

/** The result of a call that a person was asked about, and did not agree to. */
function declinedResult(tool: string): CallToolResult {
  return failureResult({
    code: 'CONSENT_DECLINED',
    message: 'The user did not agree to this call, and nothing was done',
    suggestion: 'do not repeat the call unless the user asks for it',
    tool,
  });
}
