import type { AroundLayer } from '../../compile/stages/compile-callable.ts';
import type { Step } from '../../kernel/call/attempt.ts';
import type { CompileStage as CompileAttemptStage } from '../../kernel/call/stage.ts';
import type { Call, Handle } from '../../kernel/call/call.ts';
import type { CompileStage, Rings } from '../../runtime/routes/route.ts';
import type { CallPart, InnerSpan, Observation } from '../../kernel/call/telemetry.ts';

/** The parts that are stages. */
type StagePart = Exclude<InnerSpan, 'middleware'>;

/** The stages, with spans around those that are wanted. */
export function withSpans(stages: Rings, wanted: readonly InnerSpan[]): Rings {
  if (wanted.length === 0) return stages;
  const { request, attempt } = stages;
  const spanned = (
    part: StagePart,
    stage: CompileAttemptStage | undefined,
  ): CompileAttemptStage | undefined => (stage && wanted.includes(part) ? spanOf(part, stage) : stage);
  const { authorize } = request;
  return Object.freeze({
    ...stages,
    request: Object.freeze({
      ...request,
      authorize:
        authorize && wanted.includes('authorize') ? spanOfRequest('authorize', authorize) : authorize,
    }),
    attempt: Object.freeze({
      ...attempt,
      validate: spanned('validate', attempt.validate),
      permit: spanned('authorize', attempt.permit),
      confirm: spanned('consent', attempt.confirm),
      // The last stage: it enters the middleware with the handler in it
      convert: attempt.convert && wanted.includes('handler') ? aroundNext(attempt.convert) : attempt.convert,
    }),
  });
}

/** A span around each middleware, where these are wanted. */
export function spansOfMiddleware(wanted: readonly InnerSpan[]): AroundLayer | undefined {
  if (!wanted.includes('middleware')) return undefined;
  return (name, { call }, work) => within('enter', `middleware ${name}`, call.observation, work);
}

type Side = 'enter' | 'leave';

function step(side: Side, part: CallPart, inner: Step): Step {
  return (attempt) => within(side, part, attempt.call.observation, () => inner(attempt));
}

function handle(side: Side, part: CallPart, inner: Handle): Handle {
  return (call: Call) => within(side, part, call.observation, () => inner(call));
}

function within<Result>(
  side: Side,
  part: CallPart,
  observation: Observation | undefined,
  work: () => Result,
): Result {
  return observation === undefined ? work() : observation[side](part, work);
}

/** The span ends where the next stage is entered. */
function spanOf(part: StagePart, compile: CompileAttemptStage): CompileAttemptStage {
  return (callable, settings) => {
    const stage = compile(callable, settings);
    return stage && ((next) => step('enter', part, stage(step('leave', part, next))));
  };
}

function spanOfRequest(part: StagePart, compile: CompileStage): CompileStage {
  return (target, settings) => {
    const stage = compile(target, settings);
    return stage && ((next) => handle('enter', part, stage(handle('leave', part, next))));
  };
}

function aroundNext(compile: CompileAttemptStage): CompileAttemptStage {
  return (callable, settings) => {
    const stage = compile(callable, settings);
    return stage && ((next) => stage(step('enter', 'handler', next)));
  };
}
