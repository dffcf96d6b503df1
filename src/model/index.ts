export {
  Annotations,
  createAnnotations,
  createIcon,
  createToolAnnotations,
  Icon,
  Role,
  ToolAnnotations,
} from './values.ts';
export { BaseModel, sealModel } from './base-model.ts';
export type { GroupNode } from './group-node.ts';
export { Group, GroupItem, Prompt, PromptArgument, Resource, ResourceTemplate, Tool } from './group.ts';

export {
  ConverterBase,
  GroupConverterBase,
  PromptConverterBase,
  ResourceConverterBase,
  ResourceTemplateConverterBase,
  ToolAnnotationsConverterBase,
  ToolConverterBase,
} from '../converters/converter-base.ts';
export {
  McpGroupConverter,
  McpPromptConverter,
  McpResourceConverter,
  McpResourceTemplateConverter,
  McpToolAnnotationsConverter,
  McpToolConverter,
} from '../converters/mcp-converters.ts';
export type {
  ReadonlyWire,
  WireAnnotations,
  WireGroup,
  WireIcon,
  WirePrompt,
  WirePromptArgument,
  WireResource,
  WireResourceTemplate,
  WireSchema,
  WireTool,
  WireToolAnnotations,
} from '../converters/wire.ts';
export type { JsonSchema, ObjectSchema } from '../shared/json-schema.ts';
export type { WireBase } from '../converters/wire.ts';
