import type { ToolAnnotations } from '../model/tool-annotations.ts';
import { ConverterBase } from './converter-base.ts';
import { requireWritten } from './written.ts';

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
  override convertFrom(annotations: ToolAnnotations): TTarget {
    requireWritten(this, ToolAnnotationsConverterBase.prototype, 'convertFrom', 'convertFromToolAnnotation');
    return this.convertFromToolAnnotation(annotations);
  }

  convertFromToolAnnotation(annotations: ToolAnnotations): TTarget {
    requireWritten(this, ToolAnnotationsConverterBase.prototype, 'convertFromToolAnnotation', 'convertFrom');
    return this.convertFrom(annotations);
  }

  override convertTo(target: TTarget): ToolAnnotations {
    requireWritten(this, ToolAnnotationsConverterBase.prototype, 'convertTo', 'convertToToolAnnotation');
    return this.convertToToolAnnotation(target);
  }

  convertToToolAnnotation(target: TTarget): ToolAnnotations {
    requireWritten(this, ToolAnnotationsConverterBase.prototype, 'convertToToolAnnotation', 'convertTo');
    return this.convertTo(target);
  }

  convertFromToolAnnotations(annotations: readonly ToolAnnotations[]): NonNullable<TTarget>[] {
    return this.convertFromBatch(annotations);
  }

  convertToToolAnnotations(targets: readonly TTarget[]): ToolAnnotations[] {
    return this.convertToBatch(targets);
  }
}
