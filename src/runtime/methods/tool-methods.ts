import type { TaskSupport } from '../../call/action-options.ts';
import { askedVersions } from '../../call/call-context.ts';
import { failureResult } from '../../call/failure-result.ts';
import type { Logger } from '../../call/logger.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import { catchMaybe } from '../../shared/maybe-promise.ts';
import type { Methods } from '../call.ts';
import type { ToolService } from '../mcp-service.ts';
import { failureOf, resultOf, type Outcome } from '../outcome.ts';
import type { ServiceSettings } from '../service-settings.ts';
import { callAsTask } from '../tasks/call-as-task.ts';
import { listPage } from './list-page.ts';
import { stringOf } from './request-params.ts';

export function toolMethods(service: ToolService, settings: ServiceSettings, logger: Logger): Methods {
  return {
    'tools/list': (call) =>
      resultOf(listPage(settings, 'tools/list', service.list(), call.params['cursor'], call)),
    'tools/call': (call) => {
      const name = stringOf(call.params['name'], 'name');
      const args = call.params['arguments'];
      const mode = service.taskModeOf(name, args, call);
      const facts = { tool: name, mode, support: () => supportOf(service, name) };
      return callAsTask(settings.tasks, call, facts, () => {
        const target = { method: 'tools/call', target: name, args, versions: askedVersions(call) } as const;
        return catchMaybe(
          () => settings.conversations.conduct(call, target, (run) => service.call(name, args, run)),
          (cause) => brokenCall(name, cause, logger),
        );
      });
    },
  };
}

function supportOf(service: ToolService, name: string): TaskSupport | undefined {
  return service.list().find((tool) => tool.name === name)?.execution?.taskSupport;
}

/** The outcome of a call that failed in a way that no handler can. */
function brokenCall(tool: string, cause: unknown, logger: Logger): Outcome {
  if (ProtocolError.is(cause)) return failureOf(cause);
  logger.log({ level: 'error', event: 'call.escaped', message: `The call of ${tool} broke.`, tool, cause });
  const message = 'The server failed while it answered the call';
  const headline = `[${tool}] ${message}`;
  return resultOf(failureResult({ code: 'INTERNAL_ERROR', message, headline, tool }));
}
