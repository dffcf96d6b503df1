import type { CallExchange } from '../call/call-exchange.ts';
import { plainData } from '../call/handler-value.ts';
import { type CheckOutcome, describeReceived } from '../call/issue.ts';
import type { Completion } from '../call/results.ts';
import type { CompletionInput } from '../compile/stages/compile-callable.ts';
import type { CompiledPrompt } from '../compile/primitives/compile-prompt.ts';
import type { CompiledResource, CompiledTemplate } from '../compile/primitives/compile-resource.ts';
import { findPrompt, promptIndex } from './find-prompt.ts';
import type { CompletionReference, CompletionRequest, CompletionService } from './mcp-service.ts';
import { unknownName } from './protocol-failures.ts';
import { runPrimitive } from './run-primitive.ts';
import type { ServiceOptions } from './service-options.ts';
import { visibleItems } from './visible-items.ts';

/** The spec's limit (server/utilities/completion, Completion Results). */
const MOST_VALUES = 100;

/** What can be completed, by kind of reference. */
export interface CompletionSources {
  readonly prompts: () => readonly CompiledPrompt[];
  readonly resources: () => readonly CompiledResource[];
}

/** The completions of an application as its connections see them. */
export function createCompletionService(
  { prompts, resources }: CompletionSources,
  options: ServiceOptions,
): CompletionService {
  const visiblePrompts = visibleItems(prompts, options.filter, promptIndex);
  const visibleTemplates = visibleItems(resources, options.filter, byTemplate);
  const find = (reference: CompletionReference): CompiledPrompt | CompiledTemplate =>
    reference.type === 'ref/prompt'
      ? findPrompt(visiblePrompts(), reference.name).prompt
      : pick('resource template', reference.uri, visibleTemplates());

  return Object.freeze({
    complete: async ({ reference, argument, resolved }: CompletionRequest, exchange: CallExchange) => {
      const target = find(reference);
      const completer = target.completers.get(argument.name);
      if (completer === undefined) return completionOf([]);
      const kind = reference.type === 'ref/prompt' ? 'prompt' : 'resource';
      const input: CompletionInput = { value: argument.value, arguments: Object.freeze({ ...resolved }) };
      const call = { kind, name: target.name, args: { ...input }, exchange, convert } as const;
      return runPrimitive(completer, call, options);
    },
  });
}

function byTemplate(items: readonly CompiledResource[]): ReadonlyMap<string, CompiledTemplate> {
  const templates = items.filter((item) => item.kind === 'template');
  return new Map(templates.map((resource) => [resource.template.text, resource]));
}

function pick<Item>(kind: string, name: string, items: ReadonlyMap<string, Item>): Item {
  const found = items.get(name);
  if (found === undefined) throw unknownName(kind, name, [...items.keys()]);
  return found;
}

function convert(value: unknown): CheckOutcome<Completion> {
  if (value === undefined || value === null) return { ok: true, value: completionOf([]) };
  if (Array.isArray(plainData(value))) return { ok: true, value: completionOf(value as readonly unknown[]) };
  const message = 'a completing method gives an array of strings';
  return { ok: false, issues: [{ path: '', message, received: describeReceived(value) }] };
}

function completionOf(found: readonly unknown[]): Completion {
  const all = found.filter((value) => typeof value === 'string');
  return { values: all.slice(0, MOST_VALUES), total: all.length, hasMore: all.length > MOST_VALUES };
}
