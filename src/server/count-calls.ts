import type { CallExchange } from '../call/call-exchange.ts';
import { ProtocolError } from '../call/protocol-error.ts';
import type {
  CompletionService,
  McpService,
  PromptService,
  ResourceService,
} from '../runtime/mcp-service.ts';
import type { ToolService } from '../runtime/tool-service.ts';
import type { InFlight } from './in-flight.ts';
import { jsonRpcCodes } from './json-rpc/json-rpc-error.ts';

/** Everything that is counted takes its exchange last. */
type Count = <Given extends readonly [...unknown[], CallExchange], Result>(
  run: (...given: Given) => Promise<Result>,
) => (...given: Given) => Promise<Result>;

/**
 * The same service, with everything that takes time counted for as long as it runs and is wanted.
 * @param isStopping refuses what is new, for connections that cannot refuse it themselves
 */
export function countCalls(
  service: McpService,
  inFlight: InFlight,
  isStopping: () => boolean = () => false,
): McpService {
  const count: Count =
    (run) =>
    async (...given) => {
      if (isStopping()) throw new ProtocolError(jsonRpcCodes.serverError, 'The server is shutting down');
      const exchange = given.at(-1) as CallExchange;
      const leave = inFlight.enter(exchange.signal);
      try {
        return await run(...given);
      } finally {
        leave();
      }
    };
  const { tools, prompts, resources, completions, settings } = service;
  return Object.freeze({
    tools: tools && countTools(tools, count),
    prompts: prompts && countPrompts(prompts, count),
    resources: resources && countResources(resources, count),
    completions: completions && countCompletions(completions, count),
    settings,
  });
}

function countTools(tools: ToolService, count: Count): ToolService {
  return {
    list: () => tools.list(),
    call: count((...given) => tools.call(...given)),
    ...(tools.taskModeOf === undefined ? {} : { taskModeOf: (...given) => tools.taskModeOf?.(...given) }),
  };
}

function countPrompts(prompts: PromptService, count: Count): PromptService {
  return { list: (exchange) => prompts.list(exchange), get: count((...given) => prompts.get(...given)) };
}

function countResources(resources: ResourceService, count: Count): ResourceService {
  return {
    templates: () => resources.templates(),
    list: count((...given) => resources.list(...given)),
    read: count((...given) => resources.read(...given)),
    ...(resources.cacheOf === undefined ? {} : { cacheOf: (uri) => resources.cacheOf?.(uri) }),
    ...(resources.knows === undefined ? {} : { knows: (uri) => resources.knows?.(uri) !== false }),
  };
}

function countCompletions(completions: CompletionService, count: Count): CompletionService {
  return { complete: count((...given) => completions.complete(...given)) };
}
