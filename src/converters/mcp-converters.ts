import { BaseModel } from '../model/base-model.ts';
import { Group, Prompt, PromptArgument, Resource, ResourceTemplate, Tool } from '../model/group.ts';
import {
  type Annotations,
  createAnnotations,
  createToolAnnotations,
  type ToolAnnotations,
  createIcon,
  type Icon,
} from '../model/values.ts';
import { deepCopy } from '../shared/deep-freeze.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import {
  GroupConverterBase,
  PromptConverterBase,
  ResourceConverterBase,
  ResourceTemplateConverterBase,
  ToolAnnotationsConverterBase,
  ToolConverterBase,
} from './converter-base.ts';
import type {
  ReadonlyWire,
  WireAnnotations,
  WireGroup,
  WirePrompt,
  WireResource,
  WireResourceTemplate,
  WireSchema,
  WireTool,
  WireToolAnnotations,
  WireIcon,
} from './wire.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';

/**
 * Tool annotations ↔ the `annotations` of an MCP tool.
 *
 * @example
 * new McpToolAnnotationsConverter().convertFromToolAnnotation(createToolAnnotations({ readOnlyHint: true }));
 * // { readOnlyHint: true }
 */
export class McpToolAnnotationsConverter extends ToolAnnotationsConverterBase<WireToolAnnotations> {
  override convertFromToolAnnotation(annotations: ToolAnnotations): WireToolAnnotations {
    return withoutUndefined(createToolAnnotations(annotations));
  }

  override convertToToolAnnotation(wire: WireToolAnnotations): ToolAnnotations {
    return createToolAnnotations(wire);
  }
}

const annotationsConverter = new McpToolAnnotationsConverter();

/**
 * Tools ↔ the tools of MCP's `tools/list`. A tool without an input schema gets `{ type: 'object' }`,
 * because MCP requires one. Both ways copy: the two forms never share a schema.
 *
 * @example
 * const tools = new McpToolConverter().convertFromTools(group.childTools);
 */
export class McpToolConverter extends ToolConverterBase<WireTool> {
  override convertFromTool(tool: Tool): WireTool {
    return wireObject(tool, {
      inputSchema: wireSchema(tool.inputSchema ?? { type: 'object' }),
      outputSchema: tool.outputSchema && wireSchema(tool.outputSchema),
      annotations:
        tool.toolAnnotations && annotationsConverter.convertFromToolAnnotation(tool.toolAnnotations),
    });
  }

  override convertToTool(wire: ReadonlyWire<WireTool>): Tool {
    return readModel(new Tool(wire.name), wire, {
      inputSchema: readSchema(wire.inputSchema),
      outputSchema: wire.outputSchema && readSchema(wire.outputSchema),
      toolAnnotations: wire.annotations && annotationsConverter.convertToToolAnnotation(wire.annotations),
    });
  }
}

// The two types differ in nothing but readonly lists, and the copy belongs to the caller.
function wireSchema(schema: ObjectSchema): WireSchema {
  return deepCopy(schema) as WireSchema;
}

function readSchema(schema: ReadonlyWire<WireSchema>): ObjectSchema {
  return deepCopy(schema) as ObjectSchema;
}

/**
 * Prompts ↔ the prompts of MCP's `prompts/list`. Without arguments, `arguments` is left out.
 *
 * @example
 * const prompts = new McpPromptConverter().convertFromPrompts(group.childPrompts);
 */
export class McpPromptConverter extends PromptConverterBase<WirePrompt> {
  override convertFromPrompt(prompt: Prompt): WirePrompt {
    const list = prompt.promptArguments.map((argument) =>
      wireObject(argument, { required: argument.required }),
    );
    return wireObject(prompt, { arguments: list.length === 0 ? undefined : list });
  }

  override convertToPrompt(wire: ReadonlyWire<WirePrompt>): Prompt {
    const prompt = readModel(new Prompt(wire.name), wire, {});
    for (const argument of wire.arguments ?? []) {
      // Only the boolean counts: a text such as 'True' or 'false' says nothing that can be relied on.
      const required = argument.required === true;
      prompt.addPromptArgument(readModel(new PromptArgument(argument.name), argument, { required }));
    }
    return prompt;
  }
}

/**
 * Resources ↔ the resources of MCP's `resources/list`.
 *
 * @throws ToolwrightError `TW_MODEL_INCOMPLETE` when a resource has no `uri`.
 * @example
 * const resources = new McpResourceConverter().convertFromResources(group.childResources);
 */
export class McpResourceConverter extends ResourceConverterBase<WireResource> {
  override convertFromResource(resource: Resource): WireResource {
    return wireObject(resource, {
      uri: requireMember(resource, 'uri', resource.uri),
      mimeType: resource.mimeType,
      size: resource.size,
      annotations: resource.annotations && wireAnnotations(resource.annotations),
    });
  }

  override convertToResource(wire: ReadonlyWire<WireResource>): Resource {
    const { name, uri, mimeType, size } = wire;
    const annotations = wire.annotations && createAnnotations(wire.annotations);
    return readModel(new Resource(name), wire, { uri, mimeType, size, annotations });
  }
}

