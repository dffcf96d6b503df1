import type { TaskMode } from '../call/action-options.ts';
import type { CallExchange } from '../call/call-exchange.ts';
import type { Completion, GetPromptResult, ReadResourceResult } from '../call/results.ts';
import type { ToolDefinition } from '../compile/tools/compiled-tool.ts';
import type { WirePrompt, WireResource, WireResourceTemplate } from '../converters/wire.ts';
import type { CacheOptions } from '../metadata/options.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import type { Outcome } from './outcome.ts';

/** What an application offers. A part that it does not have is undefined and is not declared to clients. */
export interface ServiceParts {
  readonly tools: ToolService | undefined;
  readonly prompts: PromptService | undefined;
  readonly resources: ResourceService | undefined;
  readonly completions: CompletionService | undefined;
}

/** The tools: the list, and calls. */
export interface ToolService {
  list(): readonly ToolDefinition[];
  /** Never rejects: whatever goes wrong is an outcome. */
  call(name: string, args: unknown, exchange: CallExchange): MaybePromise<Outcome>;
  /** How the action that a call names becomes a task; undefined where it does not, or there is no such action. */
  taskModeOf(name: string, args: unknown, exchange: CallExchange): TaskMode | undefined;
}

/** What a list needs no request for: frozen, and the same array until something changes. */
export interface FixedList<Entry> {
  readonly list: readonly Entry[];
  /** False where templates or families list some for each request. */
  readonly isAll: boolean;
}

/** Prompts of an application. What fails rejects with a ProtocolError, and with nothing else. */
export interface PromptService {
  /** Single prompts, and what the `list` methods of families give. */
  list(exchange: CallExchange): readonly WirePrompt[] | Promise<readonly WirePrompt[]>;
  /** Those that are the same for every request, and whether these are all. */
  fixed(): FixedList<WirePrompt>;
  get(name: string, args: unknown, exchange: CallExchange): Promise<GetPromptResult>;
}

/** Resources of an application. What fails rejects with a ProtocolError, and with nothing else. */
export interface ResourceService {
  /** Fixed resources, and what the `list` methods of templates give. */
  list(exchange: CallExchange): Promise<readonly WireResource[]>;
  templates(): readonly WireResourceTemplate[];
  /** Those that are the same for every request, and whether these are all. */
  fixed(): FixedList<WireResource>;
  read(uri: string, exchange: CallExchange): Promise<ReadResourceResult>;
  /** Whether a fixed resource or a template has the URI. */
  knows(uri: string): boolean;
  /** How long what is read there may be kept; undefined where nobody said. */
  cacheOf(uri: string): CacheOptions | undefined;
}

/** What an argument belongs to (spec: server/utilities/completion, Reference Types). */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

export interface CompletionRequest {
  readonly reference: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  /** Arguments that the client has resolved already. */
  readonly resolved: Readonly<Record<string, string>>;
}

/** Completions of arguments. What fails rejects with a ProtocolError, and with nothing else. */
export interface CompletionService {
  complete(request: CompletionRequest, exchange: CallExchange): Promise<Completion>;
}
