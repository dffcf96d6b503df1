import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import type { Conversion } from '../../rewrite/conversion.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { readSchema } from '../reading.ts';
import { skillIdOf } from './write-skill.ts';

/** The extension that carries the schemas of tools, for which a skill has no place. */
const URI = 'urn:toolwright:a2a:tool-schemas:1';

const isOurs = (extension: unknown): boolean => isPlainObject(extension) && extension.uri === URI;

/** The capabilities of a card, with the schemas of its tools. */
export function addSchemas(capabilities: PlainObject, tools: readonly CanonicalTool[]): PlainObject {
  const { extensions } = capabilities;
  const others: readonly unknown[] = Array.isArray(extensions) ? extensions : [];
  const skills = tools.map((tool) => [
    skillIdOf(tool),
    {
      inputSchema: tool.inputSchema,
      ...(tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
    },
  ]);
  const extension = {
    uri: URI,
    description: 'The JSON Schemas of the arguments and results of the skills.',
    required: false,
    params: { skills: Object.fromEntries(skills) as PlainObject },
  };
  return { ...capabilities, extensions: [...others.filter((each) => !isOurs(each)), extension] };
}

/** The tools with the schemas that the card has for them. */
export function restoreSchemas(
  conversion: Conversion,
  capabilities: PlainObject,
  tools: readonly CanonicalTool[],
): readonly CanonicalTool[] {
  const extensions: readonly unknown[] = Array.isArray(capabilities.extensions)
    ? capabilities.extensions
    : [];
  const position = extensions.findIndex(isOurs);
  const extension = extensions[position];
  const params = isPlainObject(extension) ? extension.params : undefined;
  const skills = isPlainObject(params) ? params.skills : undefined;
  if (!isPlainObject(skills)) return tools;
  const path = pointTo('', 'capabilities', 'extensions', position, 'params', 'skills');
  return tools.map((tool) => {
    const id = skillIdOf(tool);
    const held = Object.hasOwn(skills, id) ? skills[id] : undefined;
    return isPlainObject(held) ? restored(conversion, tool, held, pointTo(path, id)) : tool;
  });
}

function restored(
  conversion: Conversion,
  tool: CanonicalTool,
  held: PlainObject,
  path: string,
): CanonicalTool {
  const { inputSchema, outputSchema } = held;
  const read = (schema: unknown, key: string) => readSchema(conversion, schema, pointTo(path, key));
  return {
    ...tool,
    ...(inputSchema !== undefined && { inputSchema: read(inputSchema, 'inputSchema') }),
    ...(outputSchema !== undefined && { outputSchema: read(outputSchema, 'outputSchema') }),
  };
}

/** The capabilities without what was restored from them. */
export function withoutSchemas({ extensions, ...capabilities }: PlainObject): PlainObject {
  if (!Array.isArray(extensions)) return { ...capabilities, ...(extensions !== undefined && { extensions }) };
  const others = extensions.filter((each) => !isOurs(each));
  return others.length === 0 ? capabilities : { ...capabilities, extensions: others as readonly unknown[] };
}
