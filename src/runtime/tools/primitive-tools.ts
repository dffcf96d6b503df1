import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import { MAX_READ_LENGTH } from '../../schema/client-rules.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import type { PromptService, ResourceService } from '../service-parts.ts';

export const READ_RESOURCE = 'read_resource';
export const GET_PROMPT = 'get_prompt';

const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const;

/** The tool that reads resources; undefined for a caller who sees none. */
export function describeReadResource(
  resources: Pick<ResourceService, 'fixed' | 'templates'>,
  verdicts: Verdicts | undefined,
): ToolDefinition | undefined {
  const fixed = resources
    .fixed(verdicts)
    .list.map(({ uri, description, name }) => `${uri}: ${description ?? name}`);
  const templates = resources
    .templates(verdicts)
    .map(({ uriTemplate, description, name }) => `${uriTemplate}: ${description ?? name}`);
  if (fixed.length + templates.length === 0) return undefined;
  return {
    name: READ_RESOURCE,
    title: 'Read a resource',
    description: listWithin('Reads a resource of this server.', [...templates, ...fixed]),
    inputSchema: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'One of the URIs above' } },
      required: ['uri'],
      additionalProperties: false,
    },
    annotations,
  };
}

/** The tool that gets prompts; undefined for a caller who sees none. */
export function describeGetPrompt(
  prompts: Pick<PromptService, 'fixed'>,
  verdicts: Verdicts | undefined,
): ToolDefinition | undefined {
  const lines = prompts.fixed(verdicts).list.map(({ name, description, arguments: fields = [] }) => {
    const taken = fields.map((field) => `${field.name}${field.required === true ? '' : '?'}`).join(', ');
    return `${name}(${taken})${description === undefined ? '' : `: ${description}`}`;
  });
  if (lines.length === 0) return undefined;
  return {
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
