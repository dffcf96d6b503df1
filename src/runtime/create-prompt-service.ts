import type { CallExchange } from '../call/call-exchange.ts';
import { describeReceived } from '../call/issue.ts';
import { INVALID_PARAMS, ProtocolError } from '../call/protocol-error.ts';
import type { CompiledPrompt } from '../compile/primitives/compile-prompt.ts';
import type { WirePrompt } from '../converters/wire.ts';
import { isObject, type PlainObject } from '../shared/json.ts';
import { findPrompt, promptIndex, type PromptIndex } from './find-prompt.ts';
import { listFamily } from './list-family.ts';
import type { FixedList, PromptService } from './mcp-service.ts';
import { runPrimitive } from './run-primitive.ts';
import type { ServiceOptions } from './service-options.ts';
import { visibleItems } from './visible-items.ts';

/** The prompts of an application as its connections see them. */
export function createPromptService(
  prompts: () => readonly CompiledPrompt[],
  options: ServiceOptions,
): PromptService {
  const view = visibleItems(prompts, options.filter, arrange);
  return Object.freeze({
    fixed: () => view().fixed,
    list: (exchange: CallExchange) => {
      const { fixed, index } = view();
      return fixed.isAll ? fixed.list : listAll(fixed.list, index.families, exchange, options);
    },
    get: async (name: string, args: unknown, exchange: CallExchange) => {
      const { prompt, variables } = findPrompt(view().index, name);
      const { convert } = prompt;
      const given = { ...argumentsOf(args), ...variables };
      return runPrimitive(prompt, { kind: 'prompt', name, args: given, exchange, convert }, options);
    },
  });
}

interface PromptView {
  readonly fixed: FixedList<WirePrompt>;
  readonly index: PromptIndex;
}

function arrange(items: readonly CompiledPrompt[]): PromptView {
  const index = promptIndex(items);
  const list = Object.freeze([...index.single.values()].map(({ definition }) => definition));
  return { index, fixed: Object.freeze({ list, isAll: index.families.length === 0 }) };
}

async function listAll(
  single: readonly WirePrompt[],
  families: readonly CompiledPrompt[],
  exchange: CallExchange,
  options: ServiceOptions,
): Promise<readonly WirePrompt[]> {
  const listed = await Promise.all(families.map((prompt) => listFamily(prompt, exchange, options)));
  const byName = new Map<string, WirePrompt>();
  for (const prompt of [...single, ...listed.flat()]) {
    // What is listed twice is got from where it stands first.
    if (!byName.has(prompt.name)) byName.set(prompt.name, prompt);
  }
  return [...byName.values()];
}

function argumentsOf(args: unknown): PlainObject {
  if (args === undefined) return {};
  if (isObject(args)) return args;
  throw new ProtocolError(INVALID_PARAMS, 'Arguments must be an object', {
    code: 'INVALID_ARGUMENTS',
    expected: 'object',
    received: describeReceived(args),
  });
}
