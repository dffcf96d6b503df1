import type { Tool } from '../model/group.ts';
import { ConverterBase } from './converter-base.ts';
import { requireWritten } from './written.ts';

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
  override convertFrom(tool: Tool): TTarget {
    requireWritten(this, ToolConverterBase.prototype, 'convertFrom', 'convertFromTool');
    return this.convertFromTool(tool);
  }

  convertFromTool(tool: Tool): TTarget {
    requireWritten(this, ToolConverterBase.prototype, 'convertFromTool', 'convertFrom');
    return this.convertFrom(tool);
  }

  override convertTo(target: TTarget): Tool {
    requireWritten(this, ToolConverterBase.prototype, 'convertTo', 'convertToTool');
    return this.convertToTool(target);
  }

  convertToTool(target: TTarget): Tool {
    requireWritten(this, ToolConverterBase.prototype, 'convertToTool', 'convertTo');
    return this.convertTo(target);
  }

  convertFromTools(tools: readonly Tool[]): NonNullable<TTarget>[] {
    return this.convertFromBatch(tools);
  }

  convertToTools(targets: readonly TTarget[]): Tool[] {
    return this.convertToBatch(targets);
  }
}
