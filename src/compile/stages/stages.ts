import type { CallScope } from '../../container/instance-resolver.ts';
import type { Attempt } from '../../kernel/call/attempt.ts';
import type { Stage, StagedCallable, StageSettings } from '../../kernel/call/stage.ts';
import type { ToolContext } from '../../call/tool-context.ts';

/** Opens a scope for request-scoped providers, and closes it when the result is there. */
export function compileScope(
  _callable: StagedCallable,
  { perCall, resolver }: StageSettings,
): Stage | undefined {
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
}

/** A failing disposal must not suppress the answer. */
async function close(scope: CallScope, { place, logger }: Attempt): Promise<void> {
  await scope.close().catch((error: unknown) => {
    const message = `Disposing the request scope of ${place.name} failed`;
    logger.log({ level: 'error', event: 'scope.dispose-failed', message, error });
  });
}
