import type { CallExchange } from '../../call/call-exchange.ts';
import type { CallToolResult } from '../../call/call-tool-result.ts';
import { orElse, type Eventual } from '../../call/eventual.ts';
import { failureResult } from '../../call/failure-result.ts';
import type { Logger } from '../../call/logger.ts';
import { askedVersions } from '../../call/version-meta.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import type { TaskSupport } from '../../call/task-mode.ts';
import type { ToolService } from '../tool-service.ts';
import type { AttachScope, Methods } from './answer-request.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { callAsTask } from './call-as-task.ts';
import { conductCall } from './conduct-call.ts';
import { pageOf } from './pagination.ts';
import { stringOf } from './request-params.ts';
import type { TaskDoor } from './task-door.ts';
import { withCacheHint } from './with-cache-hint.ts';

export function toolMethods(
  scope: AttachScope,
  service: ToolService,
  door: TaskDoor | undefined,
  { pagination, cache }: ServiceSettings,
): Methods {
  return {
    'tools/list': ({ cursor }, exchange) => {
      const all = scope.isDetached() ? [] : service.list();
      const { entries, nextCursor } = pageOf(pagination, 'tools', all, cursor);
      const page = { tools: entries, ...(nextCursor === undefined ? {} : { nextCursor }) };
      return withCacheHint(page, exchange, cache);
    },
    'tools/call': (params, exchange) => {
      const name = stringOf(params['name'], 'name');
      const { arguments: args, task: requested } = params;
      if (scope.isDetached()) return detachedResult();
      return callAsTask(
        scope,
        door,
        {
          tool: name,
          mode: service.taskModeOf?.(name, args, exchange),
          support: () => supportOf(service, name),
          requested,
        },
        exchange,
        (outer, enter) => runCall(scope, service, { name, args }, outer, enter),
      );
    },
  };
}

interface NamedCall {
  readonly name: string;
  readonly args: unknown;
}

function runCall(
  scope: AttachScope,
  service: ToolService,
  { name, args }: NamedCall,
  exchange: CallExchange,
  enter: (exchange: CallExchange) => CallExchange,
): Eventual<object> {
  const versions = askedVersions(exchange);
  const call = { method: 'tools/call', target: name, args, versions } as const;
  const run = (conducted: CallExchange): Promise<CallToolResult> =>
    service.call(name, args, enter(conducted));
  return orElse<object>(
    () => conductCall(scope, call, exchange, run),
    (cause) => {
      if (ProtocolError.is(cause)) throw cause;
      return internalError(name, cause, scope.logger);
    },
  );
}

function supportOf(service: ToolService, name: string): TaskSupport | undefined {
  return service.list().find((tool) => tool.name === name)?.execution?.taskSupport;
}

function detachedResult(): CallToolResult {
  return failureResult({ code: 'DETACHED', message: 'Tools are no longer served here' });
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
