import type { ActionDraft } from './action-draft.ts';
import type { Controller } from './method-draft.ts';
import type { PromptDraft } from './read-prompts.ts';
import type { ResourceDraft } from './read-resources.ts';

/** A controller with everything that it offers. */
export interface ControllerDraft {
  readonly controller: Controller;
  readonly actions: readonly ActionDraft[];
  readonly prompts: readonly PromptDraft[];
  readonly resources: readonly ResourceDraft[];
}
