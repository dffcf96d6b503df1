export { Annotations, createAnnotations, Role } from './annotations.ts';
export { BaseModel } from './base-model.ts';
export { Group, GroupItem, Prompt, Resource, ResourceTemplate, Tool } from './group.ts';
export { createIcon, Icon } from './icon.ts';
export { PromptArgument } from './prompt-argument.ts';
export { sealModel } from './seal-model.ts';
export { createToolAnnotations, ToolAnnotations } from './tool-annotations.ts';

export { ConverterBase } from '../converters/converter-base.ts';
export { GroupConverterBase } from '../converters/group-converter-base.ts';
export { McpGroupConverter } from '../converters/mcp-group-converter.ts';
export { McpPromptConverter } from '../converters/mcp-prompt-converter.ts';
export { McpResourceConverter } from '../converters/mcp-resource-converter.ts';
export { McpResourceTemplateConverter } from '../converters/mcp-resource-template-converter.ts';
export { McpToolAnnotationsConverter } from '../converters/mcp-tool-annotations-converter.ts';
export { McpToolConverter } from '../converters/mcp-tool-converter.ts';
export { PromptConverterBase } from '../converters/prompt-converter-base.ts';
export { ResourceConverterBase } from '../converters/resource-converter-base.ts';
export { ResourceTemplateConverterBase } from '../converters/resource-template-converter-base.ts';
export { ToolAnnotationsConverterBase } from '../converters/tool-annotations-converter-base.ts';
export { ToolConverterBase } from '../converters/tool-converter-base.ts';
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
