import type { CallExchange } from '../call/call-exchange.ts';
import type {
  CompletionService,
  McpService,
  PromptService,
  ResourceService,
} from '../runtime/mcp-service.ts';
import type { ToolService } from '../runtime/tool-service.ts';
import { refuseStopping, type CallCount } from './call-count.ts';
import type { ServerSurface } from './server-surface.ts';

/** Everything that is counted takes its exchange last. */
type Count = <Given extends readonly [...unknown[], CallExchange], Result>(
  run: (...given: Given) => Promise<Result>,
) => (...given: Given) => Promise<Result>;

/** The same surface, where what takes time is counted once more. */
export function countSurface(surface: ServerSurface, count: CallCount): ServerSurface {
  const { service, direct } = surface;
  return {
    ...surface,
    service: countCalls(service, count),
    ...(direct === undefined ? {} : { direct: { ...direct, counts: [...direct.counts, count] } }),
  };
}

/** The same service, with everything that takes time counted for as long as it runs and is wanted. */
export function countCalls(service: McpService, counted: CallCount): McpService {
  const count: Count =
    (run) =>
    async (...given) => {
      refuseStopping(counted);
      const exchange = given.at(-1) as CallExchange;
      const leave = counted.inFlight.enter(exchange.signal);
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
  const { fixed } = prompts;
  return {
    list: count(async (...given) => prompts.list(...given)),
    get: count((...given) => prompts.get(...given)),
    ...(fixed === undefined ? {} : { fixed }),
  };
}

function countResources(resources: ResourceService, count: Count): ResourceService {
  const { fixed } = resources;
  return {
    ...(fixed === undefined ? {} : { fixed }),
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
