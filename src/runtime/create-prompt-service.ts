import type { CallExchange } from '../call/call-exchange.ts';
import { describeReceived } from '../call/issue.ts';
import { INVALID_PARAMS, ProtocolError } from '../call/protocol-error.ts';
import type { CompiledPrompt } from '../compile/compiled-prompt.ts';
import type { PlainObject } from '../shared/json.ts';
import type { PromptService } from './mcp-service.ts';
import { unknownName } from './protocol-failures.ts';
import { runPrimitive } from './run-primitive.ts';
import type { ServiceOptions } from './service-options.ts';
import { visibleItems } from './visible-items.ts';

/** The prompts of an application as its connections see them. */
export function createPromptService(
  prompts: () => readonly CompiledPrompt[],
  options: ServiceOptions,
): PromptService {
  const view = visibleItems(prompts, options.filter, (items) => ({
    definitions: Object.freeze(items.map(({ definition }) => definition)),
    byName: new Map(items.map((prompt) => [prompt.name, prompt])),
  }));
  return Object.freeze({
    list: () => view().definitions,
    get: async (name: string, args: unknown, exchange: CallExchange) => {
      const { byName } = view();
      const prompt = byName.get(name);
      if (prompt === undefined) throw unknownName('prompt', name, [...byName.keys()]);
      const { convert } = prompt;
      const call = { kind: 'prompt', name, args: argumentsOf(args), exchange, convert } as const;
      return runPrimitive(prompt, call, options);
    },
  });
}

function argumentsOf(args: unknown): PlainObject {
  if (args === undefined) return {};
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as PlainObject;
  throw new ProtocolError(INVALID_PARAMS, 'Arguments must be an object', {
    code: 'INVALID_ARGUMENTS',
    expected: 'object',
    received: describeReceived(args),
  });
}
