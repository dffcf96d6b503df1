import type { Prompt } from '../model/group.ts';
import { ConverterBase } from './converter-base.ts';
import { requireWritten } from './written.ts';

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
  override convertFrom(prompt: Prompt): TTarget {
    requireWritten(this, PromptConverterBase.prototype, 'convertFrom', 'convertFromPrompt');
    return this.convertFromPrompt(prompt);
  }

  convertFromPrompt(prompt: Prompt): TTarget {
    requireWritten(this, PromptConverterBase.prototype, 'convertFromPrompt', 'convertFrom');
    return this.convertFrom(prompt);
  }

  override convertTo(target: TTarget): Prompt {
    requireWritten(this, PromptConverterBase.prototype, 'convertTo', 'convertToPrompt');
    return this.convertToPrompt(target);
  }

  convertToPrompt(target: TTarget): Prompt {
    requireWritten(this, PromptConverterBase.prototype, 'convertToPrompt', 'convertTo');
    return this.convertTo(target);
  }

  convertFromPrompts(prompts: readonly Prompt[]): NonNullable<TTarget>[] {
    return this.convertFromBatch(prompts);
  }

  convertToPrompts(targets: readonly TTarget[]): Prompt[] {
    return this.convertToBatch(targets);
  }
}
