import type { NameTemplate } from '../shared/name-template.ts';
import type { IconOptions } from '../metadata/options.ts';
import type { ScannedCallable, ScannedHandler } from './scanned-callable.ts';

/** A prompt, resolved and checked: plain data without instances. */
export interface ScannedPrompt extends ScannedCallable {
  readonly kind: 'prompt';
  /** Unique among the prompts of an application. */
  readonly name: string;
  /** The class that declares it, when that is a @ToolGroup: the group it belongs to in the model. */
  readonly group: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly tags: readonly string[];
  /** Set for a family of prompts: how their names are made, and the method that lists them. */
  readonly family:
    | { readonly template: NameTemplate; readonly list: Extract<ScannedHandler, { kind: 'method' }> }
    | undefined;
  readonly completions: readonly ScannedCompletion[];
}

/** A method that completes one argument of a prompt, or one variable of a resource template. */
export interface ScannedCompletion {
  readonly argument: string;
  /** `DocsController.languages()`. */
  readonly where: string;
  /** Called with the text typed so far and a CompletionContext; its `parameters` are empty. */
  readonly handler: Extract<ScannedHandler, { kind: 'method' }>;
}
