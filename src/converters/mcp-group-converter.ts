import { BaseModel } from '../model/base-model.ts';
import { Group } from '../model/group.ts';
import { GroupConverterBase } from './group-converter-base.ts';
import { McpPromptConverter } from './mcp-prompt-converter.ts';
import { McpResourceConverter } from './mcp-resource-converter.ts';
import { McpResourceTemplateConverter } from './mcp-resource-template-converter.ts';
import { McpToolConverter } from './mcp-tool-converter.ts';
import { SharedItems } from './shared-items.ts';
import type { WireGroup } from './wire.ts';
import { readBase, wireObject } from './wire-members.ts';

const toolConverter = new McpToolConverter();
const promptConverter = new McpPromptConverter();
const resourceConverter = new McpResourceConverter();
const templateConverter = new McpResourceTemplateConverter();

/**
 * A tree of groups ↔ the same tree as plain data, with MCP's wire objects at the leaves.
 * A leaf with several parents in the tree is one object in both forms; JSON text splits it into equal copies.
 * The way back gives a root: parents outside of the tree are not part of the plain form.
 *
 * @throws ToolwrightError `TW_MODEL_INCOMPLETE` when a resource or template has no URI.
 * @example
 * const converter = new McpGroupConverter();
 * const copy = converter.convertToGroup(converter.convertFromGroup(office));
 */
export class McpGroupConverter extends GroupConverterBase<WireGroup> {
  override convertFromGroup(group: Group): WireGroup {
    const tools = new SharedItems(toolConverter.convertFromTool.bind(toolConverter));
    const prompts = new SharedItems(promptConverter.convertFromPrompt.bind(promptConverter));
    const resources = new SharedItems(resourceConverter.convertFromResource.bind(resourceConverter));
    const templates = new SharedItems(templateConverter.convertFromResourceTemplate.bind(templateConverter));
    const write = (node: Group): WireGroup => {
      const { nameSeparator } = node;
      return wireObject(node, {
        nameSeparator: nameSeparator === BaseModel.DEFAULT_SEPARATOR ? undefined : nameSeparator,
        groups: node.childGroups.map(write),
        tools: tools.get(node.childTools),
        prompts: prompts.get(node.childPrompts),
        resources: resources.get(node.childResources),
        resourceTemplates: templates.get(node.childResourceTemplates),
      });
    };
    return write(group);
  }

  override convertToGroup(wire: WireGroup): Group {
    const tools = new SharedItems(toolConverter.convertToTool.bind(toolConverter));
    const prompts = new SharedItems(promptConverter.convertToPrompt.bind(promptConverter));
    const resources = new SharedItems(resourceConverter.convertToResource.bind(resourceConverter));
    const templates = new SharedItems(templateConverter.convertToResourceTemplate.bind(templateConverter));
    const read = (node: WireGroup): Group => {
      const group = new Group(node.name, node.nameSeparator);
      readBase(group, node);
      for (const child of node.groups) group.addChildGroup(read(child));
      for (const tool of tools.get(node.tools)) group.addChildTool(tool);
      for (const prompt of prompts.get(node.prompts)) group.addChildPrompt(prompt);
      for (const resource of resources.get(node.resources)) group.addChildResource(resource);
      for (const template of templates.get(node.resourceTemplates)) group.addChildResourceTemplate(template);
      return group;
    };
    return read(wire);
  }
}
