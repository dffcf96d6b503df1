import type { CheckOutcome } from '../call/issue.ts';
import type { GetPromptResult } from '../call/results.ts';
import type { WirePrompt } from '../converters/wire.ts';
import type { Prompt } from '../model/group.ts';
import type { NameTemplate } from '../shared/name-template.ts';
import type { Completers } from './compile-member.ts';
import type { CompiledHandler } from './handler-call.ts';

/** How the prompts of a family are told apart, and what lists them. */
export interface PromptFamily {
  readonly template: NameTemplate;
  readonly list: CompiledHandler;
}

/** A prompt that is ready to serve. Frozen; its arguments may come as strings. */
export interface CompiledPrompt extends CompiledHandler {
  readonly name: string;
  /** The name of the group that it belongs to. */
  readonly group: string | undefined;
  readonly tags: readonly string[];
  readonly model: Prompt;
  /** What prompts/list says of it; deeply frozen. */
  readonly definition: WirePrompt;
  readonly completers: Completers;
  /** Set for a family of prompts, which `definition` describes as a whole. */
  readonly family: PromptFamily | undefined;
  /** Turns a handler's value into messages; anything that cannot be one is an `ok: false`. */
  readonly convert: (value: unknown) => CheckOutcome<GetPromptResult>;
}
