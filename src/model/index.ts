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
export { Group, GroupItem, Prompt, PromptArgument, Resource, ResourceTemplate, Tool } from './group.ts';

export { ConverterBase } from '../converters/converter-base.ts';
export { GroupConverterBase, McpGroupConverter } from '../converters/group-converter.ts';
export { McpPromptConverter, PromptConverterBase } from '../converters/prompt-converter.ts';
export {
  McpResourceConverter,
  McpResourceTemplateConverter,
  ResourceConverterBase,
  ResourceTemplateConverterBase,
} from '../converters/resource-converter.ts';
export {
  McpToolAnnotationsConverter,
  McpToolConverter,
  ToolAnnotationsConverterBase,
  ToolConverterBase,
} from '../converters/tool-converter.ts';
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
export type { ObjectSchema } from '../shared/json-schema.ts';
