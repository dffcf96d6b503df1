import type { CompileStage } from '../../kernel/call/stage.ts';
import type {} from './call-fields.ts';
import type { CallRecords } from './call-records.ts';
import type { IdempotencyRule } from './idempotent.ts';
import { KeyClaim } from './keyed-call.ts';

/** Gives the stored outcome of a call that was done before. */
export const compileRecall: CompileStage = (_callable, { bound }) => {
  const rule = bound['idempotency'] as IdempotencyRule | undefined;
  if (rule === undefined) return undefined;
  return (next) => async (attempt) => {
    // Every application and registry has them
    const records = attempt.call.states.idempotency as CallRecords;
    const keyed = (attempt.keyed = new KeyClaim(records, attempt, rule));
    return (await keyed.recall()) ?? next(attempt);
  };
};

/** Makes the call the one of its key that runs. */
export const compileClaim: CompileStage = (_callable, { bound }) => {
  if (bound['idempotency'] === undefined) return undefined;
  return (next) => (attempt) => attempt.keyed?.claim(attempt, next) ?? next(attempt);
};
