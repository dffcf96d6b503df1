import { Resource, ResourceTemplate } from '../model/group.ts';
import { type Annotations, createAnnotations } from '../model/values.ts';
import { ConverterBase, requireWritten } from './converter-base.ts';
import { readBase, requireMember, wireObject, withoutUndefined } from './wire-members.ts';
import type { ReadonlyWire, WireResource, WireResourceTemplate, WireAnnotations } from './wire.ts';

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
  override convertFrom(resource: Resource): TTarget {
    requireWritten(this, ResourceConverterBase.prototype, 'convertFrom', 'convertFromResource');
    return this.convertFromResource(resource);
  }

  convertFromResource(resource: Resource): TTarget {
    requireWritten(this, ResourceConverterBase.prototype, 'convertFromResource', 'convertFrom');
    return this.convertFrom(resource);
  }

  override convertTo(target: TTarget): Resource {
    requireWritten(this, ResourceConverterBase.prototype, 'convertTo', 'convertToResource');
    return this.convertToResource(target);
  }

  convertToResource(target: TTarget): Resource {
    requireWritten(this, ResourceConverterBase.prototype, 'convertToResource', 'convertTo');
    return this.convertTo(target);
  }

  convertFromResources(resources: readonly Resource[]): NonNullable<TTarget>[] {
    return this.convertFromBatch(resources);
  }

  convertToResources(targets: readonly TTarget[]): Resource[] {
    return this.convertToBatch(targets);
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
      annotations: wireAnnotations(resource.annotations),
    });
  }

  override convertToResource(wire: ReadonlyWire<WireResource>): Resource {
    const resource = new Resource(wire.name);
    readBase(resource, wire);
    resource.uri = wire.uri;
    resource.mimeType = wire.mimeType;
    resource.size = wire.size;
    resource.annotations = readAnnotations(wire.annotations);
    return resource;
  }
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
  override convertFrom(template: ResourceTemplate): TTarget {
    requireWritten(
      this,
      ResourceTemplateConverterBase.prototype,
      'convertFrom',
      'convertFromResourceTemplate',
    );
    return this.convertFromResourceTemplate(template);
  }

  convertFromResourceTemplate(template: ResourceTemplate): TTarget {
    requireWritten(
      this,
      ResourceTemplateConverterBase.prototype,
      'convertFromResourceTemplate',
      'convertFrom',
    );
    return this.convertFrom(template);
  }

  override convertTo(target: TTarget): ResourceTemplate {
    requireWritten(this, ResourceTemplateConverterBase.prototype, 'convertTo', 'convertToResourceTemplate');
    return this.convertToResourceTemplate(target);
  }

  convertToResourceTemplate(target: TTarget): ResourceTemplate {
    requireWritten(this, ResourceTemplateConverterBase.prototype, 'convertToResourceTemplate', 'convertTo');
    return this.convertTo(target);
  }

  convertFromResourceTemplates(templates: readonly ResourceTemplate[]): NonNullable<TTarget>[] {
    return this.convertFromBatch(templates);
  }

  convertToResourceTemplates(targets: readonly TTarget[]): ResourceTemplate[] {
    return this.convertToBatch(targets);
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
      annotations: wireAnnotations(template.annotations),
    });
  }

  override convertToResourceTemplate(wire: ReadonlyWire<WireResourceTemplate>): ResourceTemplate {
    const template = new ResourceTemplate(wire.name);
    readBase(template, wire);
    template.uriTemplate = wire.uriTemplate;
    template.mimeType = wire.mimeType;
    template.annotations = readAnnotations(wire.annotations);
    return template;
  }
}

/** Annotations of a resource or template in their wire form. */
function wireAnnotations(annotations: Annotations | undefined): WireAnnotations | undefined {
  if (annotations === undefined) return undefined;
  return withoutUndefined({
    audience: annotations.audience && [...annotations.audience],
    priority: annotations.priority,
    lastModified: annotations.lastModified,
  });
}

/** The way back of {@link wireAnnotations}. */
function readAnnotations(wire: ReadonlyWire<WireAnnotations> | undefined): Annotations | undefined {
  return wire && createAnnotations(wire);
}
