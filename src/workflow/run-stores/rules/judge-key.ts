import type { AppendRequest, AppendResult, RecordedResponse } from '../../application/ports/run-store.ts';

/** Where the key of a request is unique. */
export function scopeOf({ idempotencyScope, runId }: AppendRequest): string {
  return idempotencyScope ?? runId;
}

/** What a request gets whose key is recorded already, whatever the seq. */
export function judgeKey(recorded: RecordedResponse, request: AppendRequest): AppendResult {
  return recorded.requestHash === request.requestHash
    ? { duplicate: true, response: recorded.response }
    : { mismatch: true };
}
