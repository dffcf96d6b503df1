import { type WorkflowContext, mergedScope } from '../../domain/conditions/condition.ts';
import { findStep } from '../../domain/document/workflow-document.ts';
import { conditionScope } from '../../domain/run/advance.ts';
import { refuseOutput } from '../../domain/run/decide.ts';
import type { ValidationResult } from '../../domain/validation/output-validator.ts';
import { changeRun } from './change-run.ts';
import { checkContext, checkKey, checkOptionalText } from './check-request.ts';
import { loadRun, type LoadedRun } from './load-run.ts';
import { identify } from './request-identity.ts';
import type { RunCaller } from './run-caller.ts';
import type { RunParts } from './run-parts.ts';
import type { ContinueRequest } from './run-requests.ts';
import type { RunView } from './run-view.ts';
import { readViewRef } from './view-ref.ts';
import { viewOf } from './view-of.ts';

/** Hands in the output of the open step, or context alone; with neither, it only looks. */
export async function continueRun(
  parts: RunParts,
  caller: RunCaller,
  request: ContinueRequest,
): Promise<RunView> {
  const output = checkOptionalText('output', request.output);
  const context = checkContext(request.context);
  const idempotencyKey = checkKey(request.idempotencyKey);
  const { runId, expectedSeq } = await readViewRef(parts, caller, request);
  if (output === undefined && context === undefined) {
    const { state, definition } = await loadRun(parts, runId);
    return viewOf(parts, runId, state, definition);
  }
  return changeRun(parts, {
    runId,
    expectedSeq,
    actor: { kind: 'agent' },
    identity: identify(runId, { continue: { runId, expectedSeq, output, context } }, idempotencyKey),
    command: async (facts, run) => {
      const all = { ...facts, expectedSeq };
      if (output === undefined) return { ...all, type: 'inform', context: context ?? {} };
      const isAnswer = run.state.seq === expectedSeq;
      const validation = isAnswer ? await judge(parts, run, output, context) : null;
      return { ...all, type: 'submit', output, ...(context !== undefined && { context }), validation };
    },
  });
}

/** Null where the output is refused unjudged, and for a loop, which has no rules. */
async function judge(
  { validator, limits }: RunParts,
  { state, definition }: LoadedRun,
  output: string,
  context: WorkflowContext | undefined,
): Promise<ValidationResult | null> {
  const step = state.current === null ? undefined : findStep(definition, state.current.stepId);
  if (step === undefined || step.type === 'loop' || refuseOutput(output, limits) !== undefined) return null;
  const scope = mergedScope(conditionScope(state, definition, context));
  return validator.validate(output, step.validationCriteria, scope);
}
