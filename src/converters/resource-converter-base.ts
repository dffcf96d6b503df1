import type { Resource } from '../model/group.ts';
import { ConverterBase } from './converter-base.ts';
import { requireWritten } from './written.ts';

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
