import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import type { SetWarning } from '../../formats/adapter-registry.ts';
import { safeKeys } from '../../formats/names.ts';
import { suffixed, type NameRule } from '../../shared/names.ts';
import type { SummarizedTool } from '../../shared/tool-summary.ts';

/** The functions of one group, of which a model sees name and description until it searches there. */
export interface ToolNamespace<Tool> {
  /** The name of the group, in the characters that OpenAI takes. */
  readonly name: string;
  /** What the group does, for the model. */
  readonly description: string;
  /** Its functions. */
  readonly tools: readonly Tool[];
}

/** Tools that a model searches for, and what is wrong with how they are grouped. */
interface GroupedTools<Tool> {
  readonly namespaces: readonly ToolNamespace<Tool>[];
  /** The tools of no group. */
  readonly others: readonly Tool[];
  readonly warnings: readonly SetWarning[];
}

interface NamedTool {
  readonly name: string;
}

const NAMESPACE_RULE: NameRule = { forbidden: /[^A-Za-z0-9_-]/u, maxLength: 64 };
/** OpenAI advises fewer functions than this in a namespace (developers.openai.com/api/docs/guides/tools-tool-search). */
const ADVISED_COUNT = 10;

/** Whether the model gets a tool only after a search. Pinned actions stay. */
export function isDeferred(definition: ToolDefinition): boolean {
  return readSummary(definition)?.isPinned !== true;
}

/** Puts tools into the namespaces of their groups. @param definitions those of the tools, one action each, in their order */
export function groupTools<Tool extends NamedTool>(
  tools: readonly Tool[],
  definitions: readonly ToolDefinition[],
  format: string,
): GroupedTools<Tool> {
  const groups = new Map<string, { description: string | undefined; tools: Tool[] }>();
  const others: Tool[] = [];
  for (const [at, tool] of tools.entries()) {
    const summary = readSummary(definitions[at]);
    if (summary === undefined) {
      others.push(tool);
      continue;
    }
    const group = groups.get(summary.root) ?? { description: summary.description, tools: [] };
    group.tools.push(tool);
    groups.set(summary.root, group);
  }
  const names = safeKeys([...groups.keys()], NAMESPACE_RULE);
  const taken = new Set(tools.map(({ name }) => name));
  const namespaces = [...groups].map(([root, { description, tools: own }]) => {
    const name = names.get(root) ?? root;
    // A function with the name of a namespace would be two things in a call
    const free = taken.has(name) ? suffixed(name, NAMESPACE_RULE, root) : name;
    const said =
      description === undefined || description.trim() === '' ? `The actions of ${root}` : description;
    return Object.freeze({ name: free, description: said, tools: Object.freeze(own) });
  });
  const large = namespaces.filter((namespace) => namespace.tools.length >= ADVISED_COUNT);
  return { namespaces, others, warnings: large.map((namespace) => warnOfSize(namespace, format)) };
}

function warnOfSize({ name, tools }: ToolNamespace<NamedTool>, format: string): SetWarning {
  const advice = `OpenAI advises fewer than ${String(ADVISED_COUNT)}`;
  return Object.freeze({
    toolId: name,
    feature: 'namespace',
    path: '',
    fromAdapter: 'mcp',
    toAdapter: format,
    action: 'transformed',
    message: `${format}: the namespace "${name}" has ${String(tools.length)} functions; ${advice}.`,
  });
}

/** The tools of a request of OpenAI's Responses API: a namespace for each group, and the search. */
export function deferOpenAi(
  tools: readonly NamedTool[],
  definitions: readonly ToolDefinition[],
): { readonly tools: readonly object[]; readonly warnings: readonly SetWarning[] } {
  const marked = markDeferred(tools, definitions);
  const { namespaces, others, warnings } = groupTools(marked, definitions, 'openai-responses');
  const written = namespaces.map((namespace) => ({ type: 'namespace', ...namespace }));
  return { tools: [...others, ...written, { type: 'tool_search' }], warnings };
}

/** The tools of a request of Anthropic's Messages API: the search, and all tools. */
export function deferAnthropic(
  tools: readonly NamedTool[],
  definitions: readonly ToolDefinition[],
): { readonly tools: readonly object[]; readonly warnings: readonly SetWarning[] } {
  const search = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' };
  return { tools: [search, ...markDeferred(tools, definitions)], warnings: [] };
}

function markDeferred(
  tools: readonly NamedTool[],
  definitions: readonly ToolDefinition[],
): readonly NamedTool[] {
  return tools.map((tool, at) => {
    const definition = definitions[at];
    return definition !== undefined && isDeferred(definition) ? { ...tool, defer_loading: true } : tool;
  });
}

function readSummary(definition: (ToolDefinition & SummarizedTool) | undefined) {
  return definition?.summary?.();
}
