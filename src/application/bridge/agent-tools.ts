import type { AuthInfo } from '../../call/request-context.ts';
import type { CallToolResult, ContentBlock } from '../../call/results.ts';
import type {
  CompiledToolDefinition,
  ListedAction,
  ToolDefinition,
} from '../../compile/tools/compiled-tool.ts';
import { defaultRegistry } from '../../formats/adapter-registry.ts';
import type { SetWarning } from '../../formats/adapter-registry.ts';
import type { LocalTools } from '../../runtime/local-calls.ts';
import { isObject, withoutUndefined, type PlainObject } from '../../shared/json.ts';
import { blockText, parseArguments, readPicture, resultText, type ToolUse } from './model-call.ts';
import { answerUse } from './tool-bridge.ts';
import type { AiSdkTool, OpenAiAgentsTool } from './agent-forms.ts';

/** The tools of an application as a library for agents takes them. */
export interface AgentTools<Tools> {
  /** Pass them to the library unchanged. They stay as they are when the tools of the application change. */
  readonly tools: Tools;
  /** What the form of the library cannot express. */
  readonly warnings: readonly SetWarning[];
}

/** What the libraries for agents take, by their formats. */
export interface AgentForms {
  /** The `tools` of `generateText`, `streamText` and agents of the AI SDK, by name. */
  readonly 'ai-sdk': Readonly<Record<string, AiSdkTool>>;
  /** The `tools` of an `Agent` of the OpenAI Agents SDK. */
  readonly 'openai-agents': OpenAiAgentsTool[];
}

/** What is exported, and for whom. */
export interface AgentSource {
  readonly authInfo?: AuthInfo;
  readonly strict?: boolean;
  readonly definitions: readonly ToolDefinition[];
  /** All tools of the caller, where some of the exported ones call actions of others. */
  readonly reached: readonly ToolDefinition[];
  readonly call: LocalTools['call'];
}

/** A tool in the form of OpenAI's Responses API, which both libraries send in this or a wider one. */
interface WrittenTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: OpenAiAgentsTool['parameters'];
  readonly strict: boolean;
}

/** How the library runs one call. */
interface Running extends Pick<ToolUse, 'fault'> {
  readonly signal: AbortSignal | undefined;
  /** Whether a person agreed to this very call. */
  readonly isApproved: boolean;
}

/** A tool that an agent calls. */
interface AgentTool extends WrittenTool {
  readonly title: string | undefined;
  needsApproval(args: unknown): boolean;
  run(args: unknown, running: Running): Promise<CallToolResult>;
}

/** Writes the tools for a library. */
export function writeAgentTools<Format extends keyof AgentForms>(
  format: Format,
  source: AgentSource,
): AgentTools<AgentForms[Format]> {
  const { strict, definitions } = source;
  const options = withoutUndefined({ strict });
  const converted = defaultRegistry().convertMany(definitions, 'mcp', 'openai-responses', options);
  const { tools, warnings, names } = converted;
  const made = (tools as readonly WrittenTool[]).map((written, at): AgentTool => {
    const definition = definitions[at] as ToolDefinition;
    const { name } = written;
    const needsApproval = (args: unknown): boolean =>
      asksFirst(definition, source.reached, names.decodeArguments(name, args));
    return {
      ...written,
      title: definition.title,
      needsApproval,
      run: (args, { isApproved, signal, fault }) => {
        const consent = isApproved && needsApproval(args) ? ('granted' as const) : undefined;
        const given = withoutUndefined({ authInfo: source.authInfo, signal, consent });
        const run = (tool: string, decoded: unknown) => source.call(tool, decoded, given);
        return answerUse(
          { id: undefined, name, args, ...withoutUndefined({ fault }) },
          names,
          run,
          definitions,
        );
      },
    };
  });
  return Object.freeze({ tools: WRITERS[format](made), warnings });
}

/**
 * Whether a person has to agree to a call before it runs. A text that only looks like the key of an action asks once too
 * often; one that names an action with a page of its own leaves the question to that page.
 */
function asksFirst(tool: ToolDefinition, reached: readonly ToolDefinition[], args: unknown): boolean {
  const own = readActions(tool);
  const texts = isObject(args) ? Object.values(args).filter((value) => typeof value === 'string') : [];
  const isNamed = ({ key }: ListedAction): boolean =>
    texts.some((text) => text === key || text.endsWith(`.${key}`));
  const named =
    own.length === 1 ? own : (own.length === 0 ? reached.flatMap(readActions) : own).filter(isNamed);
  const modes = named.flatMap(({ confirm }) => confirm ?? []);
  return modes.length > 0 && !modes.includes('url');
}

function readActions(tool: ToolDefinition): readonly ListedAction[] {
  return (tool as Partial<CompiledToolDefinition>).actions?.() ?? [];
}

const WRITERS: {
  readonly [Format in keyof AgentForms]: (tools: readonly AgentTool[]) => AgentForms[Format];
} = {
  'ai-sdk': (tools) =>
    Object.freeze(Object.fromEntries(tools.map((tool) => [tool.name, writeAiSdkTool(tool)]))),
  'openai-agents': (tools) => tools.map(writeOpenAiAgentsTool),
};

/** With it the AI SDK takes a JSON Schema as it is; from a Standard Schema it makes one that closes every object. */
const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

function writeAiSdkTool(tool: AgentTool): AiSdkTool {
  const { title, description, parameters, strict } = tool;
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
  return Object.freeze({
    type: 'dynamic',
    ...withoutUndefined({ title, description }),
    strict,
    inputSchema,
    needsApproval: (input: unknown) => tool.needsApproval(input),
    execute: (input, { toolCallId, messages, abortSignal: signal }) =>
      tool.run(input, { signal, isApproved: isApprovedIn(messages, toolCallId) }),
    toModelOutput: ({ output }) => writeAiSdkOutput(output as CallToolResult),
  } satisfies AiSdkTool);
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

function writeAiSdkOutput(result: CallToolResult): ReturnType<AiSdkTool['toModelOutput']> {
  if (result.isError === true) return { type: 'error-text', value: resultText(result) };
  if (!hasPictures(result)) return { type: 'text', value: resultText(result) };
  const value = result.content.map((block) => {
    const picture = readPicture(block);
    if (picture === undefined) return { type: 'text' as const, text: blockText(block) };
    return { type: 'image-data' as const, data: picture.data, mediaType: picture.mimeType };
  });
  return { type: 'content', value };
}

function writeOpenAiAgentsTool(tool: AgentTool): OpenAiAgentsTool {
  const { name, description = '', parameters, strict } = tool;
  return Object.freeze({
    type: 'function',
    name,
    description,
    parameters,
    strict,
    isEnabled: async () => true,
    needsApproval: async (_context, input) => tool.needsApproval(input),
    invoke: async (context, input, details) => {
      const callId = details?.toolCall?.callId;
      const isApproved = callId !== undefined && context.isToolApproved({ toolName: name, callId }) === true;
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

function hasPictures({ content }: CallToolResult): boolean {
  return content.some((block) => readPicture(block) !== undefined);
}
