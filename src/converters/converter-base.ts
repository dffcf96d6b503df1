import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Group, Prompt, Resource, ResourceTemplate, Tool } from '../model/group.ts';
import type { ToolAnnotations } from '../model/values.ts';

/**
 * Turns a domain object into an outside form (`convertFrom…`) and back (`convertTo…`).
 * A subclass writes the two singles, or one of them when it works in one direction only.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * class GroupNames extends ConverterBase<Group, string> {
 *   override convertFrom(group: Group) { return group.name; }
 *   override convertTo(name: string) { return new Group(name); }
 * }
 */
export abstract class ConverterBase<TSource, TTarget> {
  /**
   * Converts a part of the model to the other form. A class that does not write this direction throws
   * `TW_MODEL_CONVERTER`.
   */
  convertFrom(_source: TSource): TTarget {
    throw unwritten(this, 'convertFrom');
  }

  /**
   * Converts the other form to a part of the model. A class that does not write this direction throws
   * `TW_MODEL_CONVERTER`.
   */
  convertTo(_target: TTarget): TSource {
    throw unwritten(this, 'convertTo');
  }

  /** Converts each in order; results that are null or undefined are dropped, other falsy ones stay. */
  convertFromBatch(sources: readonly TSource[]): NonNullable<TTarget>[] {
    return sources.map((source) => this.convertFrom(source)).filter(isPresent);
  }

  /** The way back of {@link convertFromBatch}, by the same rule. */
  convertToBatch(targets: readonly TTarget[]): NonNullable<TSource>[] {
    return targets.map((target) => this.convertTo(target)).filter(isPresent);
  }
}

function isPresent<T>(value: T): value is NonNullable<T> {
  return value !== null && value !== undefined;
}

/** The error of a converter that writes none of the methods that a call could be answered by. */
function unwritten(converter: object, called: string, twin?: string): ToolwrightError<'TW_MODEL_CONVERTER'> {
  const kind = converter.constructor.name;
  return new ToolwrightError('TW_MODEL_CONVERTER', {
    where: `${kind}.${called}()`,
    what: 'is not implemented, so this converter does not work in that direction',
    fix: twin === undefined ? `write ${called}() in ${kind}` : `write ${called}() or ${twin}() in ${kind}`,
  });
}

type Methods = Record<string, (this: Methods, given: unknown) => unknown>;

/** Makes the converters of one kind answer under its own names as well: `convertFromTool` beside `convertFrom`. */
function addNames(prototype: object, kind: string): void {
  const base = prototype as Methods;
  const add = (name: string, value: Methods[string]): void => {
    Object.defineProperty(base, name, { value, writable: true, configurable: true });
  };
  const forward = (name: string, twin: string): void => {
    add(name, function (given) {
      // Forwarding to what no subclass has written would never end
      if (this[twin] === base[twin]) throw unwritten(this, name, twin);
      return this[twin]?.(given);
    });
  };
  for (const direction of ['convertFrom', 'convertTo']) {
    forward(direction, direction + kind);
    forward(direction + kind, direction);
    add(`${direction}${kind}s`, function (given) {
      return this[`${direction}Batch`]?.(given);
    });
  }
}

/* oxlint-disable typescript/no-unsafe-declaration-merging -- each class adds exactly these methods */

/**
 * The base of converters of tools. A subclass writes the generic singles or the aliased ones;
 * every other name forwards to what it wrote.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * class ToolNames extends ToolConverterBase<string> {
 *   override convertFromTool(tool: Tool) { return tool.name; }
 * }
 */
export abstract class ToolConverterBase<TTarget> extends ConverterBase<Tool, TTarget> {
  static {
    addNames(this.prototype, 'Tool');
  }
}

export interface ToolConverterBase<TTarget> {
  /** Converts a tool to the other form. */
  convertFromTool(tool: Tool): TTarget;
  /** Converts the other form to a tool. */
  convertToTool(target: TTarget): Tool;
  /** Converts all of the tools, and leaves out those that convert to null or undefined. */
  convertFromTools(tools: readonly Tool[]): NonNullable<TTarget>[];
  /** Converts all of the values to tools. */
  convertToTools(targets: readonly TTarget[]): Tool[];
}

/**
 * The base of converters of tool annotations. A subclass writes the generic singles or the aliased ones;
 * every other name forwards to what it wrote.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * class ReadOnlyFlags extends ToolAnnotationsConverterBase<boolean> {
 *   override convertFromToolAnnotation(annotations: ToolAnnotations) { return annotations.readOnlyHint === true; }
 * }
 */
