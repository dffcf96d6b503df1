import type { IconOptions, ToolAnnotationHints } from '../metadata/options.ts';
import { deepCopy, deepFreeze } from '../shared/deep-freeze.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Everything a definition consists of; a part that a tool does not have is undefined, never forgotten. */
export interface ToolDefinitionParts {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema | undefined;
  readonly annotations: ToolAnnotationHints;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

/** The one factory of definitions: deeply frozen, and without members that say nothing. */
export function createToolDefinition(parts: ToolDefinitionParts): ToolDefinition {
  const { name, title, description, inputSchema, outputSchema, annotations, icons, meta } = parts;
  return deepFreeze({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: deepCopy(annotations),
    ...(icons === undefined ? {} : { icons: deepCopy(icons) }),
    ...(meta === undefined ? {} : { _meta: deepCopy(meta) }),
  });
}
