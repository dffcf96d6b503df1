import type { ToolContext } from './tool-context.ts';

/** What a completing method knows beside the text that was typed so far. */
export interface CompletionContext {
  /** The arguments that the client has resolved already. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly call: ToolContext;
}

/** The values of completion/complete on the wire; at most 100 (spec: server/utilities/completion). */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}
