import type { TaskSupport } from '../../call/action-options.ts';
import { McpToolConverter } from '../../converters/tool-converter.ts';
import type { IconOptions, ToolAnnotationHints } from '../../metadata/options.ts';
import { Tool } from '../../model/group.ts';
import { createIcon, createToolAnnotations } from '../../model/values.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import type { CompiledToolDefinition, ToolDefinition } from '../tool-definition.ts';

/** Everything a listed tool consists of; a part that it does not have is undefined, never forgotten. */
export interface ToolForm {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema | undefined;
  readonly annotations: ToolAnnotationHints;
  readonly taskSupport: TaskSupport | undefined;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

const converter = new McpToolConverter();

/** The frozen wire form of a listed tool: the form of a root group, or of a leaf with flat exposition. */
export function definitionOf(
  form: ToolForm,
  explain: CompiledToolDefinition['explain'],
): CompiledToolDefinition {
  const tool = new Tool(form.name);
  tool.title = form.title;
  tool.description = form.description;
  tool.inputSchema = form.inputSchema;
  tool.outputSchema = form.outputSchema;
  tool.toolAnnotations = createToolAnnotations(form.annotations);
  tool.icons = form.icons?.map((icon) => createIcon(icon));
  tool.meta = form.meta === undefined ? undefined : new Map(Object.entries(form.meta));
  const { taskSupport } = form;
  const execution = taskSupport === undefined ? {} : { execution: { taskSupport } };
  const definition = { ...converter.convertFromTool(tool), ...execution } as ToolDefinition;
  return deepFreeze(
    Object.defineProperty(definition, 'explain', { value: explain }),
  ) as CompiledToolDefinition;
}
