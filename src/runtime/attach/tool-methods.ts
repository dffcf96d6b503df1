import type { CallExchange } from '../../call/call-exchange.ts';
import type { CallToolResult } from '../../call/call-tool-result.ts';
import { failureResult } from '../../call/failure-result.ts';
import type { Logger } from '../../call/logger.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import type { TaskSupport } from '../../call/task-mode.ts';
import { askedVersions } from '../../call/version-meta.ts';
import { catchMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { ToolService } from '../mcp-service.ts';
import { resultOf } from '../outcome.ts';
import type { Methods } from '../call.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { callAsTask } from './call-as-task.ts';
import { listPage } from './list-page.ts';
import { stringOf } from './request-params.ts';

export function toolMethods(service: ToolService, settings: ServiceSettings, logger: Logger): Methods {
  return {
    'tools/list': ({ params: { cursor }, exchange }) =>
      resultOf(listPage(settings, 'tools/list', service.list(), cursor, exchange)),
    'tools/call': ({ params, exchange, client }) => {
      const name = stringOf(params['name'], 'name');
      const { arguments: args, task: requested } = params;
      const call = {
        tool: name,
        mode: service.taskModeOf(name, args, exchange),
        support: () => supportOf(service, name),
        requested,
      };
      return callAsTask(settings.tasks, client, call, exchange, (outer, enter) =>
        runCall(service, { name, args, settings, logger }, outer, enter),
      );
    },
  };
}

interface NamedCall {
  readonly name: string;
  readonly args: unknown;
  readonly settings: ServiceSettings;
  readonly logger: Logger;
}

function runCall(
  service: ToolService,
  { name, args, settings, logger }: NamedCall,
  exchange: CallExchange,
  enter: (exchange: CallExchange) => CallExchange,
): MaybePromise<object> {
  const versions = askedVersions(exchange);
  const call = { method: 'tools/call', target: name, args, versions } as const;
  const run = (conducted: CallExchange): Promise<CallToolResult> =>
    service.call(name, args, enter(conducted));
  return catchMaybe<object>(
    () => settings.conversations.conduct(call, exchange, run),
    (cause) => {
      if (ProtocolError.is(cause)) throw cause;
      return internalError(name, cause, logger);
    },
  );
}

function supportOf(service: ToolService, name: string): TaskSupport | undefined {
  return service.list().find((tool) => tool.name === name)?.execution?.taskSupport;
}

function internalError(tool: string, cause: unknown, logger: Logger): CallToolResult {
  logger.log({ level: 'error', event: 'call.escaped', message: `The call of ${tool} broke.`, tool, cause });
  return failureResult({
    code: 'INTERNAL_ERROR',
    message: 'The server failed while it answered the call',
    headline: `[${tool}] The server failed while it answered the call`,
    tool,
  });
}
