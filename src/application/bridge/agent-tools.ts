import type { AuthInfo } from '../../call/request-context.ts';
import type {
  CompiledToolDefinition,
  ListedAction,
  ToolDefinition,
} from '../../compile/tools/compiled-tool.ts';
import { defaultRegistry } from '../../formats/adapter-registry.ts';
import type { SetWarning } from '../../formats/adapter-registry.ts';
import type { LocalTools } from '../../runtime/local-calls.ts';
import { isObject, withoutUndefined } from '../../shared/json.ts';
import type { AgentTool, AgentToolSchema } from './agent-tool.ts';
import { writeAiSdkTool, type AiSdkTool } from './ai-sdk-tool.ts';
import { groupTools, isDeferred, type ToolNamespace } from './deferred-tools.ts';
import { writeLangChainTool, type LangChainTool } from './langchain-tool.ts';
import { writeMastraTool, type MastraTool } from './mastra-tool.ts';
import { writeOpenAiAgentsTool, type OpenAiAgentsTool } from './openai-agents-tool.ts';
import { answerUse } from './tool-bridge.ts';

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
  /** The fields of the tools of LangChain: `tools.map((fields) => new DynamicStructuredTool(fields))`. */
  readonly langchain: LangChainTool[];
  /** The options of the tools of Mastra, by name: give each of them to `createTool()`. */
  readonly mastra: Readonly<Record<string, MastraTool>>;
}

/** The tools of an application for an agent of the OpenAI Agents SDK that searches for them. */
export interface DeferredAgentTools extends AgentTools<OpenAiAgentsTool[]> {
  /** One for each group: `namespaces.flatMap((each) => toolNamespace(each))`. `tools` has those of no group. */
  readonly namespaces: readonly ToolNamespace<OpenAiAgentsTool>[];
}

/** What is exported, and for whom. */
export interface AgentSource {
  readonly authInfo?: AuthInfo;
  readonly strict?: boolean;
  readonly deferred: boolean;
  readonly definitions: readonly ToolDefinition[];
  /** All tools of the caller, where some of the exported ones call actions of others. */
  readonly reached: readonly ToolDefinition[];
  readonly call: LocalTools['call'];
}

/** A tool in the form of OpenAI's Responses API, which all libraries send in this or a wider one. */
interface WrittenTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: AgentToolSchema;
  readonly strict: boolean;
}

/** Writes the tools for a library. */
export function writeAgentTools<Format extends keyof AgentForms>(
  format: Format,
  source: AgentSource,
): AgentTools<AgentForms[Format]> | DeferredAgentTools {
  const { tools, warnings } = makeAgentTools(source);
  if (!source.deferred) return Object.freeze({ tools: WRITERS[format](tools), warnings });
  const grouped = groupTools(tools.map(writeOpenAiAgentsTool), source.definitions, format);
  const { namespaces, others } = grouped;
  return Object.freeze({ tools: [...others], namespaces, warnings: [...warnings, ...grouped.warnings] });
}

function makeAgentTools({ strict, deferred, definitions, reached, authInfo, call }: AgentSource) {
  const options = withoutUndefined({ strict });
  const converted = defaultRegistry().convertMany(definitions, 'mcp', 'openai-responses', options);
  const { warnings, names } = converted;
  const tools = (converted.tools as readonly WrittenTool[]).map((written, at): AgentTool => {
    const definition = definitions[at] as ToolDefinition;
    const { name } = written;
    const needsApproval = (args: unknown): boolean =>
      asksFirst(definition, reached, names.decodeArguments(name, args));
    return {
      ...written,
      title: definition.title,
      isDeferred: deferred && isDeferred(definition),
      needsApproval,
      run: (args, { isApproved, signal, fault }) => {
        const consent = isApproved && needsApproval(args) ? ('granted' as const) : undefined;
        const given = withoutUndefined({ authInfo, signal, consent });
        const use = { id: undefined, name, args, ...withoutUndefined({ fault }) };
        return answerUse(use, names, (tool, decoded) => call(tool, decoded, given), definitions);
      },
    };
  });
  return { tools, warnings };
}

/**
 * Whether a person has to agree to a call before it runs. A text that only looks like the key of an action asks once too
 * often; one that names an action with a page of its own leaves the question to that page.
 */
export function asksFirst(tool: ToolDefinition, reached: readonly ToolDefinition[], args: unknown): boolean {
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

/** Makes the tools of each library. */
const WRITERS: {
  readonly [Format in keyof AgentForms]: (tools: readonly AgentTool[]) => AgentForms[Format];
} = {
  'ai-sdk': (tools) =>
    Object.freeze(Object.fromEntries(tools.map((tool) => [tool.name, writeAiSdkTool(tool)]))),
  'openai-agents': (tools) => tools.map(writeOpenAiAgentsTool),
  langchain: (tools) => tools.map(writeLangChainTool),
  mastra: (tools) =>
    Object.freeze(Object.fromEntries(tools.map((tool) => [tool.name, writeMastraTool(tool)]))),
};

/** Whether a library for agents takes this format. */
export function isAgentFormat(format: string): format is keyof AgentForms {
  return Object.hasOwn(WRITERS, format);
}
