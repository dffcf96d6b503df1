import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import { MAX_READ_LENGTH } from '../../schema/client-rules.ts';
import type { ToolReader } from '../../runtime/runtime-facet.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';

export const READ_RESOURCE = 'read_resource';
export const GET_PROMPT = 'get_prompt';

const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const;

/** The tool that reads resources; undefined for a caller who sees none. */
export function describeReadResource({
  resources,
  templates,
}: Pick<ToolReader, 'resources' | 'templates'>): ToolDefinition | undefined {
  if (resources.length + templates.length === 0) return undefined;
  const lines = [
    ...templates.map(({ uriTemplate, description, name }) => `${uriTemplate}: ${description ?? name}`),
    ...resources.map(({ uri, description, name }) => `${uri}: ${description ?? name}`),
  ];
  return deepFreeze({
    name: READ_RESOURCE,
    title: 'Read a resource',
    description: listWithin('Reads a resource of this server.', lines),
    inputSchema: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'One of the URIs above' } },
      required: ['uri'],
      additionalProperties: false,
    },
    annotations,
  });
}

/** The tool that gets prompts; undefined for a caller who sees none. */
export function describeGetPrompt({ prompts }: Pick<ToolReader, 'prompts'>): ToolDefinition | undefined {
  if (prompts.length === 0) return undefined;
  const lines = prompts.map(({ name, description, arguments: fields = [] }) => {
    const taken = fields.map((field) => `${field.name}${field.required === true ? '' : '?'}`).join(', ');
    return `${name}(${taken})${description === undefined ? '' : `: ${description}`}`;
  });
  return deepFreeze({
    name: GET_PROMPT,
    title: 'Get a prompt',
    description: listWithin('Gets a prompt of this server.', lines),
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'One of the names above' },
        arguments: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations,
  });
}

/** Describes a list once: it is another array after each change. */
export function describeOnce(
  list: 'resources' | 'prompts',
  describe: (reader: ToolReader) => ToolDefinition | undefined,
): (reader: ToolReader) => ToolDefinition | undefined {
  const known = new WeakMap<readonly object[], ToolDefinition>();
  return (reader) => {
    const tool = known.get(reader[list]) ?? describe(reader);
    if (tool !== undefined) known.set(reader[list], tool);
    return tool;
  };
}

/** As many lines as clients read. */
function listWithin(first: string, lines: readonly string[]): string {
  let text = first;
  for (const [index, line] of lines.entries()) {
    const more = `\n${line.replaceAll(/\s+/g, ' ')}`;
    const left = lines.length - index - 1;
    const note = left === 0 ? '' : `\n… and ${String(left)} more`;
    if (text.length + more.length + note.length > MAX_READ_LENGTH)
      return `${text}\n… and ${String(left + 1)} more`;
    text += more;
  }
  return text;
}