export abstract class ToolAnnotationsConverterBase<TTarget> extends ConverterBase<ToolAnnotations, TTarget> {
  static {
    addNames(this.prototype, 'ToolAnnotation');
  }
}

export interface ToolAnnotationsConverterBase<TTarget> {
  /** Converts the annotations of a tool to the other form. */
  convertFromToolAnnotation(annotations: ToolAnnotations): TTarget;
  /** Converts the other form to the annotations of a tool. */
  convertToToolAnnotation(target: TTarget): ToolAnnotations;
  /** Converts all of the annotations, and leaves out those that convert to null or undefined. */
  convertFromToolAnnotations(annotations: readonly ToolAnnotations[]): NonNullable<TTarget>[];
  /** Converts all of the values to annotations of tools. */
  convertToToolAnnotations(targets: readonly TTarget[]): ToolAnnotations[];
}

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
  static {
    addNames(this.prototype, 'Group');
  }
}

export interface GroupConverterBase<TTarget> {
  /** Converts a group, with all that it holds, to the other form. */
  convertFromGroup(group: Group): TTarget;
  /** Converts the other form to a group, with all that it holds. */
  convertToGroup(target: TTarget): Group;
  /** Converts all of the groups, and leaves out those that convert to null or undefined. */
  convertFromGroups(groups: readonly Group[]): NonNullable<TTarget>[];
  /** Converts all of the values to groups. */
  convertToGroups(targets: readonly TTarget[]): Group[];
}

/**
 * The base of converters of prompts. A subclass writes the generic singles or the aliased ones;
 * every other name forwards to what it wrote.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * import { PromptConverterBase, type Prompt } from 'toolwright/model';
 * class PromptNames extends PromptConverterBase<string> {
 *   override convertFromPrompt(prompt: Prompt) { return prompt.name; }
 * }
 */
export abstract class PromptConverterBase<TTarget> extends ConverterBase<Prompt, TTarget> {
  static {
    addNames(this.prototype, 'Prompt');
  }
}

export interface PromptConverterBase<TTarget> {
  /** Converts a prompt to the other form. */
  convertFromPrompt(prompt: Prompt): TTarget;
  /** Converts the other form to a prompt. */
  convertToPrompt(target: TTarget): Prompt;
  /** Converts all of the prompts, and leaves out those that convert to null or undefined. */
  convertFromPrompts(prompts: readonly Prompt[]): NonNullable<TTarget>[];
  /** Converts all of the values to prompts. */
  convertToPrompts(targets: readonly TTarget[]): Prompt[];
}

/**
 * The base of converters of resources. A subclass writes the generic singles or the aliased ones;
 * every other name forwards to what it wrote.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * import { ResourceConverterBase, type Resource } from 'toolwright/model';
 * class ResourceUris extends ResourceConverterBase<string | undefined> {
 *   override convertFromResource(resource: Resource) { return resource.uri; }
 * }
 */
export abstract class ResourceConverterBase<TTarget> extends ConverterBase<Resource, TTarget> {
  static {
    addNames(this.prototype, 'Resource');
  }
}

export interface ResourceConverterBase<TTarget> {
  /** Converts a resource to the other form. */
  convertFromResource(resource: Resource): TTarget;
  /** Converts the other form to a resource. */
  convertToResource(target: TTarget): Resource;
  /** Converts all of the resources, and leaves out those that convert to null or undefined. */
  convertFromResources(resources: readonly Resource[]): NonNullable<TTarget>[];
  /** Converts all of the values to resources. */
  convertToResources(targets: readonly TTarget[]): Resource[];
}

/**
 * The base of converters of resource templates. A subclass writes the generic singles or the aliased ones;
 * every other name forwards to what it wrote.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * class UriTemplates extends ResourceTemplateConverterBase<string | undefined> {
 *   override convertFromResourceTemplate(template: ResourceTemplate) { return template.uriTemplate; }
 * }
 */
export abstract class ResourceTemplateConverterBase<TTarget> extends ConverterBase<
  ResourceTemplate,
  TTarget
> {
  static {
    addNames(this.prototype, 'ResourceTemplate');
  }
}

export interface ResourceTemplateConverterBase<TTarget> {
  /** Converts a resource template to the other form. */
  convertFromResourceTemplate(template: ResourceTemplate): TTarget;
  /** Converts the other form to a resource template. */
  convertToResourceTemplate(target: TTarget): ResourceTemplate;
  /** Converts all of the templates, and leaves out those that convert to null or undefined. */
  convertFromResourceTemplates(templates: readonly ResourceTemplate[]): NonNullable<TTarget>[];
  /** Converts all of the values to resource templates. */
  convertToResourceTemplates(targets: readonly TTarget[]): ResourceTemplate[];
}
