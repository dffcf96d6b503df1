import type { CallToolResult } from '../../call/results.ts';

/** A tool as `dynamicTool` of the AI SDK makes them. It has all that the package needs, without an import of it. */
export interface AiSdkTool {
  /** Its input and output have no types at compile time. */
  readonly type: 'dynamic';
  /** The name that people are shown. */
  readonly title?: string;
  /** What the tool does, for the model. */
  readonly description?: string;
  /** Whether the model is held to the schema. */
  readonly strict: boolean;
  /** A Standard Schema with the JSON Schema of the arguments; it checks nothing, because the call does. */
  readonly inputSchema: {
    readonly '~standard': {
      readonly version: 1;
      readonly vendor: string;
      readonly validate: (value: unknown) => { readonly value: unknown };
      readonly jsonSchema: {
        readonly input: () => Record<string, unknown>;
        readonly output: () => Record<string, unknown>;
      };
    };
  };
  /** Whether a person has to agree to a call with this input: by `@Destructive({ confirm })` of the action. */
  needsApproval(input: unknown): boolean;
  /** Runs a call. A mistake of the model becomes an error result, so that it can repair the call. */
  execute(
    input: unknown,
    options: {
      readonly toolCallId: string;
      readonly messages: readonly unknown[];
      readonly abortSignal?: AbortSignal | undefined;
    },
  ): Promise<CallToolResult>;
  /** What the model reads of a result. */
  toModelOutput(options: { readonly output: unknown }):
    | { type: 'text' | 'error-text'; value: string }
    | {
        type: 'content';
        value: ({ type: 'text'; text: string } | { type: 'image-data'; data: string; mediaType: string })[];
      };
}

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
  /** Always true: what the caller may not see is not in the list. */
  isEnabled(): Promise<boolean>;
  /** Whether a person has to agree to a call with this input: by `@Destructive({ confirm })` of the action. */
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
      readonly toolCall?: { readonly callId: string } | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<unknown>;
}
