import type { ResourceTemplate } from '../model/group.ts';
import { ConverterBase } from './converter-base.ts';
import { requireWritten } from './written.ts';

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