/**
 * Resource templates ↔ the templates of MCP's `resources/templates/list`.
 *
 * @throws ToolwrightError `TW_MODEL_INCOMPLETE` when a template has no `uriTemplate`.
 * @example
 * const wire = new McpResourceTemplateConverter().convertFromResourceTemplate(template);
 */
export class McpResourceTemplateConverter extends ResourceTemplateConverterBase<WireResourceTemplate> {
  override convertFromResourceTemplate(template: ResourceTemplate): WireResourceTemplate {
    return wireObject(template, {
      uriTemplate: requireMember(template, 'uriTemplate', template.uriTemplate),
      mimeType: template.mimeType,
      annotations: template.annotations && wireAnnotations(template.annotations),
    });
  }

  override convertToResourceTemplate(wire: ReadonlyWire<WireResourceTemplate>): ResourceTemplate {
    const { name, uriTemplate, mimeType } = wire;
    const annotations = wire.annotations && createAnnotations(wire.annotations);
    return readModel(new ResourceTemplate(name), wire, { uriTemplate, mimeType, annotations });
  }
}

/** The copy has lists of its own, which the caller may change. */
function wireAnnotations(annotations: Annotations): WireAnnotations {
  return withoutUndefined(createAnnotations(annotations)) as WireAnnotations;
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
    const tools = onceEach((tool: Tool) => toolConverter.convertFromTool(tool));
    const prompts = onceEach((prompt: Prompt) => promptConverter.convertFromPrompt(prompt));
    const resources = onceEach((resource: Resource) => resourceConverter.convertFromResource(resource));
    const templates = onceEach((template: ResourceTemplate) =>
      templateConverter.convertFromResourceTemplate(template),
    );
    const write = (node: Group): WireGroup => {
      const { nameSeparator } = node;
      return wireObject(node, {
        nameSeparator: nameSeparator === BaseModel.DEFAULT_SEPARATOR ? undefined : nameSeparator,
        groups: node.childGroups.map(write),
        tools: node.childTools.map(tools),
        prompts: node.childPrompts.map(prompts),
        resources: node.childResources.map(resources),
        resourceTemplates: node.childResourceTemplates.map(templates),
      });
    };
    return write(group);
  }

  override convertToGroup(wire: WireGroup): Group {
    const toolOf = onceEach((tool: WireTool) => toolConverter.convertToTool(tool));
    const promptOf = onceEach((prompt: WirePrompt) => promptConverter.convertToPrompt(prompt));
    const resourceOf = onceEach((resource: WireResource) => resourceConverter.convertToResource(resource));
    const templateOf = onceEach((template: WireResourceTemplate) =>
      templateConverter.convertToResourceTemplate(template),
    );
    const read = (node: WireGroup): Group => {
      const group = readModel(new Group(node.name, node.nameSeparator), node, {});
      for (const child of node.groups) group.addChildGroup(read(child));
      for (const tool of node.tools) group.addChildTool(toolOf(tool));
      for (const prompt of node.prompts) group.addChildPrompt(promptOf(prompt));
      for (const resource of node.resources) group.addChildResource(resourceOf(resource));
      for (const template of node.resourceTemplates) group.addChildResourceTemplate(templateOf(template));
      return group;
    };
    return read(wire);
  }
}

/** Converts each item once, so that an item with several parents stays one object on the other side. */
function onceEach<Item extends object, Result>(convert: (item: Item) => Result): (item: Item) => Result {
  const results = new Map<Item, Result>();
  return (item) => {
    const result = results.get(item) ?? convert(item);
    results.set(item, result);
    return result;
  };
}

type BaseMember = 'name' | 'title' | 'description' | 'icons' | '_meta';

/** The members that every wire object has; those of its own kind stand between the two halves. */
type WireBase = Pick<WireGroup, BaseMember>;

/** A wire object in the order: name and texts, what its kind has, icons and `_meta`; without what is undefined. */
function wireObject<TOwn extends object>(model: BaseModel, own: TOwn): TOwn & WireBase {
  const members = {
    name: model.name,
    title: model.title,
    description: model.description,
    ...own,
    icons: model.icons?.map((icon) => wireIcon(icon, model)),
    _meta: model.meta && deepCopy(Object.fromEntries(model.meta)),
  };
  return withoutUndefined(members);
}

/** Gives a model its own members, and what {@link wireObject} wrote for every kind. */
function readModel<Model extends BaseModel>(
  model: Model,
  { title, description, _meta, icons }: ReadonlyWire<WireBase>,
  own: Partial<Model>,
): Model {
  return Object.assign(model, own, {
    title,
    description,
    meta: _meta && new Map(Object.entries(deepCopy(_meta))),
    icons: icons?.map((icon) => createIcon(icon)),
  });
}

/** The members of an object that are not undefined; its type must allow for their absence. */
function withoutUndefined<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

/** The value of a member that the wire form cannot do without. */
function requireMember<T>(model: BaseModel, member: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new ToolwrightError('TW_MODEL_INCOMPLETE', {
    where: model.toString(),
    what: `has no ${member}`,
    why: 'MCP requires it',
    fix: `set ${member} before the model is converted`,
  });
}

function wireIcon(icon: Icon, model: BaseModel): WireIcon {
  requireMember(model, 'icons[].src', icon.src);
  return withoutUndefined(createIcon(icon)) as WireIcon;
}
