import type { CallToolResult } from '../../call/results.ts';
import { isObject, withoutUndefined, type PlainObject } from '../../shared/json.ts';
import { hasPictures, type AgentTool } from './agent-tool.ts';
import { blockText, readPicture, resultText } from './model-call.ts';

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
  /** Whether a person has to agree to a call with this input before it runs. */
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

/** With it the AI SDK takes a JSON Schema as it is; from a Standard Schema it makes one that closes every object. */
const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

export function writeAiSdkTool(tool: AgentTool): AiSdkTool {
  const { title, description, parameters, strict } = tool;
  return Object.freeze({
    type: 'dynamic',
    ...withoutUndefined({ title, description }),
    strict,
    inputSchema: writeInputSchema(parameters),
    needsApproval: (input: unknown) => tool.needsApproval(input),
    execute: (input, { toolCallId, messages, abortSignal: signal }) =>
      tool.run(input, { signal, isApproved: isApprovedIn(messages, toolCallId) }),
    toModelOutput: ({ output }) => writeAiSdkOutput(output as CallToolResult),
  } satisfies AiSdkTool);
}

/** The JSON Schema of the arguments as the AI SDK and libraries upon it take it. */
export function writeInputSchema(parameters: AgentTool['parameters']): AiSdkTool['inputSchema'] {
  const publish = (): PlainObject => structuredClone(parameters);
  const inputSchema = {
    [AI_SDK_SCHEMA]: true,
    jsonSchema: parameters,
    // What is wrong with a call is said by its result, so that the model can repair it
    validate: undefined,
    '~standard': {
      version: 1,
      vendor: 'toolwright',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: publish, output: publish },
    },
  } as const;
  return inputSchema;
}

/** True where the messages end with the answer that agrees to the call. */
function isApprovedIn(messages: readonly unknown[] = [], toolCallId: string): boolean {
  const answers = readParts(messages.at(-1)).filter(
    ({ type, approved }) => type === 'tool-approval-response' && approved === true,
  );
  const requests = messages.flatMap(readParts).filter((part) => part['toolCallId'] === toolCallId);
  return answers.some(({ approvalId }) =>
    requests.some((part) => part['type'] === 'tool-approval-request' && part['approvalId'] === approvalId),
  );
}

function readParts(message: unknown): readonly PlainObject[] {
  const content = isObject(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** What the model reads of a result. */
export function writeAiSdkOutput(result: CallToolResult): ReturnType<AiSdkTool['toModelOutput']> {
  if (result.isError === true) return { type: 'error-text', value: resultText(result) };
  if (!hasPictures(result)) return { type: 'text', value: resultText(result) };
  const value = result.content.map((block) => {
    const picture = readPicture(block);
    if (picture === undefined) return { type: 'text' as const, text: blockText(block) };
    return { type: 'image-data' as const, data: picture.data, mediaType: picture.mimeType };
  });
  return { type: 'content', value };
}
