import type { Logger } from '../../call/logger.ts';
import { createConversations } from '../conversation/conversations.ts';
import type { McpService } from '../mcp-service.ts';
import type { AttachScope, Methods } from './answer-request.ts';
import { promptMethods } from './prompt-methods.ts';
import { resourceMethods } from './resource-methods.ts';
import type { ServerTarget } from './server-target.ts';
import type { ToolService } from '../tool-service.ts';
import { toolMethods } from './tool-methods.ts';

/**
 * The methods of a service that need no server of an SDK, which are the same that {@link attachService} registers.
 * Whoever uses them sees to it that nothing is called which may become a task.
 */
export function serviceMethods({ tools, prompts, resources, settings }: McpService, logger: Logger): Methods {
  const conversations = settings.conversations ?? createConversations({ server: '', logger });
  const scope: AttachScope = {
    target: NOBODY,
    logger,
    canAsk: false,
    conversations,
    isDetached: () => false,
  };
  return {
    ...(tools && toolMethods(scope, withoutTasks(tools), undefined, settings)),
    ...(prompts && promptMethods(scope, prompts, settings)),
    ...(resources && resourceMethods(scope, resources, settings)),
  };
}

/** Nobody needs to know which of its calls would become tasks. */
function withoutTasks(tools: ToolService): ToolService {
  return { list: () => tools.list(), call: (name, args, exchange) => tools.call(name, args, exchange) };
}

const NOBODY: ServerTarget = { setRequestHandler: () => undefined };
