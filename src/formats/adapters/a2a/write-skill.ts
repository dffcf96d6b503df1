import type { PlainObject } from '../../../shared/json.ts';
import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import { copyJson } from '../../canonical/copy-json.ts';
import { toolId } from '../../canonical/ids.ts';
import type { Losses } from '../../loss/losses.ts';
import { isSameJson } from '../../../shared/canonical-json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { describing, ONLY_MCP } from '../tool-fields.ts';
import { isEmpty, type ToolField } from '../writing.ts';
import { writeRequirements } from './security.ts';
import { nameOfSkill } from './skill-id.ts';

/** How a skill is written. */
export interface SkillRequest {
  readonly tool: CanonicalTool;
  readonly losses: Losses;
  /** The pointer to the tool in what is converted; "" for a tool alone. */
  readonly path: string;
  /** True where the schemas travel beside the skills. */
  readonly keepsSchemas: boolean;
}

/** The id of the skill that a tool becomes. */
export function skillIdOf(tool: CanonicalTool): string {
  const skillId = tool.source?.extra.skillId;
  return typeof skillId === 'string' && skillId !== '' ? skillId : toolId(tool);
}

/** Writes a skill. */
export function writeSkill(request: SkillRequest): PlainObject {
  const { tool } = request;
  const { skillId: _skillId, ...extra } = tool.source?.format === 'a2a' ? tool.source.extra : {};
  const id = skillIdOf(tool);
  const { text, field } = describing(tool);
  lose(request, [
    ...ONLY_MCP,
    ...(field === 'summary' ? [] : (['summary'] as const)),
    ...missingIn(id, tool),
    ...(request.keepsSchemas ? [] : telling(tool)),
  ]);
  return copyJson({
    id,
    name: isEmpty(tool.title) ? tool.name : tool.title,
    description: text ?? tool.name,
    tags: tool.tags ?? [],
    ...(tool.examples !== undefined && { examples: examplesOf(request, tool.examples) }),
    ...(tool.inputModes !== undefined && { inputModes: tool.inputModes }),
    ...(tool.outputModes !== undefined && { outputModes: tool.outputModes }),
    ...(tool.securityRequirements !== undefined && {
      securityRequirements: writeRequirements(tool.securityRequirements),
    }),
    ...extra,
  });
}

/** What the id does not carry. */
function missingIn(id: string, tool: CanonicalTool): readonly ToolField[] {
  const carried = nameOfSkill(id);
  return (['namespace', 'version'] as const).filter((field) => carried[field] !== tool[field]);
}

/** The schemas that say more than "an object". */
function telling({ inputSchema, outputSchema }: CanonicalTool): readonly ToolField[] {
  return [
    ...(isTelling(inputSchema) ? (['inputSchema'] as const) : []),
    ...(outputSchema !== undefined && isTelling(outputSchema) ? (['outputSchema'] as const) : []),
  ];
}

function isTelling(schema: unknown): boolean {
  const silent = [true, {}, { type: 'object' }, { type: 'object', properties: {} }];
  return !silent.some((each) => isSameJson(each, schema));
}

function lose({ tool, losses, path }: SkillRequest, fields: readonly ToolField[]): void {
  for (const field of fields) {
    if (isEmpty(tool[field])) continue;
    const outcome = `${field} was removed: there is no place for it.`;
    losses.report({ feature: field, path: pointTo(path, field), action: 'dropped', outcome });
  }
}

/** Examples are sentences; anything else is written as JSON. */
function examplesOf({ losses, path }: SkillRequest, examples: readonly unknown[]): readonly string[] {
  return examples.map((example, position) => {
    if (typeof example === 'string') return example;
    const place = pointTo(path, 'examples', position);
    losses.report({
      feature: 'examples',
      path: place,
      action: 'transformed',
      outcome: 'an example became JSON text.',
    });
    return JSON.stringify(example);
  });
}
