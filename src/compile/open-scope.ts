import type { ToolContext } from '../call/tool-context.ts';
import type { CallScope } from '../container/instance-resolver.ts';
import type { Attempt, CompileStage } from './handler-call.ts';

/** Opens a scope for what is made anew for each call, and closes it when the result is there. */
export const compileScope: CompileStage = (_callable, { perCall, resolver }) => {
  if (perCall.length === 0) return undefined;
  return (next) => async (attempt) => {
    const scope = await resolver.open(perCall, attempt.context as ToolContext);
    attempt.scope = scope;
    try {
      return await next(attempt);
    } finally {
      await close(scope, attempt);
    }
  };
};

/** A failing disposal must not take the answer from the client. */
async function close(scope: CallScope, { run, logger }: Attempt): Promise<void> {
  await scope.close().catch((error: unknown) => {
    const message = `Disposing the request scope of ${run.place.name} failed`;
    logger.log({ level: 'error', event: 'scope.dispose-failed', message, error });
  });
}
