import { BaseModel } from '../model/base-model.ts';
import { Group } from '../model/group.ts';
import { ConverterBase, requireWritten } from './converter-base.ts';
import { McpPromptConverter } from './prompt-converter.ts';
import { McpResourceConverter, McpResourceTemplateConverter } from './resource-converter.ts';
import { McpToolConverter } from './tool-converter.ts';
import { readBase, wireObject } from './wire-members.ts';
import type { WireGroup } from './wire.ts';

/**
 * The base of converters of groups. A subclass writes the generic singles or the aliased ones;
 * every other name forwards to what it wrote.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * class GroupNames extends GroupConverterBase<string> {
 *   override convertFromGroup(group: Group) { return group.name; }
 * }
 */
export abstract class GroupConverterBase<TTarget> extends ConverterBase<Group, TTarget> {
  override convertFrom(group: Group): TTarget {
    requireWritten(this, GroupConverterBase.prototype, 'convertFrom', 'convertFromGroup');
    return this.convertFromGroup(group);
  }

  convertFromGroup(group: Group): TTarget {
    requireWritten(this, GroupConverterBase.prototype, 'convertFromGroup', 'convertFrom');
    return this.convertFrom(group);
  }

  override convertTo(target: TTarget): Group {
    requireWritten(this, GroupConverterBase.prototype, 'convertTo', 'convertToGroup');
    return this.convertToGroup(target);
  }

  convertToGroup(target: TTarget): Group {
    requireWritten(this, GroupConverterBase.prototype, 'convertToGroup', 'convertTo');
    return this.convertTo(target);
  }

  convertFromGroups(groups: readonly Group[]): NonNullable<TTarget>[] {
    return this.convertFromBatch(groups);
  }

  convertToGroups(targets: readonly TTarget[]): Group[] {
    return this.convertToBatch(targets);
  }
}

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

/** Converts each item once, so that an item with several parents stays one object on the other side. */
class SharedItems<TItem extends object, TResult> {
  readonly #convert: (item: TItem) => TResult;
  readonly #results = new Map<TItem, TResult>();

  constructor(convert: (item: TItem) => TResult) {
    this.#convert = convert;
  }

  get(items: readonly TItem[]): TResult[] {
    return items.map((item) => {
      if (!this.#results.has(item)) this.#results.set(item, this.#convert(item));
      return this.#results.get(item) as TResult;
    });
  }
}
