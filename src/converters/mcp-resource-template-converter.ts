import { ResourceTemplate } from '../model/group.ts';
import { ResourceTemplateConverterBase } from './resource-template-converter-base.ts';
import type { ReadonlyWire, WireResourceTemplate } from './wire.ts';
import { readAnnotations, wireAnnotations } from './wire-annotations.ts';
import { readBase, requireMember, wireObject } from './wire-members.ts';

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
