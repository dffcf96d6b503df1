import type { CallExchange } from '../call/call-exchange.ts';
import type { CompiledPrompt } from '../compile/compiled-prompt.ts';
import type { CompiledResource } from '../compile/compiled-resource.ts';
import { createPagination } from '../runtime/methods/pagination.ts';
import { createConversations } from '../runtime/conversation/conversations.ts';
import { createCompletionService } from '../runtime/create-completion-service.ts';
import { createPromptService } from '../runtime/create-prompt-service.ts';
import { createResourceService } from '../runtime/create-resource-service.ts';
import { createToolService } from '../runtime/create-tool-service.ts';
import type { Offers } from '../runtime/offers.ts';
import { createService, type McpService } from '../runtime/service.ts';
import type { ServiceSettings } from '../runtime/service-settings.ts';
import { Tasks } from '../runtime/tasks/tasks.ts';
import type { ToolRegistry } from '../runtime/tool-registry.ts';
import type { ApplicationSettings } from './application-settings.ts';

/** What an application serves; each part can change while it does. */
export interface ServedParts {
  readonly registry: ToolRegistry;
  readonly prompts: Offers<CompiledPrompt>;
  readonly resources: Offers<CompiledResource>;
}

/** The service of an application. What it has none of at its start is not declared to clients. */
export function serveParts(
  { registry, prompts, resources }: ServedParts,
  settings: ApplicationSettings,
  shared: ServiceSettings,
): McpService {
  const { contextFactory, maskErrors, logger, argumentNodes, filter } = settings;
  const contextOf = (exchange: CallExchange) => contextFactory(undefined, exchange);
  const options = Object.freeze({ maskErrors, logger, argumentNodes, filter, contextOf });
  const sources = { prompts: () => prompts.enabled, resources: () => resources.enabled };
  const parts = {
    tools: createToolService(registry, undefined, contextOf, options),
    prompts: prompts.names.length === 0 ? undefined : createPromptService(sources.prompts, options),
    resources: resources.names.length === 0 ? undefined : createResourceService(sources.resources, options),
    completions: hasCompletions(prompts, resources) ? createCompletionService(sources, options) : undefined,
  };
  return createService(parts, shared, logger);
}

/** What everything that serves the application has in common, whichever part of it. */
export function sharedSettings(settings: ApplicationSettings): ServiceSettings {
  const { name: server, secrets, onceStore, questionLifetime: lifetime, replay: replays, logger } = settings;
  const { pageSize, cache, tasks = {} } = settings;
  return Object.freeze({
    pagination: pageSize === undefined ? undefined : createPagination(pageSize, { server, secrets }),
    cache,
    conversations: createConversations({ server, secrets, onceStore, lifetime, replays, logger }),
    tasks: new Tasks(tasks, logger),
  });
}

function hasCompletions(prompts: Offers<CompiledPrompt>, resources: Offers<CompiledResource>): boolean {
  return (
    prompts.enabled.some(({ completers }) => completers.size > 0) ||
    resources.enabled.some((resource) => resource.kind === 'template' && resource.completers.size > 0)
  );
}
