import { Prompt } from '../model/group.ts';
import { PromptArgument } from '../model/prompt-argument.ts';
import { PromptConverterBase } from './prompt-converter-base.ts';
import type { ReadonlyWire, WirePrompt, WirePromptArgument } from './wire.ts';
import { readBase, wireObject } from './wire-members.ts';

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
