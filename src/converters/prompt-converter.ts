import { Prompt, PromptArgument } from '../model/group.ts';
import { ConverterBase, requireWritten } from './converter-base.ts';
import { readBase, wireObject } from './wire-members.ts';
import type { ReadonlyWire, WirePrompt, WirePromptArgument } from './wire.ts';

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

/**
 * Prompts ↔ the prompts of MCP's `prompts/list`. Without arguments, `arguments` is left out.
 *
 * @example
 * const prompts = new McpPromptConverter().convertFromPrompts(group.childPrompts);
 */
export class McpPromptConverter extends PromptConverterBase<WirePrompt> {
  override convertFromPrompt(prompt: Prompt): WirePrompt {
    const list = prompt.promptArguments.map(wireArgument);
    return wireObject(prompt, { arguments: list.length === 0 ? undefined : list });
  }

  override convertToPrompt(wire: ReadonlyWire<WirePrompt>): Prompt {
    const prompt = new Prompt(wire.name);
    readBase(prompt, wire);
    for (const argument of wire.arguments ?? []) prompt.addPromptArgument(readArgument(argument));
    return prompt;
  }
}

function wireArgument(argument: PromptArgument): WirePromptArgument {
  return wireObject(argument, { required: argument.required });
}

function readArgument(wire: ReadonlyWire<WirePromptArgument>): PromptArgument {
  const argument = new PromptArgument(wire.name);
  readBase(argument, wire);
  // Only the boolean counts: a text such as 'True' or 'false' says nothing that can be relied on.
  argument.required = wire.required === true;
  return argument;
}
