import type { Logger } from '../../call/logger.ts';
import { createConversations } from '../conversation/conversations.ts';
import type { McpService } from '../mcp-service.ts';
import type { ServiceSettings } from '../service-settings.ts';
import type { AttachScope, Method, Methods } from './answer-request.ts';
import { completionMethods } from './completion-methods.ts';
import { promptMethods } from './prompt-methods.ts';
import { resourceMethods } from './resource-methods.ts';
import type { ServerTarget } from './server-target.ts';
import { taskMethods } from './task-methods.ts';
import type { ToolService } from '../tool-service.ts';
import { toolMethods } from './tool-methods.ts';

/**
 * The methods of a service that need no server of an SDK, which are the same that {@link attachService} registers.
 * Whoever uses them sees to it that nothing is called which may become a task.
 */
export function serviceMethods(
  { tools, prompts, resources, settings }: McpService,
  logger: Logger,
  scope = scopeOf(settings, logger),
): Methods {
  return {
    ...(tools && toolMethods(scope, withoutTasks(tools), undefined, settings)),
    ...(prompts && promptMethods(scope, prompts, settings)),
    ...(resources && resourceMethods(scope, resources, settings)),
  };
}

/** The methods of 2026-07-28. */
export interface ModernMethods {
  readonly methods: Methods;
  /** Calls tools of which a call may become a task; undefined where none can. */
  readonly callAsTask: Method | undefined;
}

export function modernMethods(service: McpService, logger: Logger): ModernMethods {
  const { tools, completions, settings } = service;
  const scope = scopeOf(settings, logger);
  const { tasks } = settings;
  const door = tasks && ({ tasks, protocol: '2026' } as const);
  return {
    methods: {
      ...serviceMethods(service, logger, scope),
      ...(completions && completionMethods(scope, completions)),
      ...(tasks && taskMethods(scope, tasks)),
    },
    callAsTask: tools && door && toolMethods(scope, tools, door, settings)['tools/call'],
  };
}

function scopeOf({ conversations }: ServiceSettings, logger: Logger): AttachScope {
  return {
    target: NOBODY,
    logger,
    canAsk: false,
    conversations: conversations ?? createConversations({ server: '', logger }),
    isDetached: () => false,
  };
}

/** Nobody needs to know which of its calls would become tasks. */
function withoutTasks(tools: ToolService): ToolService {
  return { list: () => tools.list(), call: (name, args, exchange) => tools.call(name, args, exchange) };
}

const NOBODY: ServerTarget = { setRequestHandler: () => undefined };
